#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/groups/group_formats.hpp"
#include "filters/groups/select.hpp"

namespace tracefold::cli {

namespace {

struct ReduceOptions {
  std::string trace;
  GroupOptions grouping;
  Selection selection;
  FoldingOptions folding;
  OutputOptions output;
};

int run_reduce(Session& session, const ReduceOptions& options) {
  check_output(options.output);
  const auto fold = choose_folding(options.folding, FoldOptions{});
  auto opened = open(session, options.trace, true);
  profile_plan(session, opened);
  group_plan(session, opened.plan, options.grouping);
  select(opened.plan, options.selection);
  if (fold)
    fold_plan(session, *opened.archive, opened.plan, *fold);

  const auto done = write_plan(session, *opened.archive, opened.plan, options.output);
  session.clear_line();
  if (!session.options().quiet)
    print(to_group_table(opened.plan) + "\n" +
          summarize_rewrite(session, *opened.archive, opened.plan, done));

  return 0;
}

}  // namespace

void add_reduce(Commands& commands) {
  auto options = std::make_shared<ReduceOptions>();
  auto* command = commands.add("reduce", "Keep one process of each kind, and write a small trace.",
                               "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce "
                               "app/traces.otf2 -o small --exact --representative slowest",
                               options, run_reduce);

  add_trace(command, options->trace, "Anchor file of the trace");
  add_output(command, options->output);
  add_grouping(command, options->grouping);
  add_selection(command, options->selection, "--representative");
  add_folding(command, options->folding, "Keep C clusters of iterations, or all (64)");
}

}  // namespace tracefold::cli
