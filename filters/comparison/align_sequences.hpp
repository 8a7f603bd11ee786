// The longest common subsequence of two sequences of numbers. Pure.
//
// Time and memory depend on the number D of differences: O(N D) steps and O(D²) numbers, up to
// most_sequence_differences. With more, it continues greedily from the best point: each time to the
// nearest equal pair within a few hundred elements. The result says so.
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
      common;           // pairs of corresponding places, ascending
  bool is_cut = false;  // true: there may be more in common
};

SequenceAlignment align_sequences(std::span<const std::uint32_t> a,
                                  std::span<const std::uint32_t> b);

}  // namespace tracefold
