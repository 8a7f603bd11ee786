#include "pipeline/events/iteration_cursor.hpp"

#include <utility>

namespace tracefold {

IterationCursor::IterationCursor(const ProcessLoops& loops) : taken_(loops.taken_from.has_value()) {
  for (const auto& loop : loops.loops) {
    const bool one_call = loop.source == LoopSource::asked || loop.source == LoopSource::marked;
    for (std::size_t k = 0; k < loop.iterations.size(); ++k)
      iterations_.push_back({loop.iterations[k], loop.begin_order(k), loop.end_order, one_call,
                             k == 0, k + 1 == loop.iterations.size()});
  }
}

std::size_t IterationCursor::begin_iteration(std::size_t iteration) {
  base_ = depth_;
  settled_ = true;
  next_ = iteration + 1;
  return iteration;
}

// Of the location's own loops: what is at the base follows the iteration until the next.
bool IterationCursor::goes_on() const {
  return place_ != outside && next_ < iterations_.size() && !iterations_[next_].first &&
         iterations_[next_].interval.begin == iterations_[place_].interval.end;
}

std::size_t IterationCursor::entered(std::uint64_t time) {
  if (taken_)
    return by_time(time);

  const std::pair now(time, order_);
  auto begun = outside;
  for (auto k = next_; k < iterations_.size() &&
                       now >= std::pair(iterations_[k].interval.begin, iterations_[k].order);
       ++k)
    begun = k;

  if (begun != outside)
    return begin_iteration(begun);
  if (goes_on() || (place_ != outside && now < std::pair(iterations_[place_].interval.end,
                                                         iterations_[place_].end_order)))
    return place_;

  settled_ = false;

  return outside;
}

std::size_t IterationCursor::seen(std::uint64_t time) {
  if (taken_)
    return by_time(time);
  if (place_ != outside && (time <= iterations_[place_].interval.end || goes_on()))
    return place_;
  settled_ = false;

  return outside;
}

std::size_t IterationCursor::left() {
  if (depth_ < base_) {
    base_ = depth_;
    settled_ = taken_ && settled_;
    return place_ = outside;
  }

  const auto in = place_;
  if (!taken_ && in != outside && iterations_[in].one_call) {
    place_ = outside;
    settled_ = false;
  }

  return in;
}

// Of loops of another location.
std::size_t IterationCursor::by_time(std::uint64_t time) {
  while (next_ < iterations_.size() &&
         (iterations_[next_].last ? time > iterations_[next_].interval.end
                                  : time >= iterations_[next_].interval.end)) {
    if (iterations_[next_].last)
      settled_ = false;
    ++next_;
  }

  if (next_ == iterations_.size() || time < iterations_[next_].interval.begin)
    return outside;
  if (!settled_)
    base_ = depth_;

  settled_ = true;

  return next_;
}

}  // namespace tracefold
