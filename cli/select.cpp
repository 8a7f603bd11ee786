#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "filters/groups/select.hpp"

#include "emitters/groups/group_formats.hpp"

namespace tracefold::cli {

namespace {

struct SelectOptions : PlanOptions {
  Selection selection;
};

int run_select(Session& session, const SelectOptions& options) {
  auto opened = open(session, options.trace, !options.trace.empty());
  if (opened.archive) {
    profile_plan(session, opened);
    group_plan(session, opened, {});
  }

  if (opened.plan.iterations)
    session.diagnostics.warn(
        "the plan's iterations were chosen for other processes, and are left out: run 'iterations' "
        "after 'select'");

  select(opened.plan, options.selection);
  print_plan(session, opened.plan, options.format, to_group_table(opened.plan, choose_long_cells()),
             to_group_csv(opened.plan));

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
  add_selection(command, options->selection, "--representative,--by");
}

}  // namespace tracefold::cli
