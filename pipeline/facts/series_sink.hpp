// Makes the call-path profile of each iteration of one location from clean events.
//
// A row is a call path. A call counts where it is entered, with its time and its records. Calls
// around a loop belong to none of its iterations, but the innermost of them has a row without
// visits in each iteration in which time passes, or may pass, between the calls of the loop; that
// time is divided at the ends of iterations. Call path 0 has what is recorded without an open call.
// Values of recorded metrics count for the call path that is open before any call is entered or
// left at the same time, since they cover the time before (see CounterIncrements). All profiles and
// what is outside of iterations add up to the totals of the location.
//
// Call paths are numbered by first visit, so that each reading gives the same numbers. Deep
// recursion is folded as in CallPathCursor.
//
// The waiting part of a call's time is measured if there are columns for it
// (pipeline/messages/wait_matcher.hpp).
//
// One location, one thread. Memory: the call tree and two profiles, one of an iteration and one of
// what is outside. TotalsSink gives only the sums of columns, without following call paths.
// CountedSeriesSink and CountedTotalsSink are for locations that make the same calls as another one
// (pipeline/events/counted_iterations.hpp), and SlicedTotalsSink is for parts of the run.
//
// Source: dynamics 3 (time-series call-path profiles), 1.5 and 3.3 (late senders).
#pragma once

#include "pipeline/delays/call_times.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/context_calls.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/events/iteration_cursor.hpp"
#include "pipeline/facts/column_totals.hpp"
#include "pipeline/facts/file_operations.hpp"
#include "pipeline/facts/profile_builder.hpp"
#include "pipeline/facts/record_metrics.hpp"
#include "pipeline/facts/time_slices.hpp"
#include "pipeline/messages/location_waits.hpp"
#include "pipeline/messages/partner_amounts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace tracefold {

// The result for an iteration is its call-path profile.
struct InProfiles {
  using Loops = ProcessLoops;
  using Iterations = IterationCursor;
  using Paths = CallPathCursor;
  using Builder = ProfileBuilder;
  using Result = CallPathProfile;
  static constexpr bool knows_partners = true;
  static constexpr bool is_hot = true;  // see HotSink

  static FunctionIndex find_function(const Paths& paths, PathIndex path) {
    return paths.paths()[path].function;
  }
  static void take(Builder& builder, const Paths& paths, Result& out) {
    builder.take(paths.paths(), out);
  }
};

// The same for a location that makes the calls of another one.
struct InCountedProfiles : InProfiles {
  using Loops = IterationCounts;
  using Iterations = CountedIterations;
};

// The result for an iteration is the sum over call paths, by column.
struct InTotals {
  using Loops = ProcessLoops;
  using Iterations = IterationCursor;
  using Paths = OpenFunctions;
  using Builder = ColumnTotals;
  using Result = WideSums;
  static constexpr bool knows_partners = false;
  static constexpr bool is_hot = false;

  static FunctionIndex find_function(const Paths&, PathIndex path) {
    return Paths::find_function(path);
  }
  static void take(Builder& builder, const Paths&, Result& out) { builder.take(out); }
};

// The same for a location that makes the calls of another one.
struct InCountedTotals : InTotals {
  using Loops = IterationCounts;
  using Iterations = CountedIterations;
};

// The same for parts of the run, whatever the loops are.
struct InSlices : InTotals {
  using Loops = TimeSlices;
  using Iterations = SliceCursor;
  static constexpr bool is_hot = true;
};

template <class Form>
class BasicSeriesSink {
 public:
  using Result = typename Form::Result;
  static constexpr bool is_hot = Form::is_hot;
  // Called once for each iteration, in order, even if nothing happened in it, with the number of
  // the iteration and its result, which is valid during the call.
  using OnIteration = std::function<void(std::size_t, const Result&)>;

