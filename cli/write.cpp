#include "cli/command.hpp"

namespace tracefold::cli {

namespace {

struct WriteOptions {
  std::string trace;
  OutputOptions output;
};

int write(Session& session, const WriteOptions& options) {
  check(options.output);
  auto opened = open(session, options.trace, true);
  const bool keeps_all = opened.plan.processes.empty() && opened.plan.filters.empty() && !session.options().partial;
  if (!keeps_all) need_profiles(session, opened);
  const auto done = write_plan(session, *opened.archive, opened.plan, options.output);
  if (keeps_all) opened.plan.trace.events = done.read;
  if (!session.options().quiet) session.note(summary_of(session, *opened.archive, opened.plan, done));
  return 0;
}

}  // namespace

void add_write(Commands& commands) {
  auto options = std::make_shared<WriteOptions>();
  auto* command = commands.add("write", "Write the trace that a plan describes.",
      "  tracefold group app/traces.otf2 | tracefold select | tracefold write -o small\n  tracefold write -o small < plan.json", options, write);
  add_trace(command, options->trace, plan_or_trace);
  add_output(command, options->output);
}

}  // namespace tracefold::cli
