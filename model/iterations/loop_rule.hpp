// Which iterations of a loop another run has kept, and how the same loop is told here: by the names
// of functions. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// Iterations with the same call paths: strong, each visited as often; weak, however often. Merged:
// there were more weak classes than clusters, so that iterations with other call paths may be in
// one cluster.
enum class CallTreeEquivalence : std::uint8_t { strong, weak, merged };

struct LoopRule {
  std::vector<std::string> path;       // the open calls around it, from the outermost on
  std::string function;                // where iterations part
  std::size_t place = 0;               // among the loops of these names, from 0, by their begin
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;

  bool operator==(const LoopRule&) const = default;
};

}  // namespace tracefold
