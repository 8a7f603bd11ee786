// The longest common subsequence of two sequences of numbers. Pure.
//
// Takes time and memory by how much differs: O(N D) steps and O(D²) numbers for D differences, at
// most most_sequence_differences. Beyond that it goes greedily on from where most was common: each
// time to the nearest two that are equal, of a few hundred elements. That is told.
//
// Source: Myers (1986).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

inline constexpr std::size_t most_sequence_differences = 1500;

struct SequenceAlignment {
  std::vector<std::pair<std::size_t, std::size_t>>
      common;           // places that belong together, ascending
  bool is_cut = false;  // there may be more in common
};

SequenceAlignment align_sequences(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b);

}  // namespace tracefold
