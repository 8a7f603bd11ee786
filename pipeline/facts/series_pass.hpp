// The time-series call-path profiles of a plan's processes: each process is read once, in parallel,
// and the profile of each iteration is passed to a callback as soon as it is complete.
//
// One thread reads a process, and calls its callbacks in order; callbacks of different processes
// run concurrently. Results do not depend on the number of threads and are equal in each reading.
// Calls and samples are those of context_calls.hpp. If times of waiting are wanted, all processes
// of the plan are read once before. Memory: that of series_sink.hpp for each thread, and that of
// wait_matcher.hpp.
//
// Call paths are numbered by process; merge_call_paths.hpp puts several processes onto one tree.
//
// Source: dynamics 3 (time-series call-path profiles).
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "model/iterations/loops.hpp"
#include "model/profile/call_path_profile.hpp"
#include "pipeline/delays/call_times.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/facts/file_operations.hpp"
#include "pipeline/facts/profile_columns.hpp"
#include "pipeline/facts/time_slices.hpp"
#include "pipeline/messages/partner_amounts.hpp"
#include "pipeline/messages/wait_matcher.hpp"

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

// What a process did in one iteration. Processes are indexes of the plan.
struct SeriesIteration {
  std::size_t process = 0;
  std::size_t iteration = 0;  // over all loops of the process
  const CallPathProfile& profile;
  std::span<const CallPath> paths;    // of the process so far, by number
  std::optional<Interval> span = {};  // none if it has no events
};

// A process after its last iteration.
struct SeriesEnd {
  std::size_t process = 0;
  std::span<const CallPath> paths;  // all call paths, by number
  const CallPathProfile& outside;   // outside of iterations
  // The part of `outside` before the end of MPI_Init and from the begin of MPI_Finalize on; and the
  // interval in between. If the process does not call these, the interval extends to its first or
  // last event.
  const CallPathProfile& beyond_mpi;
  Interval mpi;
  std::uint64_t first_time = 0, last_time = 0;  // of its events, in ticks; 0 without events
  PartnerAmounts& partners;                     // it may be taken
  CallTimes& times;                             // the same, if they are recorded
  CallDependencies& dependencies;               // the same
  std::map<FileId, FileOperations>& files;      // it may be taken
  const SetAsideTimes& set_aside;
};

// References are valid during the call.
struct SeriesCallbacks {
  // Called once for each iteration of a process's loops, in ascending order, even if nothing
  // happened in it.
  std::function<void(const SeriesIteration&)> iteration;
  std::function<void(const SeriesEnd&)> end;  // after the last iteration
  bool keeps_times = false;                   // record single waits, and times between calls of MPI
};

// Receives the sums over call paths, by column, for each iteration of a process, numbered over all
// of its loops. References are valid during the call.
using OnTotals =
    std::function<void(std::size_t process, std::size_t iteration, const WideSums& sums)>;

// By process: the calls of its iterations, if these are known from another process.
using FindCounts = std::function<const IterationCounts*(std::size_t process)>;

class SeriesPass {
 public:
  // `members` are ascending indexes of processes, `loops` those of all processes of the plan;
  // `loops` must outlive this. Profiles get columns for those wanted times of waiting that are
  // known. What `collected` has is not read again. In a team, each member can read its own
  // processes, and the first one also those in `read_again`. Throws Error(input) if the plan
  // belongs to another trace.
  SeriesPass(PlannedTrace trace, const std::vector<ProcessLoops>& loops,
             std::vector<std::size_t> members, const std::vector<Metric>& wanted_waits,
             CollectedWaits* collected = nullptr, const std::vector<std::size_t>& read_again = {});

  const PlannedTrace& trace() const { return trace_; }
  const std::vector<std::size_t>& members() const { return members_; }
  const MetricColumns& columns() const { return columns_.columns(); }
  bool sampled() const { return columns_.sampled(); }
  // PathKind::mpi or PathKind::usr.
  PathKind kind(FunctionIndex function) const { return columns_.kind(function); }
  // By function: the metric of its exclusive time.
  const std::vector<Metric>& time_metrics() const { return columns_.time_metrics(); }
  // The messages between processes; null if neither late senders nor late receivers are wanted.
  const MessageMatcher* messages() const { return waits_.messages(); }
  // Why a wanted time of waiting is not known; null if it is.
  const std::string* find_unknown(Metric wait) const { return waits_.find_reason(wait); }
  // Whether all is known that calls of MPI depend on.
  bool knows_dependencies() const { return waits_.knows_all(); }
  // The functions that call paths refer to.
  const std::vector<Function>& functions() const { return trace_.functions().functions(); }

  // Read all or some members of the pass, as often as wanted. Empty callbacks are not called. Throw
  // Error(input), and what the callbacks throw.
  void read(const SeriesCallbacks& callbacks) const { read(members_, callbacks); }
  void read(const std::vector<std::size_t>& members, const SeriesCallbacks& callbacks,
            const FindCounts& find_counts = {}) const;
  // The following read only those members that this process of a team owns, and return them. The
  // caller shares the results.
  std::vector<std::size_t> read_own(const std::vector<std::size_t>& members,
                                    const SeriesCallbacks& callbacks,
                                    const FindCounts& find_counts = {}) const;
  // The same for the sums of columns only, which is faster.
  void read_own_totals(const std::vector<std::size_t>& members, const FindCounts& find_counts,
                       const OnTotals& on_totals) const;
  // The same for processes with these loops instead of those of the pass.
  std::vector<std::size_t> read_own_totals(const std::map<std::size_t, ProcessLoops>& loops,
                                           const OnTotals& on_totals) const;
  // The same for equal parts of the run instead of iterations.
  void read_own_slices(const std::vector<std::size_t>& members, const TimeSlices& slices,
                       const OnTotals& on_totals) const;

  // Whether a process recorded infinite values or NaN for a column, as far as it was read. Not
  // while the pass is reading.
  bool is_not_finite(std::size_t process, std::size_t column) const;
  // How many messages that a process receives arrive before they were sent; the same holds.
  std::uint64_t count_early_messages(std::size_t process) const;
  // Shares these two with the members of a team.
  void share_oddities() const;

 private:
  const WaitMatcher* known_waits() const { return waits_.known().empty() ? nullptr : &waits_; }
  // Passes all calls of a process to the sink, and warns of irregularities.
  template <class Sink, class Read>
  LocationRead fill(Sink& sink, std::size_t process, const Read& read) const;
  // Reads a process whose iterations are given by `loops`, and calls the callbacks.
  template <class Sink, class Loops, class Read>
  void read_profiles(std::size_t process, const Loops& loops, const Read& read,
                     const SeriesCallbacks& callbacks) const;
  // The same for the sums of columns. Warnings were given in an earlier reading.
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
  mutable std::map<std::size_t, std::set<std::uint32_t>> not_finite_;  // by process: columns
  mutable std::map<std::size_t, std::uint64_t> early_messages_;        // by process
};

// Warns of metrics without a column, since their records are no longer in the trace.
void warn_of_cut_metrics(const MetricColumns& columns, Diagnostics& diagnostics);

// Warns of unknown times of waiting, with the reason.
void warn_of_unknown_wait(Metric wait, const std::string& reason, Diagnostics& diagnostics);
void warn_of_unknown_waits(const SeriesPass& pass, const std::vector<Metric>& waits,
                           Diagnostics& diagnostics);

}  // namespace tracefold
