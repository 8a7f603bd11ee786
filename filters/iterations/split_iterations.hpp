// Splits a call sequence into the iterations of a loop, at the calls of a marker.
//
//     calls      i  A b b c  A b b c  A b b k c  A b b c  A b  e e
//     marker        A        A        A          A        A
//     segments        b b c    b b c    b b k c    b b c         typical: b b c
//     loop         [A b b c][A b b c][A b b k c][A b b c]
//
// Each segment (the calls between two calls of the marker) is compared with what segments
// have in common (segment_statistics.hpp). The loop is the run of segments that are most alike.
// One with calls that no other segment makes ends the loop if few segments are beyond it,
// which are then set-up or tear-down; or it separates two loops, if what comes before differs
// from what comes behind, and the longer loop counts.
//
// An iteration begins with its marker call, or right behind the one before, or in between:
// the calls before the first marker and behind the last one decide. Above, `A b` at the end
// is no whole iteration, so that iterations begin with A and the last A is left out. If
// the sequence began with `b b c A b b c A`, iterations would begin behind A.
//
// Time and memory are linear in the number of calls. Thread-safe, deterministic.
//
// Source: dynamics 3.1 (iterations are passes of the main loop's body); the method is ours.
#pragma once

#include "filters/iterations/loop_markers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

struct LoopSplit {
  LoopMarker marker;
  std::vector<std::size_t> begins;  // of iterations, as places in the sequence, ascending
  std::size_t end = 0;              // behind the last call of the last iteration
  // The symbol that each iteration has once and that takes half of the time; any_symbol: none.
  std::uint32_t dominant = any_symbol;
  std::uint64_t calls = 0;  // of a typical iteration
  double similarity = 0;    // from 0 to 1: of segments to the typical one, mean
  double explained = 0;     // from 0 to 1: share of the time in calls that are typical
  std::uint64_t ticks = 0;  // from the first call's begin to the last one's end

  std::size_t size() const { return end - begins.front(); }  // in calls
};

// None if there are fewer than four iterations.
std::optional<LoopSplit> split_by_marker(const CallSequence& sequence, const LoopMarker& marker);

}  // namespace tracefold
