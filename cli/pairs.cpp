#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/groups/similarity_formats.hpp"
#include "filters/groups/find_process_pairs.hpp"

namespace tracefold::cli {

namespace {

struct PairsOptions {
  std::string trace;
  std::optional<Format> format;
  GroupOptions grouping;
};

int run_pairs(Session& session, const PairsOptions& options) {
  const auto opened =
      open_groups(session, options.trace, options.grouping, !options.grouping.are_defaults());
  const auto found = find_process_pairs(opened.plan);
  session.clear_line();
  switch (options.format.value_or(Format::table)) {
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
                               options, run_pairs);

  add_trace(command, options->trace, plan_or_trace);
  add_format(command, options->format);
  add_grouping(command, options->grouping);
}

}  // namespace tracefold::cli
