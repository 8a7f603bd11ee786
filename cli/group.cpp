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
  print_plan(session, opened.plan, options.json, to_group_table(opened.plan));

  return 0;
}

}  // namespace

void add_group(Commands& commands) {
  auto options = std::make_shared<GroupCommandOptions>();
  auto* command = commands.add("group", "Find processes that do the same work.",
                               "  tracefold group app/traces.otf2\n  tracefold group "
                               "app/traces.otf2 --exact | tracefold select > plan.json",
                               options, run_group);
  add_plan(command, *options);
  add_grouping(command, options->grouping);
}

}  // namespace tracefold::cli
