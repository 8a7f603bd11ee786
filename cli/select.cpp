#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "filters/groups/select.hpp"

#include "emitters/groups/group_formats.hpp"
#include "pipeline/reduce/choose_accuracy.hpp"
#include "pipeline/reduce/original_ids.hpp"

namespace tracefold::cli {

namespace {

struct SelectOptions : PlanOptions {
  Selection selection;
  LocationList always;  // kept, too, for themselves
  std::optional<Accuracy> accuracy = {};
  std::optional<HaloOptions> halo = {};
};

int run_select(Session& session, const SelectOptions& options) {
  check_selection(options.selection, options.accuracy);
  const bool makes_plan = !reads_plan(options);
  auto opened = open_plan(session, options, makes_plan, PlanUse::select);
  if (makes_plan) {
    opened.profile();
    opened.group({});
  }

  auto& plan = opened.plan();
  if (plan.iterations)
    session.diagnostics.warn(
        "the plan's iterations were chosen for other processes, and are left out: run 'iterations' "
        "after 'select'");

  auto selection = options.selection;
  selection.always = find_listed_in(opened, options.always);
  opened.select(
      options.accuracy ? choose_per_group(opened, selection, *options.accuracy) : selection,
      options.halo.value_or(HaloOptions{}));
  print_plan(
      session, plan, options.format, [&] { return to_group_table(plan); },
      [&] { return to_group_csv(plan); });

  return 0;
}

}  // namespace

void add_select(Commands& commands) {
  auto options = std::make_shared<SelectOptions>();
  auto* command = commands.add(
      "select", "Choose a representative of each group.",
      "  tracefold group app/traces.otf2 | tracefold select --representative slowest\n  tracefold "
      "group app/traces.otf2 | tracefold select | tracefold write -o small",
      options, run_select);

  add_plan(command, *options);
  add_selection(command, options->selection, options->always, options->accuracy);
  add_halo(command, options->halo, "auto");
}

}  // namespace tracefold::cli
