#include "cli/command.hpp"
#include "cli/stages.hpp"
#include "cli/summary.hpp"

#include "pipeline/profile/stored_aggregates.hpp"

namespace tracefold::cli {

namespace {

struct WriteOptions {
  std::string trace;
  FoldingOptions folding;
  OutputOptions output;
  std::optional<Format> format;
};

std::string format_summary(const Session& session, const Opened& opened, const RewriteSummary& done,
                           const WriteOptions& options) {
  switch (options.format.value_or(Format::table)) {
    case Format::csv: return summarize_as_csv(*opened.archive, opened.plan, done);
    case Format::json:
      return summarize_as_json(session, "tracefold_write", *opened.archive, opened.plan, done,
                               options.output.folder);
    case Format::table: break;
  }

  return summarize_rewrite(session, *opened.archive, opened.plan, done);
}

int run_write(Session& session, const WriteOptions& options) {
  check_output(options.output);
  const auto fold = choose_folding(options.folding, std::nullopt);
  auto opened = open(session, options.trace, true, fold ? PlanUse::any : PlanUse::write);
  const bool keeps_all = opened.plan.processes.empty() && opened.plan.filters.empty() &&
                         !session.options().partial && !fold;
  if (!keeps_all)
    profile_plan(session, opened);
  if (keeps_all)
    session.diagnostics.note(
        "every process stays: a trace was given, and no plan; 'reduce' chooses processes");
  if (opened.plan.groups && !opened.plan.representatives)
    session.diagnostics.warn(
        "the plan chooses no representatives, and every process stays: run 'select' before "
        "'write'");
  if (options.folding.off)
    opened.plan.iterations.reset();
  if (options.folding.off && opened.plan.aggregates)
    drop_series(*opened.plan.aggregates);

  if (fold) {
    if (!opened.plan.groups)
      group_plan(session, opened, {});
    fold_plan(session, opened, *fold);
  }

  carry_aggregates(*opened.archive, opened.plan);
  const auto done = write_plan(session, *opened.archive, opened.plan, options.output);
  if (keeps_all)
    opened.plan.trace.events = done.read;

  report_summary(session, format_summary(session, opened, done, options), options.format,
                 done.is_estimate ? "" : options.output.folder);

  return 0;
}

}  // namespace

void add_write(Commands& commands) {
  auto options = std::make_shared<WriteOptions>();
  auto* command = commands.add("write", "Write the trace that a plan describes.",
                               "  tracefold group app/traces.otf2 | tracefold select | tracefold "
                               "write -o small\n  tracefold write -o small < plan.json",
                               options, run_write);

  add_trace(command, options->trace, plan_or_trace);
  add_folding(command, options->folding,
              "Keep C clusters of iterations, or all (as the plan says)");
  add_output(command, options->output);
  add_format(command, options->format, "The summary on stdout: table, csv or json");
}

}  // namespace tracefold::cli
