// What the segments of a call sequence between the calls of a marker have in common.
//
// A segment holds the calls behind one call of the marker and before the next one. The calls
// that at least half of the segments make are the typical ones: the body of the loop, if
// there is one. Each segment is compared with them. Segments may make more calls than that,
// as an iteration does that writes a checkpoint; calls that no other segment makes are a sign
// that the segment is no iteration.
//
// The neighbourhood of calls counts as much as the calls: pairs of a call and the one before
// it are compared in the same way.
//
// Time and memory are linear in the number of calls. Immutable once made.
//
// Source: the method is ours.
#pragma once

#include "filters/iterations/call_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// What segments usually hold, by symbol or by pair, without the marker.
struct TypicalSegment {
  std::vector<std::uint32_t> median;    // how often the median segment has it
  std::vector<std::uint32_t> largest;   // the most that any segment has
  std::vector<std::uint32_t> segments;  // number of segments that have it
  std::vector<std::size_t> first;       // segment that has it
  std::vector<std::size_t> last;        // segment that has it
  std::uint64_t size = 0;               // sum of all medians

  explicit TypicalSegment(std::size_t kinds = 0)
      : median(kinds), largest(kinds), segments(kinds), first(kinds), last(kinds) {}
};

// One segment compared with the typical one. Its marker call counts.
struct ComparedSegment {
  double similarity = 0;       // from 0 to 1: what both have, of what either has
  double completeness = 0;     // from 0 to 1: share of the typical calls that it makes
  bool has_own_calls = false;  // that no other segment makes
  double ticks = 0;            // in calls
  double typical_ticks = 0;    // of these, in typical calls
};

struct SegmentStatistics {
  TypicalSegment symbols, pairs;
  std::vector<ComparedSegment> segments;

  SegmentStatistics() = default;
  // `places` are those of the marker's calls in the sequence, ascending, at least two: one
  // segment less than places.
  SegmentStatistics(const CallSequence& sequence, const std::vector<std::size_t>& places);
};

// Ticks in a call of the sequence.
inline double get_ticks(const CallSequence& sequence, std::size_t place) {
  return static_cast<double>(sequence.calls[place].end - sequence.calls[place].begin);
}

}  // namespace tracefold
