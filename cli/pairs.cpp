#include "cli/command.hpp"

#include "emitters/groups/pair_files.hpp"
#include "filters/groups/similar_pairs.hpp"

namespace tracefold::cli {

namespace {

struct PairsOptions {
  std::string trace, format;
  GroupingOptions grouping;
};

int pairs(Session& session, const PairsOptions& options) {
  check(options.grouping);
  const auto format = format_of(options.format);
  const auto opened =
      open_groups(session, options.trace, options.grouping, options.grouping.groups());
  const auto found = pairs_to_compare(opened.plan);
  session.clear_line();
  switch (format) {
    case Format::table: print(to_table(opened.plan, found)); break;
    case Format::csv: print(to_csv(opened.plan, found)); break;
    case Format::json: print(to_json(opened.plan, found)); break;
  }

  return 0;
}

}  // namespace

void add_pairs(Commands& commands) {
  auto options = std::make_shared<PairsOptions>();
  auto* command = commands.add("pairs", "Name the two processes of a group that differ most.",
                               "  tracefold pairs app/traces.otf2\n  tracefold group "
                               "app/traces.otf2 --exact | tracefold pairs --format csv",
                               options, pairs);

  add_trace(command, options->trace, plan_or_trace);
  add_format(command, options->format);
  add_grouping(command, options->grouping);
}

}  // namespace tracefold::cli
