#include "cli/open_plan.hpp"

#include "base/read_file.hpp"
#include "base/same_files.hpp"
#include "base/tar_reader.hpp"
#include "base/team.hpp"
#include "cli/pipeline_stdin.hpp"
#include "emitters/show_names.hpp"
#include "filters/groups/unite_runs.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/streams/packed_trace.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tracefold::cli {

namespace {

std::string find_moved(const std::string& trace) {
  std::error_code unknown;
  const auto anchor = std::filesystem::absolute(trace).lexically_normal();
  if (std::filesystem::status(anchor, unknown).type() == std::filesystem::file_type::not_found)
    throw Error(ErrorKind::input, "no such file")
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");
  return anchor.string();
}

void check_tar_is_wanted(const TraceOptions& options) {
  if (!options.takes_tar || options.trace != "-")
    throw Error(ErrorKind::usage, "a tar is on stdin, where a plan is read")
        .hint("'tracefold reduce -' reads a trace from there; give others its file");
  if (!options.moved_trace.empty())
    throw Error(ErrorKind::usage,
                "a trace comes on stdin, and --trace says where the trace of a plan is")
        .hint("give one of them");
}

// Whether these bytes tell a plan from what is none.
bool is_told(std::string_view begin) {
  const auto first = begin.find_first_not_of(" \t\r\n");
  return begins_as_plan(begin) || (first != begin.npos && begin[first] != '{');
}

std::string await_pipe_of_team() {
  return compute_once<std::string>(membership().team,
                                   [] { return await_pipe_on_stdin(longest_plan_begin, is_told); });
}

// What is unpacked lies on one node.
void refuse_packed_trace(const std::string& name) {
  if (membership().team)
    throw Error(ErrorKind::usage, "is packed, and every process would unpack it by itself")
        .in(name)
        .hint("unpack it where all nodes see it");
}

}  // namespace

std::shared_ptr<const Archive> open_given_trace(Session& session, const std::string& trace,
                                                const std::string& hint) {
  session.name_trace(trace);
  const auto& general = session.options();
  if (general.as_one) {
    auto archive = open_as_one(trace, general.of_archives, general.partial, session.diagnostics);
    know_functions(FunctionTable(archive->definitions(), {}).functions());
    return archive;
  }
  if (auto* team = membership().team; team && trace != "-") {
    check_same_file(team, trace);
    if (is_packed_trace(trace, read_file_begin(trace, longest_tar_begin)))
      refuse_packed_trace(trace);
  }
  auto archive = hint.empty() ? open_trace(trace, session.diagnostics)
                              : open_trace(trace, session.diagnostics, hint);
  know_functions(FunctionTable(archive->definitions(), {}).functions());
  return archive;
}

bool reads_plan(const TraceOptions& options) {
  return options.trace.empty() || options.trace == "-" ||
         begins_as_plan(peek_stdin(longest_plan_begin)) || begins_as_plan(await_pipe_of_team());
}

PlanSession open_plan(Session& session, const TraceOptions& options, bool reads_trace,
                      PlanUse use) {
  const bool is_given = !options.trace.empty() && options.trace != "-";
  if (is_given && !options.moved_trace.empty())
    throw Error(ErrorKind::usage,
                "--trace says where the trace of a plan on stdin is, and another trace is given")
        .hint("give one of them");
  if (!reads_plan(options)) {
    session.leave_stdin(options.trace);
    return {open_given_trace(session, options.trace,
                             "give a plan on stdin, with '< " + options.trace + "'"),
            session.context()};
  }

  const auto& moved = is_given ? options.trace : options.moved_trace;
  auto begin = read_stdin_begin(longest_tar_begin);
  if (begin.empty() && options.takes_tar && options.trace == "-")
    throw Error(ErrorKind::input, "stdin: nothing came in, neither a tar nor a plan")
        .hint("the command before in the pipeline has failed, or give a TRACE.otf2");
  if (begins_as_tar(begin)) {
    check_tar_is_wanted(options);
    refuse_packed_trace("stdin");
    return {open_piped_trace(STDIN_FILENO, std::move(begin), "stdin", session.diagnostics),
            session.context()};
  }

  const auto folder = find_stdin_folder();
  auto plan = plan_from_json(read_stdin(std::move(begin)), folder);
  know_functions(plan.functions);
  if (!moved.empty())
    plan.trace.anchor = find_moved(moved);
  check_same_file(membership().team, plan.trace.anchor);
  if (use == PlanUse::select && plan.lacks_profiles)
    restore_profiles(plan, folder, session.diagnostics);

  PlanSession opened(std::move(plan), use, session.context());
  if (reads_trace || !moved.empty())
    opened.archive();

  return opened;
}

bool compares_runs(const Session& session, const TraceOptions& options) {
  return !options.more.empty() && !session.options().as_one;
}

UnitedRuns open_runs(Session& session, const TraceOptions& options) {
  if (!options.moved_trace.empty())
    throw Error(ErrorKind::usage, "--trace says where the trace of a plan is, and runs are given")
        .hint("leave it out");
  auto names = options.more;
  names.insert(names.begin(), options.trace);
  std::vector<Plan> plans;
  for (std::size_t k = 0; k < names.size(); ++k) {
    session.begin_trace(k, names.size());
    PlanSession opened(open_given_trace(session, names[k]), session.context());
    opened.profile();
    plans.push_back(std::move(opened.plan()));
  }
  return unite_runs(std::move(plans), std::move(names));
}

}  // namespace tracefold::cli
