// select --to: chooses representatives so that at most so many rows are shown (fit_rows.hpp).
//
// Where there are fewer rows than groups, groups are merged. Processes that the selection keeps
// always are rows of their own. A row of threads or streams is taken from a process that is kept,
// where one of its members is.
#pragma once

#include "filters/groups/fit_rows.hpp"
#include "model/plan_options.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct Plan;

class RowSelector {
 public:
  // `plan` has groups, which select() begins with. Throws Error(usage) where no process has an id
  // that the selection names.
  RowSelector(const Plan& plan, Selection selection, FittedTimes times);

  // How few rows there can be, with one for each group, and with all processes.
  std::size_t least() const { return always_.size() + fitter_.least(); }
  std::size_t groups() const { return always_.size() + fitter_.groups(); }
  std::size_t most() const { return always_.size() + fitter_.most(); }

  // Fills plan.representatives and plan.selection, and merges plan.groups where that is necessary:
  // a plan as the constructor was given. From least() rows on. Returns what no row shows.
  RowFitter::Lost select(Plan& plan, std::size_t rows);

 private:
  struct FittedGroups {
    std::vector<RowGroup> groups;
    std::vector<std::size_t> plan_groups;  // by these: the group of the plan
  };
  static FittedGroups list_fitted(const Plan& plan, const std::vector<std::size_t>& always);

  Selection selection_;
  std::vector<std::size_t> always_;  // processes, ascending
  FittedGroups fitted_;
  RowFitter fitter_;
};

}  // namespace tracefold
