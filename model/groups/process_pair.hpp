// Two processes of a group that are worth a look side by side. Plain data.
//
// Source: structural VIII (pre-selection for alignment).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracefold {

struct ProcessPair {
  std::size_t first = 0, second = 0;  // indexes into plan.processes, ascending
  double similarity = 1;              // Jaccard, of their call pairs
  std::uint64_t difference = 0;       // ticks: Manhattan distance of their exclusive times
};

struct GroupPairs {
  std::uint32_t group = 0;
  std::optional<ProcessPair> least_similar;  // none where all are equal
  std::optional<ProcessPair>
      most_different;  // none in a group of one, or where all times are equal
};

}  // namespace tracefold
