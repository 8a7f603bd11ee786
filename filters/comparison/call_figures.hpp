// What functions and call paths of two compared runs take: totals, means per process, who calls
// them. Pure.
#pragma once

#include "filters/comparison/compare_runs.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

// The runs have to live as long as this. Runs are 0 and 1; times are in seconds.
class CallFigures {
 public:
  explicit CallFigures(const JoinedRuns& runs) : runs_(runs), calls_(runs.calls) {}

  // As people are told it: long names are shortened.
  std::string name(ClassIndex of) const;
  // The same as a run has it: the second one may call another function in its place.
  std::string name_in(std::size_t r, ClassIndex of) const;
  // The function of this name; no_class where there is none.
  ClassIndex find_class(const std::string& wanted) const;
  bool waits(ClassIndex of) const { return is_waiting_function(calls_.names.classes[of]); }
  bool is_in(std::size_t r, ClassIndex of) const { return get_total(r, of, Measure::visits) > 0; }

  // Over all processes.
  double get_total(std::size_t r, ClassIndex of, Measure measure) const;
  // Per process that calls the function.
  double get_time(std::size_t r, ClassIndex of) const;
  double get_visits(std::size_t r, std::size_t node) const;

  // The times of a call path, of each process of partners.
  PartnerValues list_times(std::size_t node) const;
  // The nearest caller that no other call path of its function has; no_class where there is none.
  ClassIndex find_own_caller(std::size_t node) const;
  // The node of the function that differs most in this; no_node where there is none.
  std::size_t find_heaviest(ClassIndex of, Measure measure) const;

 private:
  // At least 1.
  double count_callers(std::size_t r, ClassIndex of) const;

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
};

}  // namespace tracefold
