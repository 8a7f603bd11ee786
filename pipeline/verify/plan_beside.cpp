#include "pipeline/verify/plan_beside.hpp"

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "pipeline/rewrite/metadata.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tracefold {

namespace {

std::string read_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    return {};

  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();

  return text.str();
}

}  // namespace

PlanBeside read_plan_beside(const Archive& reduced) {
  PlanBeside found;
  const auto& properties = reduced.facts().properties;
  const auto named = properties.find("TRACEFOLD::PLAN_SHA256");
  found.is_named = named != properties.end();
  found.text = read_text(reduced.paths().anchor.parent_path() / plan_name);
  if (found.is_missing())
    return found;

  Sha256 hash;
  hash.add(found.text);
  found.is_that = found.is_named && named->second == hash.hex();

  try {
    found.plan = plan_from_json(found.text);
  } catch (const Error&) {
    // Whoever asks sees that there is none.
  }

  return found;
}

}  // namespace tracefold
