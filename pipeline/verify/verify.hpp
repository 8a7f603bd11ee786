// verify: is a reduced trace what it should be?
//
// Its structure is told by itself and what is beside it (check_structure.hpp). Everything else is
// told by its original: the plan beside it is derived from that again, by the options that it
// records (derive_plan.hpp), and by this plan the trace is made again and compared, record by
// record (make_again.hpp). What is compared was made by the code that has written it, so that a
// mistake in reducing is none of verify's business: tests look for those
// (tests/pipeline/verify/rules/).
#pragma once

#include "model/errors/fold_errors.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct RuleVerdict {
  std::string rule;
  std::vector<std::string> violations;  // sentences that say what is wrong, and where
};

struct Verification {
  std::vector<RuleVerdict> rules;
  bool is_related = true;  // false: it was made from quite another trace, and nothing else is told
  // A name in it that is a code, where the original has none of that name, so that nothing could be
  // compared; empty: there is none.
  std::string code;
  bool was_made_again = false;
  // The version of the program that wrote it, where that is another one: then it was made again by
  // the choices of its plan, and these were not derived again. Empty: it is this version.
  std::string other_version;
  // What folding costs, measured again; none where its plan tells no errors, or was not derived.
  std::optional<FoldErrors> errors = {};

  bool holds() const;
};

// Reads the reduced archive alone, and what is beside it. Throws Error(input).
Verification verify_structure(const Archive& reduced, const ReadOptions& options,
                              Diagnostics& diagnostics);

// Reads the original, too, as the reduction did that made the plan, and as the rewrite did. Throws
// Error(input).
Verification verify(const Archive& reduced, const Archive& original, const ReadOptions& options,
                    Diagnostics& diagnostics);

}  // namespace tracefold
