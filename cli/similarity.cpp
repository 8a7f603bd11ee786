#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "emitters/groups/similarity_formats.hpp"
#include "filters/groups/compare_groups.hpp"
#include "filters/groups/find_process_pairs.hpp"
#include "filters/groups/group.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/whole_program.hpp"

namespace tracefold::cli {

namespace {

struct SimilarityOptions : TraceOptions {
  std::optional<Format> format;
  bool subsumption = false, pairs = false;
  GroupOptions grouping;
};

void check(const SimilarityOptions& options) {
  const auto& comparison = options.grouping.comparison;
  if (options.pairs && options.subsumption)
    throw Error(ErrorKind::usage, "--subsumption is of groups, and --pairs of processes")
        .hint("give one of them");
  if (options.pairs &&
      (!comparison.ignore.empty() || comparison.ignore_root || !comparison.combine.empty()))
    throw Error(ErrorKind::usage, "--pairs names processes of groups, and does not compare these")
        .hint("'tracefold group' says what to compare, and its plan comes in through a pipe");
  if (!options.pairs && comparison.by == CompareBy::signature)
    throw Error(ErrorKind::usage, "--by signature makes groups, and is not measured")
        .hint("pairs or functions; or 'tracefold group --by signature'");
  if (options.pairs && !options.more.empty())
    throw Error(ErrorKind::usage, "--pairs names processes of one run").hint("give one trace");
  check_grouping(options.grouping);
}

// The two processes of each group that differ most.
void show_pairs(const Session& session, PlanSession& opened, const SimilarityOptions& options) {
  opened.ask_for_all();
  opened.profile(choose_extras(options.grouping));
  opened.require_groups(options.grouping);
  const auto* program = opened.program();
  const auto percent = program ? program->stored->detail().percent : 0;
  print_result(session, options.format, opened.plan(),
               find_process_pairs(opened.plan(), most_compared_with_all, percent));
}

GroupMeasure choose_measure(const SimilarityOptions& options) {
  return options.subsumption ? GroupMeasure::subsumption : GroupMeasure::similarity;
}

void show_groups_compared(Session& session, PlanSession& opened, const SimilarityOptions& options) {
  opened.profile();
  if (!opened.plan().groups || options.grouping.threshold)
    opened.group(options.grouping);

  const auto& plan = opened.plan();
  const auto comparison = choose_comparison(plan, options.grouping.comparison, session.diagnostics);
  print_result(session, options.format, plan,
               compare_groups(plan, comparison, choose_measure(options)));
}

void show_runs_compared(Session& session, const SimilarityOptions& options) {
  auto runs = open_runs(session, options);
  auto& plan = runs.all;
  const auto comparison = choose_comparison(plan, options.grouping.comparison, session.diagnostics);
  group(plan, options.grouping.threshold.value_or(1), comparison);
  print_result(session, options.format, compare_groups(runs, comparison, choose_measure(options)));
}

int run_similarity(Session& session, const SimilarityOptions& options) {
  check(options);
  if (compares_runs(session, options)) {
    show_runs_compared(session, options);
    return 0;
  }
  auto opened = open_plan(session, options, false);
  if (options.pairs)
    show_pairs(session, opened, options);
  else
    show_groups_compared(session, opened, options);

  return 0;
}

}  // namespace

void add_similarity(Commands& commands) {
  auto options = std::make_shared<SimilarityOptions>();
  auto* command =
      commands.add("similarity", "Print how alike groups of processes are.",
                   "  tracefold similarity app/traces.otf2 --subsumption\n"
                   "  tracefold similarity 16/traces.otf2 64/traces.otf2 256/traces.otf2\n"
                   "  tracefold group app/traces.otf2 | tracefold similarity --pairs",
                   options, run_similarity);

  add_trace_or_plan(command, *options);
  add_more_runs(command, *options);
  add_by_and_threshold(command, options->grouping);
  command->get_option("--by")->description("What to compare (pairs); signature only with --pairs");
  add_shared_comparison(command, options->grouping.comparison);
  command->add_flag("--subsumption", options->subsumption,
                    "How much of the column's work the row's processes do");
  command->add_flag("--pairs", options->pairs,
                    "Name the two processes of a group that differ most");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
