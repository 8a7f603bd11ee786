// Which group of one run is which of another one: each with the one whose set of call pairs is the
// most similar, so that the sum over all pairs, weighted by members, is largest. Equal sets come
// first, then groups of the same name whose sets are much alike. Where several fit as well, names
// and ranks decide. Pure.
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
  std::optional<std::size_t> a, b;  // groups of the plans; one at least
  double similarity = 0, subsumption = 0;
};

using ClassPairs = std::vector<std::pair<ClassIndex, ClassIndex>>;  // ascending

// What a group is told by.
struct GroupFacts {
  ClassPairs pairs;                  // that any of its processes calls, without repetitions
  std::string kind;                  // only groups of one kind are partners
  double share = 0;                  // of the processes of its run
  std::string name;                  // as people are shown it
  std::vector<std::uint64_t> ranks;  // ascending
};

// Without what says which groups these are: only how alike they are.
PairedGroups measure_similarity(const GroupFacts& a, const GroupFacts& b);
// What decides between groups that are as similar, their names and ranks: from 0 to 1.5.
double measure_place(const GroupFacts& a, const GroupFacts& b);

// Groups that are less similar are no partners.
inline constexpr double least_similarity = 0.3;

// Pairs in the order of the first run's groups, then what only the second one has. `calls` is of
// both runs, whose plans have groups.
std::vector<PairedGroups> pair_groups(const ComparedRun& a, const ComparedRun& b,
                                      const CommonCalls& calls);

// The same of groups by what they are told by.
std::vector<PairedGroups> pair_groups(std::vector<GroupFacts> a, std::vector<GroupFacts> b);

// What tells a process apart in any run of the program: whether it has a rank, the rank or else its
// location group, and its thread.
using ProcessPlace = std::tuple<bool, std::uint64_t, std::uint64_t>;
ProcessPlace find_process_place(const Process& process);

// By place where both have the same ones, or else in their order where they are as many.
PairedProcesses pair_processes(const Plan& a, std::vector<std::size_t> of_a, const Plan& b,
                               std::vector<std::size_t> of_b);

}  // namespace tracefold
