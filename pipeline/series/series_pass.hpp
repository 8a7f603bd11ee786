// The time-series call-path profiles of a plan's processes: each process read once, in
// parallel, and the profile of each of its iterations handed on as soon as it is known.
//
// One process is read by one thread, so its callbacks come from that thread, in
// order; those of different processes come at the same time. What they get does not depend
// on the number of threads, and is the same in each reading. Calls and
// samples are those of context_calls.hpp. Where times of waiting are wanted, all processes
// of the plan, members or not, are read once before. Memory: what series_sink.hpp says, for each
// thread, and what wait_matcher.hpp says.
//
// Call paths are numbered by process; merge_call_paths.hpp brings profiles of several
// processes onto one tree.
//
// Source: dynamics 3 (time-series call-path profiles).
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "model/iterations/loops.hpp"
#include "model/profile/call_path_profile.hpp"
#include "pipeline/delays/call_times.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/messages/partner_amounts.hpp"
#include "pipeline/messages/wait_matcher.hpp"
#include "pipeline/series/profile_columns.hpp"
#include "pipeline/series/time_slices.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class RecordedSeries;
struct RecordedProcess;

// What a process did in one iteration. Processes are indexes into the plan's.
struct SeriesIteration {
  std::size_t process = 0;
  std::size_t iteration = 0;  // numbered through all loops of the process
  const CallPathProfile& profile;
  std::span<const CallPath> paths;    // of the process, so far, by number
  std::optional<Interval> span = {};  // when; none where it has no events
};

// A process whose iterations have all been told.
struct SeriesEnd {
  std::size_t process = 0;
  std::span<const CallPath> paths;  // all of it, by number
  const CallPathProfile& outside;   // what it did outside of iterations
  // The part of it that was before the end of its MPI_Init, and from the begin of its MPI_Finalize
  // on; and the interval between these, which reaches to its first or last event where it does not
  // call them.
  const CallPathProfile& beyond_mpi;
  Interval mpi;
  std::uint64_t first_time = 0, last_time = 0;  // of its events: ticks, 0 without events
  const PartnerAmounts& partners;
  CallTimes& times;  // where they are kept
};

// What is referred to is valid during the call.
struct SeriesCallbacks {
  // Each iteration of a process's loops once, ascending, also where the process did nothing.
  std::function<void(const SeriesIteration&)> iteration;
  std::function<void(const SeriesEnd&)> end;  // after the last iteration
  bool keeps_times = false;  // whether the end tells single waits, and times between calls of MPI
};

// By column the sum over the call paths of a process in an iteration, which is numbered through all
// of its loops. What is referred to is valid during the call.
using OnTotals =
    std::function<void(std::size_t process, std::size_t iteration, const WideSums& sums)>;

// By process, where its iterations are told by the calls of another one.
using FindCounts = std::function<const IterationCounts*(std::size_t process)>;

class SeriesPass {
 public:
  // `members` are indexes of processes, ascending, `loops` of all processes of the plan, which must
  // stay; profiles have columns for those of the wanted times of waiting that are known. Throws
  // Error(input) where the plan is of another trace. Messages may have been collected before, and
  // are taken from there. Of a team, each member may read its own processes, and the first one also
  // those in `read_again`.
  SeriesPass(PlannedTrace trace, const std::vector<ProcessLoops>& loops,
             std::vector<std::size_t> members, const std::vector<Metric>& wanted_waits,
             CollectedWaits* collected = nullptr, const std::vector<std::size_t>& read_again = {});

  const PlannedTrace& trace() const { return trace_; }
  const std::vector<std::size_t>& members() const { return members_; }
  const MetricColumns& columns() const { return columns_.columns(); }
  bool sampled() const { return columns_.sampled(); }
  // PathKind::mpi or PathKind::usr.
  PathKind kind(FunctionIndex function) const { return columns_.kind(function); }
  // By function: where its exclusive time goes.
  const std::vector<Metric>& time_metrics() const { return columns_.time_metrics(); }
  // The messages between processes; null where late senders or receivers are not wanted.
  const MessageMatcher* messages() const { return waits_.messages(); }
  // Why a time of waiting that is wanted is not known; null where it is.
  const std::string* find_unknown(Metric wait) const { return waits_.find_reason(wait); }
  // The functions that call paths name.
  const std::vector<Function>& functions() const { return trace_.functions().functions(); }

