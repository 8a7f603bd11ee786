// compare: two runs of a program in, what differs between them out. Pure.
//
// Source: thesis 4.4.2 (profiles of groups), structural VII and VIII (similarity of groups).
#pragma once

#include "filters/comparison/common_calls.hpp"
#include "filters/comparison/differences.hpp"
#include "filters/comparison/pair_groups.hpp"
#include "model/comparison/compared_run.hpp"
#include "model/comparison/run_comparison.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Two runs with what they have in common: what a comparison, and the search for a cause, look at.
struct JoinedRuns {
  const ComparedRun& a;
  const ComparedRun& b;
  CommonCalls calls;
  std::vector<PairedGroups> groups;
  PairedProcesses processes;            // all of both runs
  std::array<AmountTable, 2> by_class;  // by run and function
  Noise noise;
  bool knows_spread = true;

  const ComparedRun& run(std::size_t r) const { return r == 0 ? a : b; }
  PartnerValues list_values(const std::vector<MemberAmounts>& of_a,
                            const std::vector<MemberAmounts>& of_b, const PairedProcesses& among,
                            Measure measure) const;
  PartnerValues list_class_values(ClassIndex of, Measure measure) const;
};

JoinedRuns join_runs(const ComparedRun& a, const ComparedRun& b);

// Which processes show the iterations of both runs best, and of which function: of the group with
// the process whose time changed most, all whose time changed in the same direction; where none has
// changed, or there are no partners, those of the largest group. Only processes count that make as
// many calls at each call path as the first one, which has changed most. Of many there is an even
// sample, an eighth of all processes of the run at most, since these are read once more. Indexes
// into the plans.
struct IterationChoice {
  std::vector<std::size_t> a, b;  // never empty; of partners at the same places
  std::optional<ClassIndex> function;
  std::size_t group = 0;       // of the first run
  std::size_t candidates = 0;  // processes of the first run, before the sample
};
inline constexpr std::size_t most_iteration_processes = 8;
std::optional<IterationChoice> choose_iterations(const JoinedRuns& runs);

// All but the headline and the findings, which find_cause() adds; rows by the largest difference of
// this measure.
RunComparison compare_runs(const JoinedRuns& runs, Measure measure);

// Functions that take at least a hundredth of the time of a run, and take so many percent more in
// the second one, beyond the spread.
std::vector<std::string> list_grown(const RunComparison& runs, double percent);

// Times of iterations, of which those are marked that are slower or faster than the spread of all
// explains.
void mark_iterations(ComparedIterations& iterations, const Noise& noise);

// Two sets of processes of one run: one pair, without partners.
RunComparison compare_processes(const ComparedRun& run, const ComparedGroup& a,
                                const std::vector<std::size_t>& of_a, const ComparedGroup& b,
                                const std::vector<std::size_t>& of_b, Measure measure);

// Totals by function of any number of runs.
RunTable tabulate_runs(const std::vector<const ComparedRun*>& runs, Measure measure);

}  // namespace tracefold
