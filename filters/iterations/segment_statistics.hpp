// What the segments between the calls of a marker have in common.
//
// A segment is the calls after one call of the marker and before the next one. The calls that at
// least half of the segments make are typical; they are the body of the loop, if there is a loop.
// Each segment is compared with them. A segment may make further calls, such as an iteration that
// writes a checkpoint; but calls that no other segment makes, nor the part behind the last segment,
// suggest that it is no iteration.
//
// The order of calls counts as much as the calls themselves: pairs of a call and its predecessor
// are compared in the same way.
//
// Time and memory are linear in the number of calls.
//
// Source: the method is ours.
#pragma once

#include "filters/iterations/call_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The weight of `count` equal calls when segments are compared. Repetitions in an inner loop weigh
// less than different calls.
double weigh_count(std::uint32_t count);

// How often segments have one symbol or pair, without the marker. Segments are numbered.
struct KindInSegments {
  std::uint32_t median = 0;           // number in the median segment, the lower of two
  std::uint32_t usual = 0;            // number in nearly all segments but the first one
  std::uint32_t largest = 0;          // largest number in any segment
  std::uint32_t segments = 0;         // number of segments that have it
  std::uint32_t first = 0, last = 0;  // first and last segment that have it
};

// What segments typically have.
struct TypicalSegment {
  std::vector<KindInSegments> kinds;  // by symbol or by pair
  std::uint64_t size = 0;             // sum of all medians
  double weight = 0;                  // of all medians, as in comparisons

  const KindInSegments& operator[](std::size_t kind) const { return kinds[kind]; }
};

// One segment, with its marker call, compared with the typical one.
struct ComparedSegment {
  double in_both = 0;          // weight of calls and pairs in it and in the typical one
  double in_either = 0;        // weight of calls and pairs in one of the two
  double usual = 0;            // weight of the calls in nearly all segments and in it
  double work = 0;             // of its calls
  double typical_work = 0;     // part of it in typical calls
  double own_work = 0;         // part of it in its own calls
  bool has_own_calls = false;  // calls that are in no other segment, nor behind the last one

  double compute_similarity() const { return in_both / in_either; }
};

struct SegmentStatistics {
  // A segment is whole if it has this share of what nearly all segments have.
  static constexpr double whole_from = 0.9;

  TypicalSegment symbols, pairs;
  double usual_calls = 0;  // weight of the calls of nearly all segments, and the marker
  std::vector<ComparedSegment> segments;

  // Whether a segment has most of what nearly all segments have.
  bool is_whole(std::size_t segment) const {
    return segments[segment].usual >= whole_from * usual_calls;
  }
};

// Compares the segments of one sequence, for one marker after the other. One thread at a time.
class SegmentComparer {
 public:
  // The sequence must outlive this.
  explicit SegmentComparer(const CallSequence& sequence);

  const CallSequence& sequence() const { return sequence_; }
  // `places` are the ascending indexes of the marker's calls, at least two. There is one segment
  // less than places.
  SegmentStatistics compare(const std::vector<std::size_t>& places);

 private:
  // How often each segment has each symbol or pair.
  class Counts {
   public:
    explicit Counts(std::size_t kinds) : times_(kinds) {}

    struct One {
      std::uint32_t kind, times;
    };

    void begin(std::size_t segments);
    void add(std::uint32_t kind) {
      if (times_[kind]++ == 0)
        seen_.push_back(kind);
    }
    void end_segment();

    std::size_t segments() const { return ends_.size(); }
    // In the order in which they first occur in the segment.
    std::span<const One> of_segment(std::size_t segment) const {
      const auto first = segment == 0 ? 0 : ends_[segment - 1];
      return std::span(counts_).subspan(first, ends_[segment] - first);
    }
    TypicalSegment find_typical();

   private:
    std::vector<std::uint32_t> times_;    // by kind, in the current segment
    std::vector<std::uint32_t> seen_;     // kinds in it
    std::vector<One> counts_;             // segment by segment
    std::vector<std::size_t> ends_;       // end of each segment in it
    std::vector<std::uint32_t> by_kind_;  // by kind and segment: the numbers
    std::vector<std::size_t> next_;       // by kind: position in it
  };

  ComparedSegment compare(std::size_t segment, const SegmentStatistics& statistics,
                          const std::vector<std::size_t>& places);

  const CallSequence& sequence_;
  Counts symbols_, pairs_;
  std::vector<double> work_;       // by symbol, in the current segment
  std::vector<bool> comes_again_;  // by symbol, in the current segment: also at this place behind
                                   // the last segment
  std::vector<bool> is_behind_;    // by pair: whether it is behind the last segment
};

// The duration of a call of the sequence, in ticks.
inline double get_ticks(const CallSequence& sequence, std::size_t place) {
  return static_cast<double>(sequence.calls[place].end - sequence.calls[place].begin);
}

}  // namespace tracefold
