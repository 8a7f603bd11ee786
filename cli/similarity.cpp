#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "emitters/groups/similarity_formats.hpp"
#include "filters/groups/compare_groups.hpp"

namespace tracefold::cli {

namespace {

struct SimilarityOptions : TraceOptions {
  std::optional<Format> format;
  bool subsumption = false;
  ComparisonOptions comparison;
};

int run_similarity(Session& session, const SimilarityOptions& options) {
  auto opened = open_plan(session, options, false);
  opened.profile();
  if (!opened.plan().groups)
    opened.group({1, options.comparison});

  const auto& plan = opened.plan();
  const auto comparison = choose_comparison(plan, options.comparison, session.diagnostics);
  const auto measure = options.subsumption ? GroupMeasure::subsumption : GroupMeasure::similarity;
  print_result(session, options.format, plan, compare_groups(plan, comparison, measure));

  return 0;
}

}  // namespace

void add_similarity(Commands& commands) {
  auto options = std::make_shared<SimilarityOptions>();
  auto* command = commands.add("similarity", "Print how alike groups of processes are.",
                               "  tracefold similarity app/traces.otf2\n  tracefold similarity "
                               "app/traces.otf2 --subsumption --format csv > m.csv",
                               options, run_similarity);

  add_trace_or_plan(command, *options);
  add_comparison(command, options->comparison);
  command->add_flag("--subsumption", options->subsumption,
                    "How much of the column's work the row's processes do");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
