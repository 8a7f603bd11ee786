#include "cli/open_plan.hpp"

#include "pipeline/program/whole_program.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace tracefold::cli {

namespace {

void check_no_plan_is_ignored(const TraceOptions& options) {
  if (!options.moved_trace.empty())
    throw Error(ErrorKind::usage,
                "--trace says where the trace of a plan on stdin is, which is "
                "not read where a trace is given")
        .hint("give one of them");

  if (begins_as_plan(peek_stdin(longest_plan_begin)))
    throw Error(ErrorKind::usage,
                "a trace is given, and a plan is on stdin, which is not read then")
        .hint("to use the plan: '--trace " + options.trace + "' in place of the trace");
}

std::string find_moved(const std::string& trace) {
  std::error_code unknown;
  const auto anchor = std::filesystem::absolute(trace).lexically_normal();
  if (std::filesystem::status(anchor, unknown).type() == std::filesystem::file_type::not_found)
    throw Error(ErrorKind::input, "no such file")
        .in(anchor.string())
        .hint("give the anchor file, as in app/traces.otf2");
  return anchor.string();
}

}  // namespace

PlanSession open_plan(Session& session, const TraceOptions& options, bool reads_trace,
                      PlanUse use) {
  const auto& trace = options.trace;
  if (!trace.empty() && trace != "-") {
    check_no_plan_is_ignored(options);
    return {open_trace(trace, session.diagnostics, "give a plan on stdin, with '< " + trace + "'"),
            session.context()};
  }

  const auto folder = find_stdin_folder();
  auto plan = plan_from_json(read_stdin(), folder);
  if (use == PlanUse::select && plan.lacks_profiles)
    restore_profiles(plan, folder, session.diagnostics);
  const bool has_moved = !options.moved_trace.empty();
  if (has_moved)
    plan.trace.anchor = find_moved(options.moved_trace);

  PlanSession opened(std::move(plan), use, session.context());
  if (reads_trace || has_moved)
    opened.archive();

  return opened;
}

}  // namespace tracefold::cli
