#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "filters/groups/select.hpp"

#include "emitters/groups/group_formats.hpp"
#include "pipeline/reduce/choose_rows.hpp"
#include "pipeline/reduce/original_ids.hpp"

namespace tracefold::cli {

namespace {

struct SelectOptions : PlanOptions {
  SelectionOptions selection;
  std::optional<HaloOptions> halo = {};
};

int run_select(Session& session, const SelectOptions& options) {
  const auto& [selection_asked, always, to, accuracy] = options.selection;
  check_selection(selection_asked);
  if (to && to->bytes > 0)
    throw Error(ErrorKind::usage, "--to takes a number of rows here: a size is of what is written")
        .hint("tracefold reduce TRACE -o OUTPUT --to SIZE");
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

  auto selection = selection_asked;
  selection.always = find_listed_in(opened, always);
  const auto halo = choose_halo_of(options.halo, to);
  if (to || accuracy) {
    ChosenRows rows(opened, selection, halo);
    to ? rows.fit(to->rows) : rows.reach(*accuracy);
  } else {
    opened.select(selection, halo);
  }
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
  add_selection(command, options->selection);
  command->add_flag_callback(
      "--exact", [options] { options->selection.selection.keep_odd = false; }, one_for_each_kind);
  add_halo(command, options->halo, "auto");
}

}  // namespace tracefold::cli
