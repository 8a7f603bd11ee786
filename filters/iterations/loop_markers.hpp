// Loop markers: calls that may separate the iterations of a loop.
//
// A loop without a function of its own shows only as calls that come again and again:
//
//     init | read solve solve send | read solve solve send | read solve solve send | write
//
// `read` is called once in each iteration and so marks where one ends and the next begins;
// `send` would do as well. `solve` is called twice, but `solve` right behind `read` only
// once. A marker is therefore a symbol (see call_sequence.hpp), or a symbol that counts only
// behind another one. How well a marker splits the calls is decided in split_iterations.hpp.
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
  std::uint32_t before = any_symbol;  // the symbol that must come right before it
  std::uint32_t symbol = 0;

  bool operator==(const LoopMarker&) const = default;
};

// The markers whose calls are spread most evenly over most of the sequence, best first; at
// most 24.
std::vector<LoopMarker> choose_loop_markers(const CallSequence& sequence);

}  // namespace tracefold
