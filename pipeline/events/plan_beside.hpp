// The plan beside a reduced archive, by which it was made.
//
// Source: docs/design.md, "The plan".
#pragma once

#include "base/error.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

struct PlanBeside {
  std::filesystem::path file;
  bool is_there = false;       // the file
  std::string text;            // empty where there is no plan
  std::optional<Plan> plan;    // none where there is no plan, or the text is none
  std::optional<Error> error;  // why the text is no plan
  bool is_named = false;       // the anchor names the hash of a plan
  bool is_that = false;        // the hash is that of the text

  bool is_missing() const { return !is_there; }
};

// Whether the anchor names the hash of this text. Thread-safe.
bool is_named_plan(const Archive& reduced, const std::string& text);

// Reads FOLDER/tracefold.json. Throws Error(input) where it is there and cannot be read.
// Thread-safe.
PlanBeside read_plan_beside(const Archive& reduced);

}  // namespace tracefold
