// verify: is a reduced trace what it should be?
//
// Its structure is checked by itself and the files beside it (check_structure.hpp). For everything
// else its original is needed: the trace is made again from the plan beside it, and compared record
// by record (make_again.hpp). The plan is derived from the original again, by the options that it
// records, only to compare it (derive_plan.hpp). Verify makes the trace by the code that has
// written it, so it takes a mistake of that code for right: tests look for those
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
  // False: it does not say that it was reduced. Then, and where it was made from another trace, it
  // is not related, and nothing else was checked.
  bool was_reduced = true;
  bool is_related = true;
  // Where the reduced trace has codes for names, and the original has not: one of these codes. Then
  // nothing was compared. Empty: there is none.
  std::string code;
  bool was_made_again = false;  // and compared
  // The version of the program that wrote it, where that is another one: then the plan was not
  // derived again, since another version may choose otherwise. Empty: it is this version.
  std::string other_version;
  // What folding costs, measured again; none where its plan tells no errors, or was not derived.
  std::optional<FoldErrors> errors = {};
  // How near the run that is played from what is beside the trace comes to the recorded one; none:
  // it has nothing to play.
  std::optional<double> accuracy = {};

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
