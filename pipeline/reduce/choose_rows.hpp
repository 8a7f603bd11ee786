// Chooses which processes are kept where a number of rows or an error is given
// (filters/groups/select_rows.hpp). Which iterations are kept for an error is chosen where these
// are folded (FoldOptions::accuracy).
//
// Reads all processes of an original twice, as recording them does: for times of waiting, and for
// the others.
#pragma once

#include "filters/groups/select_rows.hpp"
#include "model/errors/accuracy.hpp"
#include "model/plan.hpp"
#include "model/plan_options.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>

namespace tracefold {

class ChosenRows {
 public:
  // The session has a plan with groups, and stays. Throws Error(usage) where the trace was reduced
  // before, or the plan has no groups; Error(input).
  ChosenRows(PlanSession& session, const Selection& selection, const HaloOptions& halo);

  std::size_t least() const { return selector_.least(); }
  std::size_t groups() const { return selector_.groups(); }
  std::size_t most() const { return selector_.most(); }

  // Chooses so many processes, from least() on.
  void take(std::size_t processes);
  // Chooses as many as leave room for their halo among so many rows. Throws Error(no) where there
  // cannot be so few rows, and says how many there are at least.
  void fit(std::size_t rows);
  // Chooses as few rows as are accurate enough; for each group there is one at least. Throws
  // Error(no) where that takes all processes of groups that have several.
  void reach(const Accuracy& accuracy);

  // What the rows that were chosen last do not show.
  const RowFitter::Lost& lost() const { return lost_; }

 private:
  std::size_t count_rows(std::size_t processes);
  FoldError measure() const;

  PlanSession& session_;
  std::shared_ptr<const ProgramProfiles> program_;
  const Plan grouped_;
  RowSelector selector_;
  HaloOptions halo_;
  RowFitter::Lost lost_;
};

}  // namespace tracefold
