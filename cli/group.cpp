#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/groups/group_formats.hpp"

namespace tracefold::cli {

namespace {

struct GroupCommandOptions : PlanOptions {
  GroupOptions grouping;
};

int run_group(Session& session, const GroupCommandOptions& options) {
  auto opened = open(session, options.trace, true);
  profile_plan(session, opened);
  group_plan(session, opened.plan, options.grouping);
  note_effect_of_merging(session, opened.plan);
  print_plan(session, opened.plan, options.format, to_group_table(opened.plan, choose_long_cells()),
             to_group_csv(opened.plan));

  return 0;
}

}  // namespace

void add_group(Commands& commands) {
  auto options = std::make_shared<GroupCommandOptions>();
  auto* command = commands.add("group", "Find processes that do the same work.",
                               "  tracefold group app/traces.otf2\n  tracefold group "
                               "app/traces.otf2 --threshold 0.83 | tracefold select",
                               options, run_group);
  add_plan(command, *options);
  add_grouping(command, options->grouping);
}

}  // namespace tracefold::cli
