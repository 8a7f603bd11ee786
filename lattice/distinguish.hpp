// Finds the fewest attributes that distinguish groups of sets.
//
// An attribute distinguishes a group from another set in one of two ways: all sets of the group
// have it and the other one does not, or no set of the group has it and the other one does. A
// choice of attributes distinguishes a group if every set of other groups differs in at least one
// of them.
//
// This is the problem of the smallest set cover. The greedy choice (always the attribute that
// leaves the fewest sets) has at most 1 + ln(sets) times as many attributes as necessary. One or
// two of them are always the fewest; with more, all choices are searched within a limit of steps,
// and Distinction::is_proven says whether the search was completed. Where there are very many large
// sets, the greedy choice looks only at some of them, evenly spread. In total it takes O(groups ·
// (sets + attributes of a set) + most_steps).
//
// Pure. Source: the greedy cover and its bound: Chvátal, A greedy heuristic for the set-covering
// problem, 1979.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::lattice {

// All sets of a group have the attribute, or, if `is_lacking`, none of them has.
struct Literal {
  std::uint32_t attribute = 0;
  bool is_lacking = false;

  bool operator==(const Literal&) const = default;
};

struct GroupedSets {
  // Attributes are numbers from 0 on, ascending. Of two that distinguish equally many sets, one
  // that the group has is preferred to one that it lacks, then the lower one.
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::vector<std::size_t>> groups;  // indexes of sets; each set is in one group
  std::vector<bool> may_lack;  // by attribute: whether a group may be distinguished by lacking it
};

struct Distinction {
  std::vector<Literal> fewest;  // the most distinguishing first
  bool is_proven = true;        // no smaller choice distinguishes the group
  std::vector<Literal> alone;   // attributes that distinguish the group on their own
  std::vector<Literal> others;  // the fewest without those in `alone`; empty where there are none
  std::vector<std::size_t> alike;  // groups with a set that fits all of `fewest`, ascending
};

// The limit of steps for proofs, for all groups together.
inline constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;
// `others` is searched for in this number of groups at most.
inline constexpr std::size_t most_groups_with_others = 1024;

// Returns the distinction of each group.
std::vector<Distinction> distinguish(const GroupedSets& grouped, std::uint64_t steps = most_steps);

}  // namespace tracefold::lattice
