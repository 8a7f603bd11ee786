// compare: takes two runs of a program, and returns their differences. Pure.
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

// Two runs with everything that is needed to compare them and to find a cause.
struct JoinedRuns {
  const ComparedRun& a;
  const ComparedRun& b;
  CommonCalls calls;
  std::vector<PairedGroups> groups;
  PairedProcesses processes;            // all processes of both runs
  std::array<AmountTable, 2> by_class;  // by run and function
  Noise noise;
  bool knows_spread = true;

  const ComparedRun& run(std::size_t r) const { return r == 0 ? a : b; }
  // False where clocks do not fit: then nobody knows for how long processes wait for each other.
  bool knows_waiting() const { return a.early_messages.are_few() && b.early_messages.are_few(); }
  PartnerValues list_values(const std::vector<MemberAmounts>& of_a,
                            const std::vector<MemberAmounts>& of_b, const PairedProcesses& among,
                            Measure measure) const;
  PartnerValues list_class_values(ClassIndex of, Measure measure) const;
};

// Where one of them is recorded with less detail, groups the processes of both anew by what both
// record, so that groups have partners.
void group_by_common_detail(ComparedRun& a, ComparedRun& b);

// Where too few processes tell a spread, so many percent count as noise; 5 without them.
JoinedRuns join_runs(const ComparedRun& a, const ComparedRun& b,
                     std::optional<double> percent = {});

// Chooses the processes and the function that show the difference between iterations best. They are
// the processes of the group with the largest change whose times changed in the same direction;
// without changes or partners, those of the largest group. They must make the same number of calls
// in each call path as the first one, which changed most. Of many processes an even sample is
// taken. Indexes refer to the plans.
struct IterationChoice {
  std::vector<std::size_t> a, b;  // never empty; partners have equal places
  std::optional<ClassIndex> function;
  std::size_t group = 0;       // of the first run
  std::size_t candidates = 0;  // processes of the first run before sampling
};
inline constexpr std::size_t most_iteration_processes = 8;
std::optional<IterationChoice> choose_iterations(const JoinedRuns& runs);

// Compares everything but headline and findings, which find_cause() adds. Rows are sorted by the
// largest difference in `measure`.
RunComparison compare_runs(const JoinedRuns& runs, Measure measure);

// What has grown by more than so many percent: "the run", and functions that take at least a
// hundredth of the time of all processes or of a group, per process that calls them, beyond the
// spread.
std::vector<std::string> list_grown(const RunComparison& runs, double percent);

// Marks the iterations that are slower or faster than the spread of all of them explains.
void mark_iterations(ComparedIterations& iterations, const Noise& noise);

// Compares two sets of processes of one run, as one pair without partners.
RunComparison compare_processes(const ComparedRun& run, const ComparedGroup& a,
                                const std::vector<std::size_t>& of_a, const ComparedGroup& b,
                                const std::vector<std::size_t>& of_b, Measure measure);

// Totals by function for any number of runs, and how call paths grow with the number of ranks.
// `scaling`: none: as work tells.
RunTable tabulate_runs(const std::vector<const ComparedRun*>& runs, Measure measure,
                       std::optional<Scaling> scaling = {});

}  // namespace tracefold
