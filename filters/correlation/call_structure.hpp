// What ranks call, as views of 0 and 1: whether a rank makes a call pair, and whether it is below a
// node of the lattice, which is to make all calls that some rank makes. Threads count as their
// rank, since what sets them apart is known.
//
// What all or all but one of the ranks have is left out, and what one or none has: one rank shows
// nothing of what goes with calls. What says the same of each rank counts once, also where it says
// it the other way around; call pairs come first. There are no nodes where ranks make calls in more
// than `most_sets` different sets. Pure.
//
// Sources: frequency 2 (views); structural V (call pairs), concepts below a node.
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

struct Plan;

struct CallStructure {
  std::optional<CallPair> pair;  // none: a node of the lattice
  std::size_t process = 0;       // of a node: an index of the plan, of one that makes its calls
  std::vector<bool> has;         // by member
  std::size_t ranks = 0;         // that have it
  std::size_t same = 0;          // other call pairs that the same ranks make
};

inline constexpr std::size_t most_sets = 2048;

// `members` are indexes of processes of the plan, which has their intents.
std::vector<CallStructure> list_call_structure(const Plan& plan,
                                               const std::vector<std::size_t>& members);

}  // namespace tracefold
