// Pairs the groups of two runs. Each group is paired with the one whose set of call pairs is most
// similar, so that the sum over all pairs, weighted by members, is largest. Equal sets are paired
// first, then groups with the same name and similar sets. Names and ranks decide between equally
// good pairs. Pure.
//
// Source: structural V (Jaccard similarity), VII (subsumption).
#pragma once

#include "filters/comparison/common_calls.hpp"
#include "filters/comparison/differences.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

struct PairedGroups {
  std::optional<std::size_t> a, b;  // groups of the plans; at least one of them
  double similarity = 0, subsumption = 0;
};

using ClassPairs = std::vector<std::pair<ClassIndex, ClassIndex>>;  // ascending

// The properties by which groups are paired.
struct GroupFacts {
  ClassPairs pairs;                  // distinct pairs that any of its processes calls
  std::string kind;                  // only groups of the same kind are paired
  double share = 0;                  // of the processes of its run
  std::string name;                  // for people
  std::vector<std::uint64_t> ranks;  // ascending
};

// Returns only similarity and subsumption.
PairedGroups measure_similarity(const GroupFacts& a, const GroupFacts& b);
// Decides between equally similar groups by names and ranks: from 0 to 1.5.
double measure_place(const GroupFacts& a, const GroupFacts& b);

// Less similar groups are not paired.
inline constexpr double least_similarity = 0.3;

// Replaces the groups of the r-th run: processes whose calls are the same nodes are one.
void group_by_nodes(ComparedRun& run, const CommonCalls& calls, std::size_t r);

// Pairs in the order of the first run's groups, followed by groups of the second run only. The
// plans of both runs must have groups.
std::vector<PairedGroups> pair_groups(const ComparedRun& a, const ComparedRun& b,
                                      const CommonCalls& calls);

// The same for given properties of groups.
std::vector<PairedGroups> pair_groups(std::vector<GroupFacts> a, std::vector<GroupFacts> b);

// Identifies a process in any run of the program: whether it has a rank, the rank or location
// group, and the thread.
using ProcessPlace = std::tuple<bool, std::uint64_t, std::uint64_t>;
ProcessPlace find_process_place(const Process& process);

// Pairs processes by place where both runs have the same places; otherwise by order, where their
// numbers are equal.
PairedProcesses pair_processes(const Plan& a, std::vector<std::size_t> of_a, const Plan& b,
                               std::vector<std::size_t> of_b);

}  // namespace tracefold
