// Which iterations of a loop another run has kept, and how to find this loop by names of functions.
// Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// When iterations have equal call trees. strong: the same call paths with the same numbers of
// visits; weak: the same call paths. merged: there were more weak classes than clusters, so
// iterations with different call paths may be in one cluster.
enum class CallTreeEquivalence : std::uint8_t { strong, weak, merged };

struct LoopRule {
  std::vector<std::string> path;       // the calls around the loop, the outermost first
  std::string function;                // the call that separates iterations
  std::size_t place = 0;               // among the loops with these names, in their order, from 0
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;

  bool operator==(const LoopRule&) const = default;
};

}  // namespace tracefold
