#include "pipeline/messages/stored_messages.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace tracefold {

bool was_reduced(const Archive& archive) {
  return !find_earlier_reductions(archive.definitions()).empty();
}

std::optional<Messages> read_stored_messages(const Archive& archive) {
  const auto file = archive.paths().anchor.parent_path() / "tracefold.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    return std::nullopt;

  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  try {
    return plan_from_json(text.str()).messages;
  } catch (Error& problem) {
    throw problem.in(file.string());
  }
}

}  // namespace tracefold
