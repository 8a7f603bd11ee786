#include "pipeline/events/iteration_cursor.hpp"

#include <utility>

namespace tracefold {

IterationCursor::IterationCursor(const ProcessLoops& loops)
    : is_taken_(loops.taken_from.has_value()) {
  for (const auto& loop : loops.loops) {
    for (std::size_t k = 0; k < loop.iterations.size(); ++k)
      iterations_.push_back({loop.iterations[k], loop.begin_order(k), loop.end_order,
                             loop.is_of_single_calls(), k == 0, k + 1 == loop.iterations.size()});
  }
}

std::size_t IterationCursor::begin_iteration(std::size_t iteration) {
  base_ = depth_;
  in_loop_ = true;
  next_ = iteration + 1;
  return iteration;
}

// For the location's own loops: what is at the base belongs to the iteration until the next
// one begins.
bool IterationCursor::goes_on() const {
  return place_ != outside && next_ < iterations_.size() && !iterations_[next_].is_first &&
         iterations_[next_].interval.begin == iterations_[place_].interval.end;
}

std::size_t IterationCursor::place_enter(std::uint64_t time) {
  if (is_taken_)
    return find_by_time(time);

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

  in_loop_ = false;

  return outside;
}

std::size_t IterationCursor::place_other(std::uint64_t time) {
  if (is_taken_)
    return find_by_time(time);
  if (place_ != outside && (time <= iterations_[place_].interval.end || goes_on()))
    return place_;
  in_loop_ = false;

  return outside;
}

std::size_t IterationCursor::place_leave() {
  if (depth_ < base_) {
    base_ = depth_;
    in_loop_ = is_taken_ && in_loop_;
    place_ = outside;
    return outside;
  }

  const auto in = place_;
  if (!is_taken_ && in != outside && iterations_[in].is_one_call) {
    place_ = outside;
    in_loop_ = false;
  }

  return in;
}

// For loops of another location.
std::size_t IterationCursor::find_by_time(std::uint64_t time) {
  while (next_ < iterations_.size() &&
         (iterations_[next_].is_last ? time > iterations_[next_].interval.end
                                     : time >= iterations_[next_].interval.end)) {
    if (iterations_[next_].is_last)
      in_loop_ = false;
    ++next_;
  }

  if (next_ == iterations_.size() || time < iterations_[next_].interval.begin)
    return outside;
  if (!in_loop_)
    base_ = depth_;

  in_loop_ = true;

  return next_;
}

}  // namespace tracefold
