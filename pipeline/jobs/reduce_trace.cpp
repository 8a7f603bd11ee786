#include "pipeline/jobs/reduce_trace.hpp"

#include "pipeline/archives/as_one.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/jobs/trace_files.hpp"
#include "pipeline/verify/verify.hpp"

#include <fmt/format.h>

#include <sys/statvfs.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <map>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr const char* changed_meanwhile = "its files have changed while they were read";

std::string name_anchor(const fs::path& output) {
  return (output / "traces.otf2").string();
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(fs::symlink_status(path, unknown));
}

// Why an output that is there is not what this trace would be reduced to; none: it is.
std::optional<std::string> find_difference(const fs::path& output, const Archive& original) try {
  Diagnostics ignored;
  const Archive reduced(name_anchor(output), ignored);
  if (!was_written_by_us(reduced.facts()))
    return "it was not made by tracefold";
  const auto beside = read_plan_beside(reduced);
  if (!beside.plan)
    return "there is no plan in it that says what it was made of";
  if (beside.plan->trace.identity != original.identity())
    return "it was made of another trace, or this one has changed since";
  return std::nullopt;
} catch (const Error& problem) {
  if (problem.kind() == ErrorKind::interrupted)
    throw;
  return "it cannot be read as a trace";
}

// Whether the words of the system for one of these errors are in a message. They come from
// strerror there as well.
bool tells_of(const std::string& message, std::initializer_list<int> codes) {
  for (int code : codes)
    if (message.find(std::strerror(code)) != message.npos)
      return true;
  return false;
}

// Of the trace, or of all archives of the run.
std::vector<ArchivePaths> list_paths(const FoundTrace& found) {
  if (!found.as_one)
    return {{found.anchor}};
  std::vector<ArchivePaths> paths;
  for (const auto& one :
       find_traces(found.anchor, std::chrono::steady_clock::time_point::max()).traces)
    paths.push_back({one.anchor});
  return paths;
}

TraceFiles list_files(const FoundTrace& found) {
  TraceFiles all;
  for (const auto& paths : list_paths(found)) {
    auto files = list_trace_files(paths);
    all.files.insert(all.files.end(), files.files.begin(), files.files.end());
    if (all.oddity.empty())
      all.oddity = std::move(files.oddity);
  }
  return all;
}

// The files that were there before, of the archives in the run: such as tracefold has written stay.
// None: all is gone.
std::optional<std::string> delete_archives(const Archive& archive, const TraceFiles& before) {
  std::map<fs::path, TraceFile> known;
  for (const auto& file : before.files)
    known.emplace(file.path, file);
  for (const auto& paths : archive.list_paths()) {
    auto of_archive = list_trace_files(paths);
    std::erase_if(of_archive.files, [&](const TraceFile& file) {
      const auto at = known.find(file.path);
      return at == known.end() || at->second != file;
    });
    if (auto left = delete_trace(paths, of_archive))
      return left;
  }
  return std::nullopt;
}

bool has_no_room(const fs::path& output) {
  struct ::statvfs room {};
  return ::statvfs(output.parent_path().c_str(), &room) == 0 && room.f_bavail == 0;
}

JobStatus choose_status(const Error& problem, const fs::path& output) {
  const std::string message = problem.what();
  if (problem.kind() == ErrorKind::interrupted)
    return JobStatus::interrupted;
  if (tells_of(message, {ENOSPC, EDQUOT}))
    return JobStatus::disk_full;
  if (tells_of(message, {EACCES, EPERM, EROFS}))
    return JobStatus::no_permission;
  if (problem.kind() == ErrorKind::output && has_no_room(output))
    return JobStatus::disk_full;
  if (problem.kind() == ErrorKind::input)
    return JobStatus::damaged;
  return JobStatus::failed;
}

// Why the original has to stay; none: nothing at all is odd. `before` are its files as they were
// before anything was read.
std::optional<std::string> find_reason_to_keep(const FoundTrace& found, const Archive& original,
                                               const TraceFiles& before, const LockFile& lock,
                                               const Context& context) {
  if (!before.oddity.empty())
    return before.oddity;
  const auto count_warnings = [&] { return context.diagnostics.warnings().size(); };
  if (count_warnings() > 0)
    return "there were warnings";

  const Archive reduced(name_anchor(found.output), context.diagnostics);
  const auto verified = verify(reduced, original, context.read_as("verify"), context.diagnostics);
  if (!verified.holds() || !verified.was_made_again)
    return "the reduced trace did not pass the verification";
  if (count_warnings() > 0)
    return "there were warnings while it was verified";
  if (list_files(found) != before)
    return "its files have changed since they were read";
  if (!lock.is_ours())
    return "the lock was taken over by somebody else";
  return std::nullopt;
}

// Why the output is not made; none: it may be.
std::optional<JobStatus> find_reason_to_refuse(const FoundTrace& found, const Archive& archive,
                                               bool replaces, std::string& message) {
  if (!is_there(found.output))
    return std::nullopt;
  const auto difference = find_difference(found.output, archive);
  if (difference && replaces)
    return std::nullopt;
  if (difference)
    message = fmt::format("{} is there, but {}; remove it, or use `force`",
                          found.output.filename().string(), *difference);
  return JobStatus::exists;
}