  // All arguments must outlive this. `waits` is null if no time of waiting is known.
  BasicSeriesSink(const ProfileColumns& columns, const Definitions& definitions,
                  std::uint64_t location, const typename Form::Loops& loops,
                  const WaitMatcher* waits, OnIteration on_iteration);
  // Call before the first event of a damaged location, so that it is read up to the same place as
  // in other sinks.
  void want_all() { wanted_.fill(true); }
  // Call before the first event to record single waits, and times between calls of MPI.
  void keep_times() requires(Form::knows_partners);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    spend(call.time);
    go_to(iterations_.enter(call));
    if (keeps_times(call.function)) [[unlikely]]
      begin_mpi_call(call.function, call.time);
    if (columns_.mpi_bound(call.function) == MpiBound::end) [[unlikely]]
      end_mpi(call.time);
    ++now_->row(paths_.enter(call.function))[visits_];
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    spend(call.time);
    last_leave_ = call.time;
    go_to(iterations_.leave(call));
    if (waits_ && waits_->may_have_waited()) [[unlikely]]
      add_waits(call.function, call.time, call.inclusive, call.exclusive);
    if (keeps_times(call.function)) [[unlikely]]
      end_mpi_call(call.function, call.time);

    paths_.leave();
    if (columns_.mpi_bound(call.function) == MpiBound::begin) [[unlikely]]
      begin_mpi(call.time);
    if (iterations_.open_calls() == iterations_.base()) [[unlikely]]
      return_to_loop();
  }
  void other(const Event& event);
  void unknown(std::uint64_t time);
  void skip_time(const SkippedTime& time);
  // Only the times of all other records are needed.
  bool wants(EventKind kind) const { return wanted_[static_cast<std::size_t>(kind)]; }

  PathIndex sample(const SampledCalls& calls) {
    return paths_.visit(calls.open_calls, calls.functions);
  }
  void visit_sampled(const SampledCalls& calls) { ++now_->row(sample(calls))[visits_]; }
  void spend_sampled(PathIndex path, std::uint64_t from, std::uint64_t to);

  // Call once, after the last event.
  void finish();
  // The values outside of all iterations. Call once, after finish().
  Result outside();
  // The part of these before MPI can be used, and after that. Call once, after outside().
  Result beyond_mpi();
  // The period in which MPI can be used: from the end of the first MPI_Init to the first
  // MPI_Finalize. None if they were not called.
  const std::optional<std::uint64_t>& mpi_begin() const { return mpi_begin_; }
  const std::optional<std::uint64_t>& mpi_end() const { return mpi_end_; }
  // The interval of the iteration that is passed to the callback; none if it has no event.
  std::optional<Interval> span() const { return span_; }
  // The partners that it communicates with and waits for; empty if only sums of columns are
  // computed. Call once, after finish().
  PartnerAmounts take_partners() { return partners_.take(); }
  // Call once, after finish(); none if they are not recorded.
  std::optional<CallTimes> take_times() {
    return times_ ? std::optional(times_->take()) : std::nullopt;
  }
  // The same of its operations on files.
  std::map<FileId, FileOperations> take_files() { return files_.take(); }
  CallDependencies take_dependencies() { return dependencies_.take(); }
  // By number of call path; path 0 is without an open call.
  std::span<const CallPath> paths() const { return paths_.paths(); }
  // The number of calls that were counted for the path of an open call.
  std::uint64_t folded() const { return paths_.folded(); }
  // The number of counter values that are infinite or NaN.
  std::uint64_t not_finite() const { return counters_.not_finite(); }
  const std::set<std::uint32_t>& not_finite_columns() const {
    return counters_.not_finite_columns();
  }
  // Messages that were sent after the end of the call that received them.
  std::uint64_t impossible_messages() const { return waits_ ? waits_->impossible_messages() : 0; }
  // Collective operations that ended before others entered them for whom they wait.
  std::uint64_t impossible_collectives() const {
    return waits_ ? waits_->impossible_collectives() : 0;
  }

 private:
  // Adds the time up to now to the innermost open call.
  [[gnu::always_inline]] void spend(std::uint64_t time) {
    if (time == last_)
      return;
    spend_between_calls(time, paths_.path());
    if (iterations_.in_loop() && iterations_.open_calls() > iterations_.base()) [[likely]]
      now_->row(paths_.path())[time_column(paths_.path())] += time - last_;
    else
      spend_around(time, paths_.path());

    last_ = time;
  }
  void spend_around(std::uint64_t time, PathIndex path);
  [[gnu::always_inline]] void spend_between_calls(std::uint64_t time, PathIndex path) {
    if constexpr (Form::knows_partners)
      if (times_ && path != 0)
        times_->spend(path, time - last_);
  }
  void begin_mpi_call(FunctionIndex function, std::uint64_t time) {
    if (columns_.mpi_bound(function) == MpiBound::end)
      times_->cut(time);
    times_->enter_mpi(time);
  }
  void end_mpi_call(FunctionIndex function, std::uint64_t time) {
    if (columns_.mpi_bound(function) == MpiBound::begin)
      times_->cut_at_call();
    if (times_->leave_mpi(time))
      dependencies_.end_call();
  }
  [[gnu::always_inline]] bool keeps_times(FunctionIndex function) const {
    if constexpr (Form::knows_partners)
      return times_ && is_mpi_time(columns_.time_metric(function));
    return false;
  }
  // A record between the ends of calls. Inside of a call of an iteration, it does not divide time.
  [[gnu::always_inline]] void pass_to(std::uint64_t time) {
    if (iterations_.in_loop() && iterations_.open_calls() != iterations_.base()) [[likely]]
      return;
    spend(time);
    go_to(iterations_.other(time));
  }
  [[gnu::always_inline]] void go_to(std::size_t iteration) {
    if (iteration == iteration_) [[likely]]
      return;
    change_to(iteration);
  }
  void change_to(std::size_t iteration);
  void begin_mpi(std::uint64_t time);
  void end_mpi(std::uint64_t time);
  // Chooses the builder for what is outside of iterations, from now on.
  void change_outside_builder(typename Form::Builder* builder);
  void begin_span();
  void end_span();
  void end_iterations_before(std::size_t iteration);
  void return_to_loop();
  // Called at the end of a call. It takes single fields, because passing a CallEnd would write it
  // to memory for each call.
  [[gnu::noinline]] void add_waits(FunctionIndex function, std::uint64_t time,
                                   std::uint64_t inclusive, std::uint64_t exclusive);
  std::uint32_t time_column(PathIndex path) const {
    return columns_.time_column(Form::find_function(paths_, path));
  }

  const ProfileColumns& columns_;
  const Definitions& definitions_;
  std::uint64_t location_;
  OnIteration on_iteration_;
  std::array<bool, event_kinds> wanted_{};
  typename Form::Iterations iterations_;
  typename Form::Paths paths_;
  CounterIncrements counters_;
  std::optional<LocationWaits> waits_;
  PartnerCounter partners_;
  FileRecorder files_;
  std::optional<CallTimesRecorder> times_;
  DependencyRecorder dependencies_;  // of the calls in `times_`
  typename Form::Builder inside_;
  // What is outside of iterations: while MPI can be used, and before or after.
  std::array<typename Form::Builder, 2> outside_;
  typename Form::Builder* within_mpi_ = &outside_[0];
  typename Form::Builder* beyond_mpi_ = &outside_[1];
  typename Form::Builder* around_ = within_mpi_;      // one of them, for the last event
  typename Form::Builder* now_ = around_;             // the builder of the last event
  std::optional<std::uint64_t> mpi_begin_, mpi_end_;  // ticks
  Result told_;
  std::uint32_t visits_;                              // a column
  std::size_t iteration_ = IterationCursor::outside;  // of the last event
  std::size_t making_ = 0;                            // the iteration in `inside_`
  std::optional<Interval> span_;                      // of that iteration so far
  std::uint64_t last_ = 0;                            // time of the last event
  std::uint64_t last_leave_ = 0;                      // time of the last end of a call
};

using SeriesSink = BasicSeriesSink<InProfiles>;
using CountedSeriesSink = BasicSeriesSink<InCountedProfiles>;
using TotalsSink = BasicSeriesSink<InTotals>;
using CountedTotalsSink = BasicSeriesSink<InCountedTotals>;
using SlicedTotalsSink = BasicSeriesSink<InSlices>;

extern template class BasicSeriesSink<InProfiles>;
extern template class BasicSeriesSink<InCountedProfiles>;
extern template class BasicSeriesSink<InTotals>;
extern template class BasicSeriesSink<InCountedTotals>;
extern template class BasicSeriesSink<InSlices>;

}  // namespace tracefold
