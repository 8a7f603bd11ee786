// What the segments of a call sequence between the calls of a marker have in common.
//
// A segment holds the calls behind one call of the marker and before the next one. The calls
// that at least half of the segments make are the typical ones: the body of the loop, if
// there is one. Each segment is compared with them. Segments may make more calls than that,
// as an iteration does that writes a checkpoint; calls that are made in no other segment, nor
// behind the last one, are a sign that the segment is no iteration.
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

// How much calls of one kind count where segments are compared: what an inner loop repeats is not
// as many different things to do.
double weigh_count(std::uint32_t count);

// What segments usually hold, by symbol or by pair, without the marker.
struct TypicalSegment {
  std::vector<std::uint32_t> median;    // how often the median segment has it, the lower of two
  std::vector<std::uint32_t> usual;     // how often nearly all but the first one have it
  std::vector<std::uint32_t> largest;   // the most that any segment has
  std::vector<std::uint32_t> segments;  // number of segments that have it
  std::vector<std::size_t> first;       // segment that has it
  std::vector<std::size_t> last;        // segment that has it
  std::uint64_t size = 0;               // sum of all medians
  double weight = 0;                    // of all medians where segments are compared

  explicit TypicalSegment(std::size_t kinds = 0)
      : median(kinds), usual(kinds), largest(kinds), segments(kinds), first(kinds), last(kinds) {}
};

// One segment compared with the typical one. Its marker call counts.
struct ComparedSegment {
  double in_both = 0;          // weight of calls and pairs that it and the typical one have
  double in_either = 0;        // weight of calls and pairs that one of them has
  double usual = 0;            // weight of the calls that nearly all make, and it, too
  double work = 0;             // of its calls
  double typical_work = 0;     // of these, of typical calls
  double own_work = 0;         // of these, of own calls
  bool has_own_calls = false;  // that are made in no other segment, nor behind the last one

  double compute_similarity() const { return in_both / in_either; }
};

struct SegmentStatistics {
  // Share of what nearly all segments have that makes a segment whole.
  static constexpr double whole_from = 0.9;

  TypicalSegment symbols, pairs;
  double usual_calls = 0;  // weight of the calls that nearly all segments make, and the marker
  std::vector<ComparedSegment> segments;

  SegmentStatistics() = default;
  // `places` are those of the marker's calls in the sequence, ascending, at least two: one
  // segment less than places.
  SegmentStatistics(const CallSequence& sequence, const std::vector<std::size_t>& places);

  // Whether a segment has most of what nearly all segments have.
  bool is_whole(std::size_t segment) const {
    return segments[segment].usual >= whole_from * usual_calls;
  }
};

// Ticks in a call of the sequence.
inline double get_ticks(const CallSequence& sequence, std::size_t place) {
  return static_cast<double>(sequence.calls[place].end - sequence.calls[place].begin);
}

}  // namespace tracefold
