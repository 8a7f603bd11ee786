#include "pipeline/profile/series_sink.hpp"

#include "pipeline/profile/call_path_sink.hpp"
#include "pipeline/profile/record_amounts.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tracefold {

SeriesSink::SeriesSink(const SeriesForm& form, const Definitions& definitions,
                       std::uint64_t location, const ProcessLoops& loops, const SentMessages* sent,
                       OnIteration on_iteration)
    : form_(form),
      definitions_(definitions),
      location_(location),
      on_iteration_(std::move(on_iteration)),
      cursor_(loops),
      counters_(form),
      inside_(form),
      outside_(form),
      visits_(form.column(Metric::visits)) {
  if (sent)
    receives_.emplace(*sent, location);
}

void SeriesSink::other(const Event& event) {
  spend(event.time);
  go_to(cursor_.other(event.time));
  if (event.kind == EventKind::Metric) {
    for (const auto& [column, increment] : counters_.increments(event))
      now_->add(at_, column, increment);
    return;
  }

  if (receives_ && (event.kind == EventKind::MpiRecv || event.kind == EventKind::MpiIrecv))
    wait_for(event);
  for (const auto& [metric, amount] : amounts_of(event, definitions_, location_))
    now_->add(at_, form_.column(metric), amount);
}

void SeriesSink::unknown(std::uint64_t time) {
  spend(time);
  go_to(cursor_.other(time));
}

// In a call around the loop, or in none, time belongs to the iteration in whose interval it is.
void SeriesSink::spend_around(std::uint64_t time) {
  if (at_ == 0)
    return;

  const auto column = time_column(at_);
  auto from = last_;

  for (auto k = making_; k < cursor_.iterations() && from < time; ++k) {
    const auto interval = cursor_.interval(k);
    if (interval.end <= from)
      continue;
    if (interval.begin >= time)
      break;

    const auto begin = std::max(from, interval.begin), end = std::min(time, interval.end);
    outside_.add(at_, column, begin - from);
    end_iterations_before(k);
    inside_.add(at_, column, end - begin);
    from = end;
  }

  outside_.add(at_, column, time - from);
}

void SeriesSink::change_to(std::size_t iteration) {
  iteration_ = iteration;
  if (iteration == IterationCursor::outside) {
    now_ = &outside_;
    return;
  }

  assert(iteration >= making_);
  end_iterations_before(iteration);
  now_ = &inside_;
}

void SeriesSink::end_iterations_before(std::size_t iteration) {
  for (; making_ < iteration; ++making_) {
    inside_.take(tree_.paths(), profile_);
    on_iteration_(making_, profile_);
  }
}

// From here to the next call of the loop, time passes in the call around it, if only 0 ticks.
void SeriesSink::left_to_loop() {
  if (at_ != 0 && cursor_.in_loop() && iteration_ != IterationCursor::outside)
    inside_.row(at_);
}

void SeriesSink::wait_for(const Event& receive) {
  const auto sent = receives_->sent(receive);
  if (!sent || callers_.empty())
    return;
  if (waits_.empty() || waits_.back().depth != callers_.size())
    waits_.push_back({callers_.size(), *sent});
  else
    waits_.back().sent = std::max(waits_.back().sent, *sent);
}

void SeriesSink::end_wait(const CallEnd& call) {
  if (waits_.back().depth != callers_.size())
    return;

  const auto until = std::min(waits_.back().sent, call.time), entered = call.time - call.inclusive;
  waits_.pop_back();
  if (until <= entered || form_.time_metric(call.function) != Metric::mpi_point_to_point_time)
    return;

  now_->row(at_)[form_.column(Metric::mpi_late_sender_time)] +=
      std::min(until - entered, call.exclusive);
}

PathIndex SeriesSink::first_visit(FunctionIndex function) {
  if (tree_.paths().size() > CallPathSink::most_paths)
    if (const auto open = tree_.innermost(at_, function); open != no_path) {
      ++folded_;
      return open;
    }

  return tree_.add(at_, function);
}

void SeriesSink::finish() {
  end_iterations_before(cursor_.iterations());
}

IterationProfile SeriesSink::outside() {
  IterationProfile out;
  outside_.take(tree_.paths(), out);
  return out;
}

}  // namespace tracefold
