// Splits a call sequence into the iterations of a loop, at the calls of a marker.
//
//     calls      i  A b b c  A b b c  A b b k c  A b b c  A b  e e
//     marker        A        A        A          A        A
//     segments        b b c    b b c    b b k c    b b c         typical: b b c
//     loop         [A b b c][A b b c][A b b k c][A b b c]
//
// Each segment (the calls between two calls of the marker) is compared with what segments
// have in common (segment_statistics.hpp). The loop is the run of segments that are most alike.
// One with calls that nothing else has ends the loop if few segments are beyond it, which are
// then set-up or tear-down; or it separates two loops, if what comes before differs from what
// comes behind, and the longer loop counts. A first segment that lacks what nearly all others
// have is set-up, too. Whole passes of the body that were cut off before the loop are warm-up.
//
// An iteration begins with its marker call, or right behind the one before, or in between:
// the calls before the first marker and behind the last one decide. Above, `A b` at the end
// is less than half an iteration, so that iterations begin with A and the last A is left out. If
// the sequence began with `b c A b b c A`, the missing half would be found before the first A,
// and iterations would begin with `b c A b`. From half a body on, what is behind the last marker
// is an iteration that ended early.
//
// Time and memory are linear in the number of calls. Deterministic. One thread for each comparer.
//
// Source: dynamics 3.1 (iterations are passes of the main loop's body); the method is ours.
#pragma once

#include "filters/iterations/loop_markers.hpp"
#include "filters/iterations/segment_statistics.hpp"

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
  std::uint64_t calls = 0;    // of a typical iteration
  std::size_t kinds = 0;      // of symbols in a typical iteration
  double similarity = 0;      // from 0 to 1: of segments to the typical one, over all their calls
  double explained = 0;       // share of the work in calls that several segments make
  double strict = 0;          // share of the work in calls that are typical
  double work = 0;            // share of the sequence's time and of its calls, mean of both
  double dominant_share = 0;  // of the time: of the dominant symbol
  std::uint64_t ticks = 0;    // from the first call's begin to the last one's end
  std::uint64_t subcalls = 0;
  std::size_t whole = 0;         // iterations that make most of what nearly all make
  std::size_t warm_up = 0;       // passes of the same body before the loop that are not in it
  bool is_cut = false;           // segments before the loop were cut off
  bool has_part_beside = false;  // what is right beside it looks like a part of an iteration
  bool is_partial = false;       // the last iteration ended early
  bool is_dominated = false;     // one iteration takes more than half of the work, or nearly so

  // How good a loop this is, relative to others of the same sequence.
  double get_worth() const { return work * similarity; }
  double get_score() const { return get_worth() * strict / (is_dominated ? 2 : 1); }
  std::size_t size() const { return end - begins.front(); }  // in calls
};

// Splits the comparer's sequence. None if there are fewer than three iterations.
std::optional<LoopSplit> split_by_marker(SegmentComparer& comparer, const LoopMarker& marker);

// Behind the last call of the loop whose iterations begin at `begins`, at least two places of the
// sequence, ascending: the last iteration holds calls that those before it make, in their order.
std::size_t find_loop_end(const CallSequence& sequence, std::vector<std::size_t> begins);

}  // namespace tracefold