  // Reads all members of the pass, or some of them, as often as wanted. A callback that is
  // empty is not called. Throws Error(input), and what the callbacks throw.
  void read(const SeriesCallbacks& callbacks) const { read(members_, callbacks); }
  void read(const std::vector<std::size_t>& members, const SeriesCallbacks& callbacks,
            const FindCounts& find_counts = {}) const;
  // What follows reads those of some members that are this process's own, where a team reads them,
  // and returns them. Whoever asks shares what was handed on.
  std::vector<std::size_t> read_own(const std::vector<std::size_t>& members,
                                    const SeriesCallbacks& callbacks,
                                    const FindCounts& find_counts = {}) const;
  // Where only the sums of the columns are asked for, which takes less time.
  void read_own_totals(const std::vector<std::size_t>& members, const FindCounts& find_counts,
                       const OnTotals& on_totals) const;
  // The same of processes with these loops, in place of those of the pass.
  std::vector<std::size_t> read_own_totals(const std::map<std::size_t, ProcessLoops>& loops,
                                           const OnTotals& on_totals) const;
  // The same for equal parts of the run, in place of iterations.
  void read_own_slices(const std::vector<std::size_t>& members, const TimeSlices& slices,
                       const OnTotals& on_totals) const;

  // What was recorded of a process with these loops while it was profiled, with series of the call
  // paths of these functions; once. None where it has to be read.
  std::optional<RecordedProcess> take(RecordedSeries& recorded, std::size_t process,
                                      std::span<const IterationCounts> loops,
                                      const std::vector<bool>& path_functions) const;

  // Whether a process recorded values for a column that were infinite or no numbers, as far as it
  // has been read; not while the pass reads.
  bool is_not_finite(std::size_t process, std::size_t column) const;
  // What the members of a team know of that is known to all of them then.
  void share_not_finite() const;

 private:
  const WaitMatcher* known_waits() const { return waits_.known().empty() ? nullptr : &waits_; }
  // Hands all calls of a process to its sink by read(sink), and warns of what that found to be odd.
  template <class Sink, class Read>
  LocationRead fill(Sink& sink, std::size_t process, const Read& read) const;
  // Reads a process whose iterations are told by `loops`, and hands on what it did.
  template <class Sink, class Loops, class Read>
  void read_profiles(std::size_t process, const Loops& loops, const Read& read,
                     const SeriesCallbacks& callbacks) const;
  // The same for the sums of what was read before, so that what is odd was told.
  template <class Sink, class Loops, class Read>
  void read_totals(std::size_t process, const Loops& loops, const Read& read,
                   const OnTotals& on_totals) const;
  template <class Sink>
  void warn_of_oddities(std::size_t process, const Sink& sink) const;

  PlannedTrace trace_;
  const std::vector<ProcessLoops>& loops_;
  std::vector<std::size_t> members_;
  WaitMatcher waits_;
  ProfileColumns columns_;

  mutable std::mutex mutex_;
  mutable std::map<std::size_t, std::set<std::uint32_t>> not_finite_;  // columns, by process
};

// Warns of metrics without a column, since their records are no longer in the trace.
void warn_of_cut_metrics(const MetricColumns& columns, Diagnostics& diagnostics);

// Warns of times of waiting that are not known, each with the reason.
void warn_of_unknown_wait(Metric wait, const std::string& reason, Diagnostics& diagnostics);
void warn_of_unknown_waits(const SeriesPass& pass, const std::vector<Metric>& waits,
                           Diagnostics& diagnostics);

}  // namespace tracefold
