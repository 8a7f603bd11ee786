// verify: does a reduced trace keep the rules of rewriting?
#pragma once

#include "pipeline/profile/profile_pass.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct RuleVerdict {
  std::string rule;
  std::vector<std::string> violations;
};

struct Verification {
  std::vector<RuleVerdict> rules;
  // Share of the original's time that is in folded iterations of the kept processes,
  // each counted as often as it says.
  double folded = 0;
  // Share of time that the same profile puts into the wrong function: half of the sum
  // of absolute differences. Of folded iterations it is not known.
  double profile_error = 0;
  bool holds() const;
};

// Reads both archives whole. Where a plan is beside the reduced one, its
// filters are applied to the original. Throws Error(input).
Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics);

}  // namespace tracefold
