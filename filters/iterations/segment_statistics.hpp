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

// How much calls of one kind count where segments are compared: what an inner loop repeats is not
// as many different things to do.
double weigh_count(std::uint32_t count);

// How often segments have one symbol or pair, without the marker. Segments are numbered.
struct KindInSegments {
  std::uint32_t median = 0;           // times in the median segment, the lower of two
  std::uint32_t usual = 0;            // times in nearly all but the first one
  std::uint32_t largest = 0;          // the most times in any segment
  std::uint32_t segments = 0;         // that have it
  std::uint32_t first = 0, last = 0;  // segment that has it
};

// What segments usually hold.
struct TypicalSegment {
  std::vector<KindInSegments> kinds;  // by symbol or by pair
  std::uint64_t size = 0;             // sum of all medians
  double weight = 0;                  // of all medians where segments are compared

  const KindInSegments& operator[](std::size_t kind) const { return kinds[kind]; }
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

  // Whether a segment has most of what nearly all segments have.
  bool is_whole(std::size_t segment) const {
    return segments[segment].usual >= whole_from * usual_calls;
  }
};

// Compares the segments of one sequence, for one marker after the other. One thread at a time.
class SegmentComparer {
 public:
  // The sequence must stay.
  explicit SegmentComparer(const CallSequence& sequence);

  const CallSequence& sequence() const { return sequence_; }
  // `places` are those of the marker's calls in the sequence, ascending, at least two: one
  // segment less than places.
  SegmentStatistics compare(const std::vector<std::size_t>& places);

 private:
  // What each segment has of each symbol or pair, where it has any.
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
    // In the order in which the segment first has them.
    std::span<const One> of_segment(std::size_t segment) const {
      const auto first = segment == 0 ? 0 : ends_[segment - 1];
      return std::span(counts_).subspan(first, ends_[segment] - first);
    }
    TypicalSegment find_typical();

   private:
    std::vector<std::uint32_t> times_;    // by kind, in the segment at hand
    std::vector<std::uint32_t> seen_;     // there
    std::vector<One> counts_;             // segment by segment
    std::vector<std::size_t> ends_;       // there, by segment
    std::vector<std::uint32_t> by_kind_;  // the times of each kind, segment by segment
    std::vector<std::size_t> next_;       // there, by kind
  };

  ComparedSegment compare(std::size_t segment, const SegmentStatistics& statistics,
                          const std::vector<std::size_t>& places);

  const CallSequence& sequence_;
  Counts symbols_, pairs_;
  std::vector<double> work_;       // by symbol, in the segment at hand
  std::vector<bool> comes_again_;  // by symbol, in the segment at hand: in the same place behind
                                   // the last segment
  std::vector<bool> is_behind_;    // by pair: whether it is behind the last segment
};

// Ticks in a call of the sequence.
inline double get_ticks(const CallSequence& sequence, std::size_t place) {
  return static_cast<double>(sequence.calls[place].end - sequence.calls[place].begin);
}

}  // namespace tracefold
