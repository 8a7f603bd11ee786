#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "emitters/groups/group_formats.hpp"
#include "emitters/groups/reason_formats.hpp"
#include "filters/groups/explain_groups.hpp"
#include "filters/groups/group.hpp"
#include "pipeline/reduce/profile_plan.hpp"

namespace tracefold::cli {

namespace {

struct GroupCommandOptions : PlanOptions {
  PartOptions part;
  GroupOptions grouping;
  KeepMessages messages = KeepMessages::no;
  bool asks_why = false;
};

// Groups that are in the plan already are explained as they are.
void show_reasons(const Session& session, PlanSession& opened, const GroupCommandOptions& options) {
  opened.ask_for_all();
  const auto calls = read_call_paths(opened, options.grouping, {});
  auto reasons = opened.explain_groups();
  const auto& plan = opened.plan();
  add_shares(reasons, plan, calls);
  print_as(
      session, options.format, [&] { return to_why_table(plan, reasons); },
      [&] { return to_why_csv(plan, reasons); }, [&] { return to_why_json(plan, reasons); });
}

int run_group(Session& session, const GroupCommandOptions& options) {
  check_grouping(options.grouping);
  auto opened = open_plan(session, options);
  apply_part(opened, options.part);
  if (options.asks_why) {
    show_reasons(session, opened, options);
    return 0;
  }
  if (choose_plan_format(options.format) != Format::json)  // a plan is of the trace as it is
    opened.ask_for_all();
  opened.make_groups(options.grouping, options.messages);
  const auto& plan = opened.plan();
  print_plan(
      session, plan, options.format, [&] { return to_group_table(plan); },
      [&] { return to_group_csv(plan); });

  return 0;
}

}  // namespace

void add_group(Commands& commands) {
  auto options = std::make_shared<GroupCommandOptions>();
  auto* command =
      commands.add("group", "Find processes that do the same work.",
                   "  tracefold group app/traces.otf2\n  tracefold group "
                   "app/traces.otf2 --threshold 0.83 | tracefold select\n  tracefold group "
                   "app/traces.otf2 --why",
                   options, run_group);
  add_plan(command, *options);
  add_part(command, options->part);
  add_grouping(command, options->grouping);
  add_choice(command, "--messages", options->messages,
             {{"on", KeepMessages::yes}, {"off", KeepMessages::no}},
             "Keep all communication in the plan: on or off")
      ->option_text("WHEN");
  command->add_flag("--why", options->asks_why, "Say what sets groups apart, instead of a plan");
}

}  // namespace tracefold::cli
