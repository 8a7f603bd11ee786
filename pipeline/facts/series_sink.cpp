#include "pipeline/facts/series_sink.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tracefold {

template <class Form>
BasicSeriesSink<Form>::BasicSeriesSink(const ProfileColumns& columns,
                                       const Definitions& definitions, std::uint64_t location,
                                       const typename Form::Loops& loops, const WaitMatcher* waits,
                                       OnIteration on_iteration)
    : columns_(columns),
      definitions_(definitions),
      location_(location),
      on_iteration_(std::move(on_iteration)),
      iterations_(loops),
      counters_(columns),
      partners_(definitions, location),
      inside_(columns),
      outside_{typename Form::Builder(columns), typename Form::Builder(columns)},
      visits_(columns.column(Metric::visits)) {
  if (waits)
    waits_.emplace(*waits, location);
  for (std::size_t k = 0; k < wanted_.size(); ++k) {
    const auto kind = static_cast<EventKind>(k);
    wanted_[k] = kind == EventKind::Metric || adds_to_metrics(kind) ||
                 (waits_ && LocationWaits::may_wait(kind)) ||
                 (Form::knows_partners && FileRecorder::is_wanted(kind));
  }
}

template <class Form>
void BasicSeriesSink<Form>::keep_times() requires(Form::knows_partners) {
  times_.emplace();
  if (waits_)
    waits_->record_dependencies(dependencies_);
  for (std::size_t k = 0; k < wanted_.size(); ++k)
    wanted_[k] = wanted_[k] || CallTimesRecorder::is_wanted(static_cast<EventKind>(k));
}

template <class Form>
void BasicSeriesSink<Form>::other(const Event& event) {
  pass_to(event.time);
  if (event.kind == EventKind::Metric) {
    for (const auto& [column, amount] : counters_.measure(event))
      now_->add(paths_.path(), column, amount);
    return;
  }

  if constexpr (Form::knows_partners)
    if (times_ && CallTimesRecorder::is_wanted(event.kind))
      times_->add(event, definitions_, location_);

  if (waits_ && LocationWaits::may_wait(event.kind))
    waits_->add(event, paths_.open_calls());

  if constexpr (Form::knows_partners) {
    if (sends_message(event.kind))
      partners_.send(event);
    else if (FileRecorder::is_wanted(event.kind))
      files_.add(event, definitions_);
  }

  if (adds_to_metrics(event.kind))
    measure_record(event, definitions_, location_, [&](Metric metric, std::uint64_t amount) {
      now_->add(paths_.path(), columns_.column(metric), amount);
    });
}

template <class Form>
void BasicSeriesSink<Form>::unknown(std::uint64_t time) {
  pass_to(time);
}

template <class Form>
void BasicSeriesSink<Form>::skip_time(const SkippedTime& time) {
  spend(time.from);
  last_ = time.to;
  if (!time.is_flush && time.to > time.from)
    counters_.begin_anew();
  if constexpr (Form::knows_partners)
    if (times_ && time.is_flush)
      times_->measure(time.to - time.from);
}

template <class Form>
void BasicSeriesSink<Form>::spend_sampled(PathIndex path, std::uint64_t from, std::uint64_t to) {
  // What passed in a dropped call is its caller's.
  if (from > last_)
    spend(from);
  spend_between_calls(to, path);
  if (iterations_.in_loop() && iterations_.open_calls() > iterations_.base())
    now_->row(path)[time_column(path)] += to - last_;
  else
    spend_around(to, path);

  last_ = to;
}

// In a call around the loop, or in none, time belongs to the iteration in whose interval it is.
template <class Form>
void BasicSeriesSink<Form>::spend_around(std::uint64_t time, PathIndex path) {
  if (path == 0)
    return;

  const auto column = time_column(path);
  auto from = last_;

  for (auto k = making_; k < iterations_.iterations() && from < time; ++k) {
    const auto interval = iterations_.interval(k);
    if (interval.end <= from)
      continue;
    if (interval.begin >= time)
      break;

    const auto begin = std::max(from, interval.begin);
    const auto end = std::min(time, interval.end);
    around_->add(path, column, begin - from);
    end_iterations_before(k);
    inside_.add(path, column, end - begin);
    from = end;
  }

  around_->add(path, column, time - from);
}

