// Loop markers: calls that may separate the iterations of a loop.
//
// A loop without a function of its own is visible only by calls that repeat:
//
//     init | read solve solve send | read solve solve send | read solve solve send | write
//
// `read` is called once in each iteration and so separates iterations; `send` would do as well.
// `solve` is called twice, but directly after `read` only once. So a marker is a symbol (see
// call_sequence.hpp), or a symbol that only counts directly after another one. split_iterations.hpp
// decides how well a marker splits the calls.
//
// Thread-safe, deterministic. Time and memory are linear in the number of calls.
//
// Source: dynamics 3.1 (iterations are passes of the main loop's body, found by their
// numbers of calls); the method is ours.
#pragma once

#include "filters/iterations/call_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

inline constexpr std::size_t fewest_iterations = 3;  // of a loop that is found

struct LoopMarker {
  std::uint32_t before = any_symbol;  // the symbol that must directly precede it
  std::uint32_t symbol = 0;

  bool operator==(const LoopMarker&) const = default;
};

// The markers whose calls are distributed most evenly over most of the sequence, the best first, at
// most 24.
std::vector<LoopMarker> choose_loop_markers(const CallSequence& sequence);

}  // namespace tracefold
