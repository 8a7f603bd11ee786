#include "cli/command.hpp"
#include "cli/ending.hpp"
#include "cli/open_plan.hpp"
#include "cli/report_made.hpp"

#include "emitters/groups/group_formats.hpp"
#include "filters/groups/group.hpp"
#include "model/iterations/fold_options.hpp"

namespace tracefold::cli {

namespace {

struct ReduceCommandOptions : TraceOptions {
  ReduceOptions reduce;
  FoldingOptions folding;
  std::optional<HaloOptions> halo;
  std::optional<MessageChoice> messages;
  std::optional<Format> format;
};

std::string format_summary(const Session& session, const Reduction& made,
                           const ReduceCommandOptions& options) {
  return format_as(
      options.format, [&] { return write_ending(session, made); },
      [&] { return to_group_csv(made.plan); },
      [&] { return summarize_as_json(session, "tracefold_reduce", made); });
}

int run_reduce(Session& session, const ReduceCommandOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold reduce app/traces.otf2 -o small', or - for a plan on stdin");

  auto reduction = options.reduce;
  check_output_options(reduction.output);
  reduction.folding = choose_folding(options.folding, reduction.folding);
  auto halo = options.halo;
  choose_messages(options.messages, halo, reduction.output);
  reduction.halo = halo.value_or(reduction.halo);
  if (options.messages)
    reduction.messages =
        *options.messages == MessageChoice::off ? KeepMessages::no : KeepMessages::yes;
  check_grouping(reduction.grouping);
  if (reduction.accuracy && !options.folding.off && options.folding.clusters->count() > 0)
    throw Error(ErrorKind::usage, "--accuracy and --iterations both say how many iterations stay")
        .hint("give one of them, or --iterations off");

  const auto made = reduce(open_plan(session, options), reduction);
  report_rewrite(session, made);
  if (!session.options().quiet || options.format)
    print_summary(session, format_summary(session, made, options), options.format, made.folder);

  return 0;
}

}  // namespace

void add_reduce(Commands& commands) {
  auto options = std::make_shared<ReduceCommandOptions>();
  auto* command = commands.add("reduce", "Keep one process of each kind, and write a small trace.",
                               "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce "
                               "app/traces.otf2 -o small --representative slowest",
                               options, run_reduce);

  auto& reduction = options->reduce;
  add_trace_or_plan(command, *options, "Anchor file of the trace; -: a plan on stdin");
  add_output(command, reduction.output);
  add_format(command, options->format, "The summary: table (the default), csv or json");
  add_grouping(command, reduction.grouping);
  add_messages(command, options->messages);
  add_selection(command, reduction.selection, reduction.always, reduction.accuracy);
  add_halo(command, options->halo, "auto");
  add_folding(
      command, options->folding,
      fmt::format("Keep C clusters of iterations, or all ({})", reduction.folding->max_clusters));
}

}  // namespace tracefold::cli
