#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/groups/similarity_formats.hpp"
#include "filters/groups/compare_groups.hpp"

namespace tracefold::cli {

namespace {

struct SimilarityOptions {
  std::string trace;
  std::optional<Format> format;
  bool subsumption = false;
  ComparisonOptions comparison;
};

int run_similarity(Session& session, const SimilarityOptions& options) {
  const auto opened = open_groups(session, options.trace, {1, options.comparison});
  const auto comparison = choose_comparison(session, opened.plan, options.comparison);
  const auto measure = options.subsumption ? GroupMeasure::subsumption : GroupMeasure::similarity;
  const auto table = compare_groups(opened.plan, comparison, measure);
  session.clear_line();
  switch (options.format.value_or(Format::table)) {
    case Format::table: print(to_table(opened.plan, table, choose_long_cells())); break;
    case Format::csv: print(to_csv(opened.plan, table)); break;
    case Format::json: print(to_json(opened.plan, table)); break;
  }

  return 0;
}

}  // namespace

void add_similarity(Commands& commands) {
  auto options = std::make_shared<SimilarityOptions>();
  auto* command = commands.add("similarity", "Print how alike groups of processes are.",
                               "  tracefold similarity app/traces.otf2\n  tracefold similarity "
                               "app/traces.otf2 --subsumption --format csv > m.csv",
                               options, run_similarity);

  add_trace(command, options->trace, plan_or_trace);
  add_comparison(command, options->comparison);
  command->add_flag("--subsumption", options->subsumption,
                    "How much of the column's work the row's processes do");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
