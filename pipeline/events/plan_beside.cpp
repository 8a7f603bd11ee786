#include "pipeline/events/plan_beside.hpp"

#include "base/read_file.hpp"
#include "base/sha256.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <utility>

namespace tracefold {

bool is_named_plan(const Archive& reduced, const std::string& text) {
  const auto& properties = reduced.facts().properties;
  const auto named = properties.find(plan_hash_property);

  return named != properties.end() && named->second == hash_text(text);
}

PlanBeside read_plan_beside(const Archive& reduced) {
  PlanBeside found;
  found.is_named = reduced.facts().properties.contains(plan_hash_property);
  found.file = reduced.paths().anchor.parent_path() / plan_name;
  auto text = read_file(found.file);
  found.is_there = text.has_value();
  if (found.is_missing())
    return found;
  found.text = std::move(*text);

  found.is_that = is_named_plan(reduced, found.text);

  try {
    found.plan = plan_from_json(found.text, found.file.parent_path());
  } catch (Error& problem) {
    found.error = problem.in(found.file.string());
  }

  return found;
}

}  // namespace tracefold
