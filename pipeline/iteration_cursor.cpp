#include "pipeline/iteration_cursor.hpp"

namespace tracefold {

IterationCursor::IterationCursor(const ProcessLoops& loops) : taken_(loops.taken_from.has_value()) {
  for (const auto& loop : loops.loops) {
    for (std::size_t k = 0; k < loop.iterations.size(); ++k)
      iterations_.push_back({loop.iterations[k], loop.function, loop.path.size(), loop.source, k == 0, k + 1 == loop.iterations.size()});
  }
}

std::size_t IterationCursor::begin_iteration(std::size_t iteration) {
  base_ = depth_;
  settled_ = true;
  next_ = iteration + 1;
  return iteration;
}

// Of the location's own loops: what is at the base at this time follows the iteration.
bool IterationCursor::is_over(std::uint64_t time) const {
  if (place_ == outside) return true;
  const auto& now = iterations_[place_];
  const bool goes_on = next_ < iterations_.size() && !iterations_[next_].first && iterations_[next_].interval.begin == now.interval.end;
  return goes_on ? false : time >= now.interval.end;
}

// Whether a call that is entered now, when the iteration may have begun, begins it.
bool IterationCursor::begins(const Iteration& iteration, std::uint64_t time, FunctionIndex function) const {
  const bool late = time > iteration.interval.begin, at_its_depth = depth_ == iteration.depth;
  switch (iteration.source) {
    case LoopSource::asked: return late || at_its_depth || function == iteration.function;  // instances may be of several functions
    case LoopSource::marked: return late || function == iteration.function;                // or called from several places
    case LoopSource::call_path: return at_its_depth;                                        // the function may be called later
    case LoopSource::sequence: break;
  }
  return at_its_depth && (late || function == iteration.function);
}

std::size_t IterationCursor::entered(std::uint64_t time, FunctionIndex function) {
  if (taken_) return by_time(time);
  auto begun = outside;
  for (auto k = next_; k < iterations_.size() && time >= iterations_[k].interval.begin; ++k)
    if (begins(iterations_[k], time, function)) begun = k;
  if (begun != outside) return begin_iteration(begun);
  if (!is_over(time)) return place_;
  settled_ = false;
  return outside;
}

std::size_t IterationCursor::seen(std::uint64_t time) {
  if (taken_) return by_time(time);
  if (place_ != outside && (time <= iterations_[place_].interval.end || !is_over(time))) return place_;
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
  if (!taken_ && in != outside && iterations_[in].one_call()) {
    place_ = outside;
    settled_ = false;
  }
  return in;
}

// Of loops of another location.
std::size_t IterationCursor::by_time(std::uint64_t time) {
  while (next_ < iterations_.size() && (iterations_[next_].last ? time > iterations_[next_].interval.end : time >= iterations_[next_].interval.end)) {
    if (iterations_[next_].last) settled_ = false;
    ++next_;
  }
  if (next_ == iterations_.size() || time < iterations_[next_].interval.begin) return outside;
  if (!settled_) base_ = depth_;
  settled_ = true;
  return next_;
}

}  // namespace tracefold