// Whether the output was made, and stays. What was read of files that changed meanwhile need not
// fit together, so nothing stays that was made of it.
bool make_output(const FoundTrace& found, const std::shared_ptr<const Archive>& archive,
                 const TraceFiles& before, ReduceOptions& options, LockFile& lock,
                 const Context& context, JobOutcome& outcome) {
  const auto is_refused = [&] {
    const auto status =
        find_reason_to_refuse(found, *archive, options.output.rewrite.force, outcome.message);
    outcome.status = status.value_or(outcome.status);
    return status.has_value();
  };

  if (is_refused())
    return false;
  if (!lock.take()) {
    outcome.status = JobStatus::busy;
    outcome.message = lock.find_holder().value_or("somebody who has just ended");
    return false;
  }
  if (is_refused())  // whoever had the lock before may have made it meanwhile
    return false;

  options.output.folder = found.output;
  const auto made = reduce(archive, options, context);
  if (list_files(found) != before) {
    std::error_code ignored;
    fs::remove_all(found.output, ignored);
    outcome.status = JobStatus::changing;
    outcome.message = changed_meanwhile;
    return false;
  }

  outcome.status = JobStatus::done;
  outcome.small_bytes = made.after.bytes;
  outcome.warnings = context.diagnostics.warnings();
  return true;
}

// Reports what would be true if the process were killed in the middle of each step.
void verify_and_delete(const FoundTrace& found, const Archive& archive, const TraceFiles& before,
                       const LockFile& lock, const Context& context, JobOutcome& outcome,
                       const std::function<void(const JobOutcome&)>& report) {
  if (outcome.small_bytes >= outcome.bytes) {
    outcome.message = "the original stays: the reduced trace is not smaller";
    return;
  }

  outcome.message = "the original stays: there was no time to verify the reduced trace";
  report(outcome);
  const auto reason = find_reason_to_keep(found, archive, before, lock, context);
  outcome.warnings = context.diagnostics.warnings();
  if (reason) {
    outcome.message = "the original stays: " + *reason;
    return;
  }

  outcome.message = "there was no time to delete all files of the original";
  report(outcome);
  const auto left =
      found.as_one ? delete_archives(archive, before) : delete_trace({found.anchor}, before);
  outcome.is_deleted = !left;
  outcome.message = left ? "not all files of the original could be deleted: " + *left : "";
}

// A trace that somebody writes or deletes looks damaged, too.
void explain_damage(const FoundTrace& found, const TraceFiles& before, JobOutcome& outcome) {
  if (outcome.status != JobStatus::damaged)
    return;
  if (!is_there(found.anchor)) {
    outcome.status = JobStatus::no_trace;
    outcome.message = "it has gone since it was found";
  } else if (list_files(found) != before) {
    outcome.status = JobStatus::changing;
    outcome.message = changed_meanwhile;
  }
}

}  // namespace

JobOutcome make_outcome(const Error& problem, const fs::path& output) {
  JobOutcome outcome;
  outcome.status = choose_status(problem, output);
  outcome.message = problem.what();
  return outcome;
}

JobOutcome reduce_found_trace(const FoundTrace& found, ReduceOptions options, bool deletes_original,
                              LockFile& lock, const Context& context,
                              const std::function<void(const JobOutcome&)>& report) {
  JobOutcome outcome;
  TraceFiles before;
  // A trace that was written stays written, whatever happens when it is verified.
  const auto fail = [&](const Error& problem) {
    if (outcome.status == JobStatus::done) {
      if (problem.kind() != ErrorKind::interrupted)
        outcome.message = fmt::format("the original stays: {}", problem.what());
      return;
    }
    auto failed = make_outcome(problem, found.output);
    explain_damage(found, before, failed);
    failed.bytes = outcome.bytes;
    failed.warnings = context.diagnostics.warnings();
    outcome = std::move(failed);
  };

  try {
    before = list_files(found);
    const auto archive = found.as_one ? open_as_one(found.anchor.string(), *found.as_one,
                                                    context.reading.partial, context.diagnostics)
                                      : open_trace(found.anchor.string(), context.diagnostics);
    if (was_written_by_us(archive->facts())) {
      outcome.status = JobStatus::own;
      return outcome;
    }
    outcome.bytes = archive->bytes();
    if (make_output(found, archive, before, options, lock, context, outcome) && deletes_original)
      verify_and_delete(found, *archive, before, lock, context, outcome, report);
    else if (outcome.status == JobStatus::exists && deletes_original && outcome.message.empty())
      outcome.message =
          "the original stays: the reduced trace was there before, and only what is made now is "
          "verified";
  } catch (const Error& problem) {
    fail(problem);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorKind::usage, "out of memory").hint("use less `memory`, or fewer `threads`"));
  } catch (const std::exception& problem) {
    fail(Error(ErrorKind::usage, problem.what()));
  }
  return outcome;
}

}  // namespace tracefold
