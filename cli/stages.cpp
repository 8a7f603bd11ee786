#include "cli/stages.hpp"

#include "base/publish.hpp"
#include "base/text.hpp"
#include "emitters/tables.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/group.hpp"
#include "filters/messages/fold_messages.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/rewrite/estimate.hpp"
#include "pipeline/rewrite/publish_archive.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

namespace tracefold::cli {

namespace {

std::string describe(const TraceIdentity& i) {
  return fmt::format("{} bytes, sha256 {:.12}", i.size, i.sha256);
}

// Opens the trace of a plan, as it was when the plan was made.
void open_archive(Session& session, Opened& opened) {
  opened.archive.emplace(opened.plan.trace.anchor, session.diagnostics);
  const auto now = opened.archive->identity();
  if (now != opened.plan.trace.identity)
    throw Error(ErrorKind::input,
                fmt::format("the trace has changed since the plan was made: {} then, {} now",
                            describe(opened.plan.trace.identity), describe(now)))
        .in(opened.plan.trace.anchor)
        .hint("make the plan again");
}

bool begins_as_plan(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(64, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));

  return start.find("\"tracefold_plan\"") != std::string::npos;
}

bool has_profiles(const Plan& plan) {
  return !plan.processes.empty() || plan.groups;
}

[[noreturn]] void throw_no_messages(const Plan& plan) {
  throw Error(ErrorKind::input, "was reduced before, and keeps no messages beside it")
      .in(plan.trace.anchor)
      .hint("take the original, or reduce it with --messages on");
}

[[noreturn]] void throw_too_many_operations(const Plan& plan) {
  throw Error(ErrorKind::input, "what its ranks communicate needs more memory than there is")
      .in(plan.trace.anchor)
      .hint("give more with --memory");
}

// Bytes of JSON.
constexpr std::uint64_t most_unasked_messages = std::uint64_t{64} << 20;
constexpr auto no_bound_of_messages = std::numeric_limits<std::uint64_t>::max();

std::uint64_t measure_peak_memory() {
  struct ::rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

void refuse_plan(const std::string& trace, const std::string& hint) {
  if (begins_as_plan(trace))
    throw Error(ErrorKind::input, "is a plan, not a trace").in(trace).hint(hint);
}

Archive open_trace(Session& session, const std::string& trace, const std::string& hint) {
  refuse_plan(trace, hint);
  return Archive(trace, session.diagnostics);
}

Opened open(Session& session, const std::string& trace, bool reads_trace, PlanUse use) {
  Opened opened;
  if (!trace.empty() && trace != "-") {
    opened.archive = open_trace(session, trace, "give a plan on stdin, with '< " + trace + "'");
    opened.plan = make_plan(*opened.archive, {});
    return opened;
  }

  opened.plan = plan_from_json(read_stdin());
  if (opened.plan.lacks_profiles && use != PlanUse::write)
    throw Error(ErrorKind::input, "a plan beside a written trace keeps no profiles")
        .hint("make another one: 'tracefold group " + opened.plan.trace.anchor + "'");
  if (reads_trace)
    open_archive(session, opened);
  if (opened.plan.lacks_profiles)
    describe_processes(opened.plan, opened.archive->definitions());

  return opened;
}

void profile_plan(Session& session, Opened& opened, AlsoRecord also) {
  if (opened.archive && was_reduced(*opened.archive))
    also = {};  // most of its messages are cut
  const bool has_operations = also.operations == RecordOperations::no || opened.communication;
  if (has_profiles(opened.plan) && has_operations)
    return;

  auto& plan = opened.plan;
  const auto options = session.read_options("profile");
  if (has_profiles(plan)) {
    auto traced = profile_pass(*opened.archive, plan.filters, options, session.diagnostics, also);
    opened.communication = std::move(traced.communication);
    opened.calls = std::move(traced.calls);
  } else {
    opened.communication =
        add_profiles(plan, *opened.archive, options, session.diagnostics, also, &opened.calls);
  }
  session.verbose(fmt::format("profile: {} events of {} processes, {:.3f} s",
                              group_digits(plan.trace.events), plan.processes.size(),
                              session.seconds()));
}

Opened open_profiles(Session& session, const std::string& trace, AlsoRecord also) {
  auto opened = open(session, trace, false);
  if (has_profiles(opened.plan))
    return opened;

  if (!opened.archive)
    open_archive(session, opened);
  profile_plan(session, opened, also);

  return opened;
}

Opened open_groups(Session& session, const std::string& trace, const GroupOptions& options,
                   bool anew) {
  auto opened = open_profiles(session, trace, choose_records(options));
  if (!opened.plan.groups || anew)
    group_plan(session, opened, options);

  return opened;
}

Comparison choose_comparison(Session& session, const Plan& plan, const ComparisonOptions& options) {
  auto comparison = change_comparison(plan.comparison, options);
  for (const auto& words : find_idle_patterns(plan, comparison))
    session.diagnostics.warn(words);

  return comparison;
}

AlsoRecord choose_records(const GroupOptions& options, bool keeps_messages) {
  const bool compares = options.comparison.by == CompareBy::signature;

  return {keeps_messages ? RecordOperations::with_gaps
          : compares     ? RecordOperations::yes
                         : RecordOperations::no};
}

void group_plan(Session& session, Opened& opened, const GroupOptions& options) {
  check_grouping(options);
  auto& plan = opened.plan;
  plan.comparison = {};
  const auto comparison = choose_comparison(session, plan, options.comparison);
  if (comparison.by != CompareBy::signature) {
    group(plan, options.threshold.value_or(1), comparison);
    return;
  }

  if (!opened.archive)
    open_archive(session, opened);
  if (was_reduced(*opened.archive)) {
    opened.communication = read_stored_communication(*opened.archive, plan.processes);
    if (!opened.communication)
      throw_no_messages(plan);
  }

  profile_plan(session, opened, {RecordOperations::yes});
  if (!opened.communication)
    throw_too_many_operations(plan);
  group_by_signature(plan, *opened.communication, comparison);
  name_ranks_stood_for(*opened.archive, *opened.communication, plan);
}

void note_effect_of_merging(Session& session, const Plan& plan) {
  constexpr std::size_t many_groups = 32;
  const bool can_merge = plan.threshold == 1 && plan.comparison.by != CompareBy::signature;
  if (!can_merge || plan.groups->size() <= many_groups || plan.groups->size() > most_compared_sets)
    return;

  auto merged = plan;
  group(merged, default_threshold, plan.comparison);
  session.diagnostics.note(fmt::format("{} groups; --threshold {} would leave {}",
                                       group_digits(plan.groups->size()), default_threshold,
                                       group_digits(merged.groups->size())));
}

void keep_messages(Session& session, Opened& opened, bool asked) {
  if (was_reduced(*opened.archive)) {
    opened.plan.messages = read_stored_messages(*opened.archive);
    if (!opened.plan.messages && asked)
      session.diagnostics.note("no messages were kept when the trace was reduced before");
    return;
  }

  if (!opened.communication) {
    session.diagnostics.note("messages are not kept: they need more memory than there is");
    return;
  }

  auto messages = fold_messages_within(*opened.communication,
                                       asked ? no_bound_of_messages : most_unasked_messages);
  opened.communication.reset();
  if (!messages) {
    session.diagnostics.note(fmt::format(
        "messages are not kept: they would take more than {} (--messages on keeps them)",
        format_bytes(most_unasked_messages)));
    return;
  }

  session.verbose(fmt::format("messages: {} main clusters, {} operations that differ, {:.3f} s",
                              messages->clusters.size(), messages->operations.size(),
                              session.seconds()));
  opened.plan.messages = std::make_shared<const Messages>(std::move(*messages));
}

const Messages& find_messages(Session& session, Opened& opened) {
  auto& messages = opened.plan.messages;
  if (messages)
    return *messages;

  if (was_reduced(*opened.archive)) {
    messages = read_stored_messages(*opened.archive);
    if (!messages)
      throw_no_messages(opened.plan);
    return *messages;
  }

  profile_plan(session, opened, {RecordOperations::yes});
  if (!opened.communication)
    throw_too_many_operations(opened.plan);
  messages = std::make_shared<const Messages>(fold_messages(*opened.communication));

  return *messages;
}

void fold_plan(Session& session, Opened& opened, const FoldOptions& options) {
  const auto& archive = *opened.archive;
  auto& plan = opened.plan;
  const auto loops = find_loops_to_fold(
      {archive, plan, session.read_options("iterations"), session.diagnostics}, options);
  fold_iterations(archive, plan, loops, options, session.read_options("cluster"),
                  session.diagnostics, opened.calls ? &*opened.calls : nullptr);
  session.verbose(fmt::format("iterations: {} loops on {} processes, {:.3f} s",
                              plan.iterations->loops.size(), plan.iterations->processes.size(),
                              session.seconds()));
}

void check_output(const OutputOptions& options) {
  if (options.dry_run)
    return;
  if (options.folder.empty())
    throw Error(ErrorKind::usage, "no output is given").hint("say where with -o FOLDER");
  check_replaceable(options.folder, options.rewrite.force);
}

RewriteSummary write_plan(Session& session, const Archive& archive, const Plan& plan,
                          const OutputOptions& output) {
  auto options = output.rewrite;
  static_cast<ReadOptions&>(options) = session.read_options("rewrite");
  if (output.dry_run)
    return estimate_rewrite(archive, plan, options, session.diagnostics);

  const auto done = rewrite(archive, plan, output.folder, options, session.diagnostics);
  session.verbose(fmt::format("rewrite: done{} after {:.3f} s, peak memory {}",
                              done.checked ? " and read again" : "", session.seconds(),
                              format_bytes(measure_peak_memory())));

  return done;
}

void print_plan(const Session& session, const Plan& plan, const std::optional<Format>& format,
                const std::string& table, const std::string& csv) {
  session.clear_line();
  switch (format.value_or(stdout_is_terminal() ? Format::table : Format::json)) {
    case Format::table: print(table); break;
    case Format::csv: print(csv); break;
    case Format::json: print(to_json(plan)); break;
  }
}

void put_drawing(const Session& session, const DrawingOptions& options, const std::string& svg,
                 const std::string& what) {
  session.clear_line();
  if (options.out == "-") {
    print(svg);
    return;
  }

  publish_file(options.out, svg, options.force);
  session.note(fmt::format("{} is in {}", what, make_printable(options.out)));
}

}  // namespace tracefold::cli
