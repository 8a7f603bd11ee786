// The iterations of locations that make the same calls (call_hash.hpp). They begin and end at calls
// with the same numbers, counted from the first call of each location, but at other times. So only
// one of these locations has to be searched for loops.
//
// CountIterations finds the numbers of the calls in that location. CountedIterations follows the
// clean events of the others by these numbers, like IterationCursor by a location's own loops, and
// has the same functions.
//
// Call them once for each event, in order; one object for each location. Loops and counts must
// outlive it. Memory: 24 bytes for each iteration.
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/iterations/loops.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/iteration_cursor.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// The calls of an iteration: from `first` to before `end`; 0 is the location's first call.
struct CountedIteration {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  bool goes_on = false;  // lasts until the next one begins, also between calls
  bool is_one_call = false;

  bool operator==(const CountedIteration&) const = default;
};
auto list_members(Like<CountedIteration> auto& iteration) {
  return std::tie(iteration.first, iteration.end, iteration.goes_on, iteration.is_one_call);
}

// For all loops of a location.
using IterationCounts = std::vector<CountedIteration>;

// Whether calls determine the iterations of these loops: they are the location's own loops, and end
// with a call.
inline bool can_be_counted(const ProcessLoops& loops) {
  bool end_with_calls = true;
  for (const auto& loop : loops.loops)
    end_with_calls &= loop.source != LoopSource::asked_begin;
  return end_with_calls && !loops.taken_from;
}

// A sink of clean events.
class CountIterations {
 public:
  explicit CountIterations(const ProcessLoops& loops) : cursor_(loops) {
    for (const auto& loop : loops.loops)
      for (std::size_t i = 0; i < loop.iterations.size(); ++i)
        counts_.push_back(
            {0, 0, loop.is_found() && i + 1 < loop.iterations.size(), !loop.is_found()});
  }

  void enter(const CallBegin& call, std::span<const Attribute>) {
    const auto iteration = cursor_.enter(call);
    if (iteration != IterationCursor::outside && iteration >= next_) {
      skips_ |= iteration > next_;
      counts_[iteration].first = calls_;
      next_ = iteration + 1;
    }
    ++calls_;
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    const auto iteration = cursor_.leave(call);
    if (iteration != IterationCursor::outside && cursor_.open_calls() == cursor_.base())
      counts_[iteration].end = calls_;
  }
  void other(const Event& event) { cursor_.other(event.time); }
  void unknown(std::uint64_t time) { cursor_.other(time); }

  // Call after the last event. None if an iteration has no call of its own.
  IterationCounts take() && {
    if (skips_ || next_ < counts_.size())
      counts_.clear();
    return std::move(counts_);
  }

 private:
  IterationCursor cursor_;
  IterationCounts counts_;
  std::uint64_t calls_ = 0;
  std::size_t next_ = 0;
  bool skips_ = false;
};

class CountedIterations {
 public:
  static constexpr std::size_t outside = IterationCursor::outside;

  explicit CountedIterations(const IterationCounts& counts) : counts_(counts) {}

  [[gnu::always_inline]] std::size_t enter(const CallBegin& call) {
    if (depth_ == base_ || !in_loop_) [[unlikely]]
      place_ = place_enter(call.time);
    ++depth_;
    ++calls_;

    return place_;
  }
  [[gnu::always_inline]] std::size_t leave(const CallEnd& call) {
    --depth_;
    if (depth_ <= base_ && in_loop_) [[unlikely]]
      return place_leave(call.time);
    return place_;
  }
  [[gnu::always_inline]] std::size_t other(std::uint64_t time) {
    if ((depth_ == base_ || !in_loop_) && time > interval_.end) [[unlikely]] {
      in_loop_ = false;
      place_ = outside;
    }
    return place_;
  }

  bool in_loop() const { return in_loop_; }
  std::size_t open_calls() const { return depth_; }
  std::size_t base() const { return base_; }
  std::size_t iterations() const { return counts_.size(); }
  // The interval of an iteration, as far as it is known by now. Only for the iteration that began
  // last, or a later one.
  Interval interval(std::size_t iteration) const {
    assert(iteration + 1 >= next_);
    return iteration < next_ ? interval_ : Interval{unknown, unknown};
  }

 private:
  static constexpr auto unknown = ~std::uint64_t{0};

  std::size_t place_enter(std::uint64_t time) {
    if (next_ < counts_.size() && calls_ == counts_[next_].first) {
      base_ = depth_;
      in_loop_ = true;
      interval_ = {time, unknown};
      return next_++;
    }
    if (place_ != outside && calls_ < counts_[place_].end)
      return place_;

    in_loop_ = false;

    return outside;
  }
  std::size_t place_leave(std::uint64_t time) {
    if (depth_ < base_) {
      base_ = depth_;
      in_loop_ = false;
      place_ = outside;
      return outside;
    }

    const auto in = place_;
    if (in == outside || calls_ < counts_[in].end || counts_[in].goes_on)
      return in;

    interval_.end = time;
    if (counts_[in].is_one_call) {
      place_ = outside;
      in_loop_ = false;
    }

    return in;
  }

  const IterationCounts& counts_;        // by iteration, of all loops
  Interval interval_{unknown, unknown};  // of the iteration that began last
  std::size_t next_ = 0;                 // the next iteration to begin
  std::size_t place_ = outside;          // the iteration of the last event
  std::uint64_t calls_ = 0;              // number of calls so far
  std::size_t depth_ = 0;                // open calls
  std::size_t base_ = 0;                 // number of open calls around the iteration
  bool in_loop_ = false;
};

}  // namespace tracefold
