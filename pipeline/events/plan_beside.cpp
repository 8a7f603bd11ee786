#include "pipeline/events/plan_beside.hpp"

#include "base/read_file.hpp"
#include "base/sha256.hpp"

namespace tracefold {

PlanBeside read_plan_beside(const Archive& reduced) {
  PlanBeside found;
  const auto& properties = reduced.facts().properties;
  const auto named = properties.find("TRACEFOLD::PLAN_SHA256");
  found.is_named = named != properties.end();
  found.file = reduced.paths().anchor.parent_path() / plan_name;
  found.text = read_file(found.file).value_or("");
  if (found.is_missing())
    return found;

  Sha256 hash;
  hash.add(found.text);
  found.is_that = found.is_named && named->second == hash.hex();

  try {
    found.plan = plan_from_json(found.text);
  } catch (Error& problem) {
    found.error = problem.in(found.file.string());
  }

  return found;
}

}  // namespace tracefold
