// Finds which calls of two processes correspond: level by level of their call paths, and iteration
// by iteration of the main loop where both have the same one. On each level, the callees of a call
// are aligned by the names of their functions (align_sequences.hpp). Pure.
//
// Memory: 24 bytes for each call of a level, besides the trees.
#pragma once

#include "filters/comparison/function_names.hpp"
#include "model/comparison/call_alignment.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct AlignedSide {
  const ProcessCalls& tree;
  const std::vector<Function>& functions;
  double seconds_per_tick = 1e-9;
};

inline constexpr std::size_t most_costly_calls = 10;

// Leaves the names of the processes empty.
CallAlignment align_calls(const AlignedSide& a, const AlignedSide& b);

}  // namespace tracefold
