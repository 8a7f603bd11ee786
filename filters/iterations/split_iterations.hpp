// Splits a call sequence into the iterations of a loop, at the calls of a marker.
//
//     calls      i  A b b c  A b b c  A b b k c  A b b c  A b  e e
//     marker        A        A        A          A        A
//     segments        b b c    b b c    b b k c    b b c         typical: b b c
//     loop         [A b b c][A b b c][A b b k c][A b b c]
//
// Each segment (the calls between two calls of the marker) is compared with what segments have in
// common (segment_statistics.hpp). The loop is the run of the most similar segments. A segment with
// calls of its own ends the loop if only few segments follow, which are set-up or tear-down. Or it
// separates two loops, if the segments before and behind it differ; then the longer loop is taken.
// A first segment without the calls of nearly all others is set-up, too. Complete passes of the
// body that were cut off before the loop are warm-up.
//
// An iteration begins with its marker call, or directly behind the marker call before, or in
// between: the calls before the first marker and behind the last one decide. In the example, `A b`
// at the end is less than half an iteration, so iterations begin with A, and the last A is left
// out. In a sequence that begins with `b c A b b c A`, the missing half is before the first A, so
// iterations begin with `b c A b`. If at least half of the body follows the last marker, that is an
// iteration that ended early.
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
  std::vector<std::size_t> begins;  // of iterations, as ascending places in the sequence
  std::size_t end = 0;              // behind the last call of the last iteration
  // The symbol that each iteration has once and that takes half of the time; any_symbol: none.
  std::uint32_t dominant = any_symbol;
  std::uint64_t calls = 0;    // of a typical iteration
  std::size_t kinds = 0;      // of symbols in a typical iteration
  double similarity = 0;      // from 0 to 1: of segments to the typical one, over all calls
  double explained = 0;       // share of the work in calls that several segments make
  double strict = 0;          // share of the work in typical calls
  double work = 0;            // mean of its shares of the sequence's time and calls
  double dominant_share = 0;  // share of the time in the dominant symbol
  std::uint64_t ticks = 0;    // from the begin of the first call to the end of the last one
  std::uint64_t subcalls = 0;
  std::uint64_t fewest_subcalls = 0;  // of an iteration
  std::size_t whole = 0;              // number of iterations with most of what nearly all make
  std::size_t warm_up = 0;       // passes of the same body before the loop that do not belong to it
  bool is_cut = false;           // segments before the loop were cut off
  bool has_part_beside = false;  // a neighbour looks like a part of an iteration
  bool is_partial = false;       // the last iteration ended early
  bool is_dominated = false;     // one iteration has about half of the work or more

  // The quality of the loop, relative to others of the same sequence.
  double get_worth() const { return work * similarity; }
  double get_score() const { return get_worth() * strict / (is_dominated ? 2 : 1); }
  std::size_t size() const { return end - begins.front(); }  // in calls
};

// Splits the comparer's sequence. None for fewer than three iterations.
std::optional<LoopSplit> split_by_marker(SegmentComparer& comparer, const LoopMarker& marker);

// The place behind the last call of a loop whose iterations begin at `begins` (at least two
// ascending places). The last iteration has the calls that the others make, in their order.
std::size_t find_loop_end(const CallSequence& sequence, std::vector<std::size_t> begins);

}  // namespace tracefold
