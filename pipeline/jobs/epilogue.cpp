#include "pipeline/jobs/epilogue.hpp"

#include "base/child_process.hpp"
#include "base/interrupt.hpp"
#include "base/lock_file.hpp"
#include "base/pending.hpp"
#include "model/plan_files.hpp"
#include "pipeline/archives/find_traces.hpp"
#include "pipeline/jobs/reduce_trace.hpp"

#include <fmt/format.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace tracefold {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What a process that is to stop gets for that, of the time there is.
milliseconds time_to_clean_up(milliseconds timeout) {
  return std::min(milliseconds(1000), timeout / 5);
}

// The lock of a trace, which this process releases however the one that takes it ends.
class HeldLock {
 public:
  explicit HeldLock(LockFile lock) : lock_(std::move(lock)) {}
  ~HeldLock() { lock_.release(); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

  LockFile& get() { return lock_; }

 private:
  LockFile lock_;
};

JobOutcome make_status(JobStatus status, std::string message = {}) {
  JobOutcome outcome;
  outcome.status = status;
  outcome.message = std::move(message);
  return outcome;
}

// Once time is over no trace is opened, and only the plan beside it tells that it is ours.
bool was_not_looked_at(const JobOutcome& outcome) {
  return (outcome.status == JobStatus::timeout || outcome.status == JobStatus::interrupted) &&
         !outcome.bytes;
}

bool has_plan_beside(const std::filesystem::path& anchor) {
  std::error_code unknown;
  return std::filesystem::exists(anchor.parent_path() / plan_name, unknown);
}

std::string describe_signal(int number) {
  const std::string ended =
      fmt::format("it was ended by signal {} ({})", number, strsignal(number));
  return number == SIGKILL ? ended + ", as where memory ends" : ended;
}

// What a process has reported, and what its end says besides.
JobOutcome judge_end(const ChildEnd& ended) {
  auto reported = unpack_outcome(ended.line);
  const bool was_stopped = ended.ran_out_of_time || ended.was_interrupted;
  if (reported && (reported->status != JobStatus::interrupted || !was_stopped))
    return *reported;

  JobOutcome outcome;
  if (ended.ran_out_of_time)
    outcome = make_status(JobStatus::timeout);
  else if (ended.was_interrupted)
    outcome = make_status(JobStatus::interrupted);
  else if (ended.signal != 0)
    outcome = make_status(JobStatus::failed, describe_signal(ended.signal));
  else
    outcome = make_status(JobStatus::failed, "it ended without a word");
  if (reported)
    outcome.bytes = reported->bytes;
  return outcome;
}

// What a killed process has left beside its output. A new one removes what is left, and itself. The
// log has the outcome of that process, so nothing is told of it besides.
void remove_left(const std::filesystem::path& output) try {
  const Pending newer(output, PendingKind::folder);
  take_removed_leftovers();
} catch (const Error&) {
  // Where nothing new can be made, what was left is gone all the same.
}

FoundTrace make_run(const EpilogueOptions& options) {
  FoundTrace run;
  run.anchor = std::filesystem::canonical(options.folder);
  run.output = run.anchor;
  run.output += "-small";
  run.as_one = &*options.as_one;
  return run;
}

class Epilogue {
 public:
  Epilogue(const EpilogueOptions& options, const ReduceOptions& reduction, const Context& context)
      : options_(options),
        reduction_(reduction),
        context_(context),
        limits_{start_ + options.timeout - time_to_clean_up(options.timeout),
                start_ + options.timeout} {}

  void run(const std::function<void(const JobOutcome&)>& report);

 private:
  JobOutcome reduce_one(const FoundTrace& found) const;
  JobOutcome reduce_in_child(const FoundTrace& found, LockFile& lock) const;
  std::optional<JobOutcome> find_reason_to_stop() const;

