// Proposes functions to ignore in a comparison so that the concept lattice becomes small enough.
// Pure.
//
// Source: thesis 4.2.3 (lattices that explode since few functions part the processes in all ways).
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ComparedProcesses;
struct Comparison;
struct Plan;

inline constexpr std::size_t most_proposed_functions = 8;

struct ProposedFunctions {
  std::vector<std::string> names;  // as patterns for Comparison::ignore
  std::size_t nodes = 0;           // of the lattice without these functions
};

// Counts the nodes of the lattice of a comparison; none: more than allowed.
using CountNodes = std::function<std::optional<std::size_t>(const Comparison&)>;

// The fewest functions without which the lattice is small enough, among those that split the sets
// most: those whose calls are in nearly half of the sets. None if more than most_proposed_functions
// or all functions would be necessary.
std::optional<ProposedFunctions> propose_ignored(const Plan& plan, const Comparison& comparison,
                                                 const ComparedProcesses& compared,
                                                 const CountNodes& count_nodes);

}  // namespace tracefold
