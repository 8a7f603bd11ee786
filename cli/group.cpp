#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "emitters/groups/group_drawing.hpp"
#include "emitters/groups/group_formats.hpp"
#include "emitters/groups/reason_formats.hpp"
#include "emitters/messages/skeleton_formats.hpp"
#include "filters/groups/explain_groups.hpp"
#include "filters/groups/group.hpp"
#include "filters/iterations/gather_rows.hpp"
#include "filters/messages/make_skeletons.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct GroupCommandOptions : PlanOptions {
  PartOptions part;
  GroupOptions grouping;
  KeepMessages messages = KeepMessages::no;
  bool asks_why = false, asks_skeleton = false;
  std::vector<std::size_t> grid;  // sizes; empty: as the trace says
  DrawingOptions drawing;

  bool draws() const { return !drawing.out.empty(); }
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

// A skeleton is of ranks that communicate alike.
GroupOptions choose_grouping(const GroupCommandOptions& options) {
  auto grouping = options.grouping;
  if (!options.asks_skeleton)
    return grouping;
  if (options.asks_why)
    throw Error(ErrorKind::usage, "--skeleton and --why show different things")
        .hint("give one of them");
  auto& by = grouping.comparison.by;
  if (by.value_or(CompareBy::signature) != CompareBy::signature)
    throw Error(ErrorKind::usage, "--skeleton is of groups by signature")
        .hint("give it without --by");
  by = CompareBy::signature;
  return grouping;
}

void show_skeletons(const Session& session, PlanSession& opened,
                    const GroupCommandOptions& options) {
  const auto profiles = read_process_profiles(opened, {}, {});
  const auto& plan = opened.plan();
  const auto skeletons = make_skeletons(plan, opened.find_communication(), profiles);
  print_as(
      session, options.format, [&] { return to_skeleton_table(plan, skeletons); },
      [&] { return to_skeleton_csv(skeletons); }, [&] { return to_json(plan); });
}

void draw_groups(const Session& session, PlanSession& opened, const GroupCommandOptions& options) {
  const auto& plan = opened.plan();
  auto places = opened.find_places();
  place_ranks(plan, options.grid, places);
  const auto rows = list_wanted_rows(plan, places, RowChoice::topology);
  const auto svg = to_svg(plan, {rows.rows, rows.names, rows.members, rows.axes, rows.places});
  put_drawing(session, options.drawing, svg, "the drawing of the groups");
}

int run_group(Session& session, const GroupCommandOptions& options) {
  check_drawing(options.drawing, options.format);
  if (options.draws() && (options.asks_why || options.asks_skeleton))
    throw Error(ErrorKind::usage, fmt::format("-o draws groups, and {} is text",
                                              options.asks_why ? "--why" : "--skeleton"))
        .hint("give one of them");
  if (!options.draws() && !options.grid.empty())
    throw Error(ErrorKind::usage, "--grid says where a drawing has the ranks")
        .hint("give -o FILE.svg, too");
  const auto grouping = choose_grouping(options);
  check_grouping(grouping);
  auto opened = open_plan(session, options);
  apply_part(opened, options.part);
  if (options.asks_why) {
    show_reasons(session, opened, options);
    return 0;
  }
  const bool shows_skeleton = options.asks_skeleton && options.format != Format::json;
  const bool is_plan =
      !shows_skeleton && !options.draws() && choose_plan_format(options.format) == Format::json;
  if (!is_plan)  // a plan is of the trace as it is
    opened.ask_for_all();
  opened.make_groups(grouping, options.messages);
  if (options.draws()) {
    draw_groups(session, opened, options);
    return 0;
  }
  if (shows_skeleton) {
    show_skeletons(session, opened, options);
    return 0;
  }
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
  command->add_flag("--skeleton", options->asks_skeleton,
                    "Show what each group communicates, as a program");
  command->add_flag("--why", options->asks_why, "Say what sets groups apart, instead of a plan");
  add_drawing(command, options->drawing);
  add_grid(command, options->grid);
}

}  // namespace tracefold::cli