template <class Form>
void BasicSeriesSink<Form>::change_to(std::size_t iteration) {
  end_span();
  iteration_ = iteration;
  if (iteration == IterationCursor::outside) {
    now_ = around_;
    return;
  }

  assert(iteration >= making_);
  if constexpr (Form::knows_partners)
    if (times_)
      times_->cut(last_, SegmentKind::before_iteration);
  end_iterations_before(iteration);
  begin_span();
  now_ = &inside_;
}

template <class Form>
void BasicSeriesSink<Form>::begin_span() {
  if (!span_)
    span_ = Interval{last_, last_};
}

// With the last call in it: what tells that an iteration is over may come later.
template <class Form>
void BasicSeriesSink<Form>::end_span() {
  if (iteration_ != IterationCursor::outside && span_)
    span_->end = std::max(span_->begin, last_leave_);
}

template <class Form>
void BasicSeriesSink<Form>::end_iterations_before(std::size_t iteration) {
  for (; making_ < iteration; ++making_) {
    Form::take(inside_, paths_, told_);
    on_iteration_(making_, told_);
    span_.reset();
  }
}

// From here to the next call of the loop, time passes in the call around it, if only 0 ticks.
template <class Form>
void BasicSeriesSink<Form>::return_to_loop() {
  if (paths_.path() != 0 && iterations_.in_loop() && iteration_ != IterationCursor::outside)
    inside_.row(paths_.path());
}

template <class Form>
void BasicSeriesSink<Form>::add_waits(FunctionIndex function, std::uint64_t time,
                                      std::uint64_t inclusive, std::uint64_t exclusive) {
  const EndedCall call{time, inclusive, exclusive, columns_.time_metric(function),
                       columns_.may_wait_for_receiver(function)};
  for (const auto& waiting : waits_->end(call, paths_.open_calls())) {
    if (waiting.ticks == 0)
      continue;
    now_->row(paths_.path())[columns_.column(waiting.metric)] += waiting.ticks;
    if constexpr (Form::knows_partners) {
      partners_.wait(waiting);
      if (times_ && waiting.waited_for) {
        partners_.keep(waiting);
        times_->wait(paths_.path(), waiting.ticks);
      }
    }
  }
}

template <class Form>
void BasicSeriesSink<Form>::finish() {
  end_span();
  end_iterations_before(iterations_.iterations());
  if constexpr (Form::knows_partners)
    if (times_)
      times_->cut(last_);
}

template <class Form>
typename Form::Result BasicSeriesSink<Form>::outside() {
  within_mpi_->add_all(*beyond_mpi_);
  Result out;
  Form::take(*within_mpi_, paths_, out);
  return out;
}

template <class Form>
typename Form::Result BasicSeriesSink<Form>::beyond_mpi() {
  Result out;
  Form::take(*beyond_mpi_, paths_, out);
  return out;
}

template <class Form>
void BasicSeriesSink<Form>::change_outside_builder(typename Form::Builder* builder) {
  if (now_ == around_)
    now_ = builder;
  around_ = builder;
}

// All that came before is beyond.
template <class Form>
void BasicSeriesSink<Form>::begin_mpi(std::uint64_t time) {
  if (mpi_begin_ || mpi_end_)
    return;
  mpi_begin_ = time;
  std::swap(within_mpi_, beyond_mpi_);
  change_outside_builder(within_mpi_);
}

template <class Form>
void BasicSeriesSink<Form>::end_mpi(std::uint64_t time) {
  if (mpi_end_)
    return;
  mpi_end_ = time;
  change_outside_builder(beyond_mpi_);
}

template class BasicSeriesSink<InProfiles>;
template class BasicSeriesSink<InCountedProfiles>;
template class BasicSeriesSink<InTotals>;
template class BasicSeriesSink<InCountedTotals>;
template class BasicSeriesSink<InSlices>;

}  // namespace tracefold
