// The fewest attributes that tell groups of sets from each other.
//
// An attribute tells a group from another set in two ways: all sets of the group have it and the
// other one has not, or none of the group's sets has it and the other one has. Some of these tell a
// group from all sets of other groups when no other set fits all of them.
//
// To find the fewest is the problem of the smallest set cover. What is found greedily (always the
// attribute next that leaves the fewest sets) has at most 1 + ln(sets) times as many as needed.
// Where that are one or two they are the fewest; where there are more, all choices are searched as
// long as that takes no more steps than a bound, and Distinction::is_proven says whether it did.
// Where there are very many large sets the greedy choice counts in some of them only, evenly
// spread. All of it takes O(groups · (sets + attributes of a set) + most_steps).
//
// Pure. Source: the greedy cover and its bound: Chvátal, A greedy heuristic for the set-covering
// problem, 1979.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::lattice {

// All sets of a group have the attribute, or all lack it.
struct Literal {
  std::uint32_t attribute = 0;
  bool is_lacking = false;

  bool operator==(const Literal&) const = default;
};

struct GroupedSets {
  // Attributes from 0 on, ascending. Of two that tell as much, one that is there is taken before
  // one that is lacking, then the lower one.
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::vector<std::size_t>> groups;  // which sets; each set is in one group
  std::vector<bool> may_lack;  // by attribute: whether lacking it may tell groups apart
};

struct Distinction {
  std::vector<Literal> fewest;     // the more telling first
  bool is_proven = true;           // that fewer do not do
  std::vector<Literal> alone;      // each that does by itself
  std::vector<Literal> others;     // the fewest without these; empty where these do not do
  std::vector<std::size_t> alike;  // groups with a set that fits all of `fewest`, ascending
};

// Work that may be spent on proofs, for all groups together.
inline constexpr std::uint64_t most_steps = std::uint64_t{1} << 26;
// In so many groups others are looked for besides those that do alone.
inline constexpr std::size_t most_groups_with_others = 1024;

// For each group.
std::vector<Distinction> distinguish(const GroupedSets& grouped, std::uint64_t steps = most_steps);

}  // namespace tracefold::lattice
