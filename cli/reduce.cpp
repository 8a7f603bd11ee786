#include "cli/command.hpp"
#include "cli/stages.hpp"
#include "cli/summary.hpp"

#include "emitters/groups/group_formats.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/profile/stored_aggregates.hpp"

namespace tracefold::cli {

namespace {

struct ReduceOptions {
  std::string trace;
  GroupOptions grouping;
  std::optional<bool> messages;
  Selection selection;
  FoldingOptions folding;
  OutputOptions output;
  std::optional<Format> format;
};

std::string format_summary(const Session& session, const Archive& archive, const Plan& plan,
                           const RewriteSummary& done, const ReduceOptions& options) {
  switch (options.format.value_or(Format::table)) {
    case Format::csv: return to_group_csv(plan);
    case Format::json:
      return summarize_as_json(session, "tracefold_reduce", archive, plan, done,
                               options.output.folder);
    case Format::table: break;
  }

  return to_group_table(plan, choose_long_cells()) + "\n" +
         summarize_rewrite(session, archive, plan, done);
}

int run_reduce(Session& session, const ReduceOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold reduce app/traces.otf2 -o small', or - for a plan on stdin");

  check_output(options.output);
  const auto fold = choose_folding(options.folding, FoldOptions{});
  check_grouping(options.grouping);
  auto opened = open(session, options.trace, true);
  const bool keeps_messages = options.messages.value_or(true);
  auto also = choose_records(options.grouping, keeps_messages);
  if (fold)
    also.waits = fold->errors == MeasuredProcesses::kept ? RecordWaits::of_sends : RecordWaits::all;
  profile_plan(session, opened, also);
  group_plan(session, opened, options.grouping);
  note_effect_of_merging(session, opened.plan);
  if (keeps_messages)
    keep_messages(session, opened, options.messages.has_value());
  select(opened.plan, options.selection);
  if (fold)
    fold_plan(session, opened, *fold);
  carry_aggregates(*opened.archive, opened.plan);

  const auto done = write_plan(session, *opened.archive, opened.plan, options.output);
  if (!session.options().quiet || options.format)
    print_summary(session, format_summary(session, *opened.archive, opened.plan, done, options),
                  options.format, done.is_estimate ? "" : options.output.folder);

  return 0;
}

}  // namespace

void add_reduce(Commands& commands) {
  auto options = std::make_shared<ReduceOptions>();
  auto* command = commands.add("reduce", "Keep one process of each kind, and write a small trace.",
                               "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce "
                               "app/traces.otf2 -o small --representative slowest",
                               options, run_reduce);

  add_trace(command, options->trace, "Anchor file of the trace");
  add_output(command, options->output);
  add_format(command, options->format, "The summary: table (the default), csv or json");
  add_grouping(command, options->grouping);
  add_messages(command, options->messages, "on");
  add_selection(command, options->selection, "--representative");
  add_folding(command, options->folding, "Keep C clusters of iterations, or all (64)");
}

}  // namespace tracefold::cli
