// The plan beside a reduced archive, which describes how it was made.
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
  bool is_there = false;       // the file exists
  std::string text;            // empty where there is no plan
  std::optional<Plan> plan;    // none without a valid plan
  std::optional<Error> error;  // why the text is not a plan
  bool is_named = false;       // the anchor has the hash of a plan
  bool is_that = false;        // it is the hash of this text

  bool is_missing() const { return !is_there; }
};

// Whether the anchor has the hash of this text. Thread-safe.
bool is_named_plan(const Archive& reduced, const std::string& text);

// Reads FOLDER/tracefold.json. Throws Error(input) if the file exists and cannot be read.
// Thread-safe.
PlanBeside read_plan_beside(const Archive& reduced);

}  // namespace tracefold
