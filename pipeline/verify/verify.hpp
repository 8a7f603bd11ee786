// verify: is a reduced trace what it should be?
//
// Two ways: the rules of rewriting (rules.hpp), and a comparison with what the plan beside it makes
// of the original again (derive_again.hpp), after the plan itself was derived from the original by
// the options that it records (derive_plan.hpp). The rules know neither the plan nor how traces are
// rewritten. What they share with that is below both: how archives are read, and which records
// and which parts of several locations are one operation (pipeline/messages/operation_cursor.hpp
// and channel.hpp). For operations that are open in one location, record_rules.hpp has a table of
// its own, so that a mistake in the shared one is noticed.
#pragma once

#include "model/errors/fold_errors.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct RuleVerdict {
  std::string rule;
  std::vector<std::string> violations;
};

struct Verification {
  std::vector<RuleVerdict> rules;
  // Why the trace was not made again, so that only the rules were checked; empty where it was.
  std::string only_rules;
  // A name in it that is a code, where the original has none of that name; empty: there is none.
  std::string code;
  bool is_related = true;  // false: it was made from quite another trace, and nothing else is told
  // What folding costs, measured again; none where the trace was not made again, or its plan tells
  // no errors.
  std::optional<FoldErrors> errors = {};
  bool holds() const;
};

// Reads both archives whole, and the original again as the reduction did that made the plan
// (derive_plan.hpp), and as the rewrite did. Where a plan is beside the reduced one, its filters
// are applied to the original. Throws Error(input).
Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics);

}  // namespace tracefold
