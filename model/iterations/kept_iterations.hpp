// Which iterations of a loop stay, and which of them stand for the others. Plain data.
//
// Source: dynamics 4.1 (clusters of iterations, classes of call trees).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Iterations with the same call paths: strong, each visited as often; weak, however often.
enum class CallTreeEquivalence : std::uint8_t { strong, weak };

struct KeptIterations {
  std::vector<std::uint32_t> kept;     // iterations, ascending
  std::vector<std::uint64_t> counts;   // by kept iteration: how many it stands for, itself included
  std::vector<std::uint32_t> kept_of;  // by iteration: index into `kept` of what stands for it
  std::vector<std::uint32_t> cluster_of;  // by iteration: its cluster, numbered by first iterations
  std::size_t clusters = 0;
  std::size_t excess =
      0;  // clusters above those that were wanted, because there are as many classes
  std::size_t classes = 0;
  CallTreeEquivalence equivalence = CallTreeEquivalence::strong;
};

}  // namespace tracefold
