#include "cli/command.hpp"

#include "emitters/groups/similarity_files.hpp"
#include "filters/groups/similarity_table.hpp"

namespace tracefold::cli {

namespace {

struct SimilarityOptions {
  std::string trace, format;
  bool subsumption = false;
  GroupingOptions grouping;

  SimilarityOptions() { grouping.exact = true; }
};

int similarity(Session& session, const SimilarityOptions& options) {
  check(options.grouping);
  const auto format = format_of(options.format);
  const auto opened = open_groups(session, options.trace, options.grouping);
  const auto table = similarity_table(
      opened.plan, comparison_of(session, opened.plan, options.grouping), options.subsumption);
  session.clear_line();
  switch (format) {
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
                               "  tracefold similarity app/traces.otf2\n  tracefold similarity "
                               "app/traces.otf2 --subsumption --format csv > m.csv",
                               options, similarity);

  add_trace(command, options->trace, plan_or_trace);
  add_comparison(command, options->grouping);
  command->add_flag("--subsumption", options->subsumption,
                    "How much of the column's work the row's processes do");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
