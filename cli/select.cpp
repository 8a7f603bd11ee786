#include "cli/command.hpp"

#include "filters/select.hpp"

#include "emitters/tables.hpp"
#include "filters/group.hpp"

namespace tracefold::cli {

namespace {

struct SelectOptions : PlanOptions {
  std::string by = "medoid";
};

int run_select(Session& session, const SelectOptions& options) {
  const auto choice = choice_of(options.by);
  auto opened = open(session, options.trace, !options.trace.empty());
  if (opened.archive) {
    need_profiles(session, opened);
    group(opened.plan, default_threshold);
  }
  select(opened.plan, choice);
  print_plan(session, opened.plan, options.json, groups_table(opened.plan));
  return 0;
}

}  // namespace

void add_select(Commands& commands) {
  auto options = std::make_shared<SelectOptions>();
  auto* command = commands.add("select", "Choose a representative of each group.",
      "  tracefold group app/traces.otf2 | tracefold select --by slowest\n  tracefold group app/traces.otf2 | tracefold select | tracefold write -o small", options, run_select);
  add_plan(command, *options);
  command->add_option("--by", options->by, "Whom to keep: first, medoid or slowest (medoid)")->option_text("WAY");
}

}  // namespace tracefold::cli
