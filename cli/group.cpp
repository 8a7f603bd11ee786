#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/groups/group_formats.hpp"

namespace tracefold::cli {

namespace {

struct GroupCommandOptions : PlanOptions {
  GroupOptions grouping;
  std::optional<bool> messages;
};

int run_group(Session& session, const GroupCommandOptions& options) {
  check_grouping(options.grouping);
  auto opened = open(session, options.trace, true);
  const bool keeps_messages = options.messages.value_or(false);
  profile_plan(session, opened, choose_records(options.grouping, keeps_messages));
  group_plan(session, opened, options.grouping);
  note_effect_of_merging(session, opened.plan);
  if (keeps_messages)
    keep_messages(session, opened, options.messages.has_value());
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
  add_messages(command, options->messages, "off");
}

}  // namespace tracefold::cli
