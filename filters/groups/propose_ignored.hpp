// Which functions to leave out of a comparison so that the concept lattice of its sets stays small.
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
  std::vector<std::string> names;  // with which Comparison::ignore leaves them out
  std::size_t nodes = 0;           // of the lattice without them
};

// Nodes of the lattice of a comparison; none: more than it may have.
using CountNodes = std::function<std::optional<std::size_t>(const Comparison&)>;

// The fewest of the functions that part the sets most, without which the lattice has few enough
// nodes: a function parts them more, the nearer to a half the sets are that have one of its calls.
// None where more than most_proposed_functions would have to go, or all of them.
std::optional<ProposedFunctions> propose_ignored(const Plan& plan, const Comparison& comparison,
                                                 const ComparedProcesses& compared,
                                                 const CountNodes& count_nodes);

}  // namespace tracefold