  const EpilogueOptions& options_;
  const ReduceOptions& reduction_;
  const Context& context_;
  const steady_clock::time_point start_ = steady_clock::now();
  const ChildLimits limits_;
};

std::optional<JobOutcome> Epilogue::find_reason_to_stop() const {
  if (stop_signal.load() != 0)
    return make_status(JobStatus::interrupted);
  if (steady_clock::now() >= limits_.stop)
    return make_status(JobStatus::timeout);
  return std::nullopt;
}

JobOutcome Epilogue::reduce_in_child(const FoundTrace& found, LockFile& lock) const {
  const auto ended = run_in_child(
      [&](const SendLine& send) {
        const auto report = [&](const JobOutcome& outcome) { send(pack_outcome(outcome)); };
        report(reduce_found_trace(found, reduction_, options_.deletes_originals, lock, context_,
                                  report));
      },
      limits_);
  if (ended.signal != 0)
    remove_left(found.output);
  return judge_end(ended);
}

JobOutcome Epilogue::reduce_one(const FoundTrace& found) const try {
  if (auto reason = find_reason_to_stop())
    return *reason;
  if (found.shares_output)
    return make_status(JobStatus::failed, "another trace would be reduced to the same name");

  auto name = found.output;
  name += ".lock";
  const auto longest = std::chrono::ceil<std::chrono::seconds>(options_.timeout);
  HeldLock lock(LockFile(name, find_job_id(), longest));
  if (const auto holder = lock.get().find_holder())
    return make_status(JobStatus::busy, *holder);
  return reduce_in_child(found, lock.get());
} catch (const Error& problem) {
  return make_outcome(problem, found.output);
}

void Epilogue::run(const std::function<void(const JobOutcome&)>& report) {
  auto found = find_traces(options_.folder, limits_.stop);
  if (options_.as_one && found.is_complete && !found.traces.empty())
    found.traces = {make_run(options_)};
  std::size_t lines = 0;
  const auto tell = [&](JobOutcome outcome, const std::filesystem::path& trace,
                        const std::filesystem::path& output, steady_clock::time_point since) {
    outcome.trace = trace;
    outcome.output = output;
    outcome.seconds = std::chrono::duration<double>(steady_clock::now() - since).count();
    report(outcome);
    ++lines;
  };

  for (const auto& trace : found.traces) {
    const auto since = steady_clock::now();
    auto outcome = reduce_one(trace);
    const bool is_own =
        outcome.status == JobStatus::own ||
        (!trace.as_one && was_not_looked_at(outcome) && has_plan_beside(trace.anchor));
    if (!is_own)
      tell(std::move(outcome), trace.anchor, trace.output, since);
  }

  for (const auto& [folder, problem] : found.unreadable) {
    const bool is_denied = problem == std::errc::permission_denied;
    tell(make_status(is_denied ? JobStatus::no_permission : JobStatus::no_trace, problem.message()),
         folder, {}, start_);
  }
  if (!found.is_complete)
    tell(find_reason_to_stop().value_or(make_status(JobStatus::timeout)), options_.folder, {},
         start_);
  if (lines == 0)
    tell(make_status(JobStatus::no_trace), options_.folder, {}, start_);
}

}  // namespace

std::string find_job_id() {
  for (const auto* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "JOB_ID"})
    if (const auto* job = std::getenv(name); job && *job)
      return job;
  return "";
}

void lower_priority() {
  constexpr int lowest = 19;
  ::setpriority(PRIO_PROCESS, 0, lowest);

  // The system has no header for these (ioprio_set(2)): this process, best effort, least of that.
  constexpr int of_process = 1, best_effort = 2, class_shift = 13, least = 7;
  ::syscall(SYS_ioprio_set, of_process, 0, best_effort << class_shift | least);
}

void run_epilogue(const EpilogueOptions& options, const ReduceOptions& reduction,
                  const Context& context, const std::function<void(const JobOutcome&)>& report) {
  Epilogue(options, reduction, context).run(report);
}

}  // namespace tracefold
