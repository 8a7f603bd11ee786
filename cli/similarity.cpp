#include "cli/command.hpp"

#include "emitters/similarity_files.hpp"
#include "filters/similarity_table.hpp"

namespace tracefold::cli {

namespace {

struct SimilarityOptions {
  std::string trace, format;
  bool subsumption = false;
  GroupingOptions grouping;

  SimilarityOptions() { grouping.threshold = 1; }
};

int similarity(Session& session, const SimilarityOptions& options) {
  check(options.grouping);
  const auto opened = open_groups(session, options.trace, options.grouping);
  auto comparison = opened.plan.comparison;
  comparison.by = compare_by_of(options.grouping.by);
  const auto table = similarity_table(opened.plan, comparison, options.subsumption);
  session.clear_line();
  switch (format_of(options.format)) {
    case Format::table: print(to_table(table)); break;
    case Format::csv: print(to_csv(table)); break;
    case Format::json: print(to_json(table)); break;
  }
  return 0;
}

}  // namespace

void add_similarity(Commands& commands) {
  auto options = std::make_shared<SimilarityOptions>();
  auto* command = commands.add("similarity", "Print how alike groups of processes are.",
      "  tracefold similarity app/traces.otf2\n  tracefold similarity app/traces.otf2 --by functions --subsumption --format csv > matrix.csv", options, similarity);
  add_trace(command, options->trace, plan_or_trace);
  add_comparison(command, options->grouping);
  command->add_flag("--subsumption", options->subsumption, "How much of the column's work the row's processes do");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
