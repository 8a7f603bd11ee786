#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "emitters/groups/similarity_formats.hpp"
#include "filters/groups/find_process_pairs.hpp"
#include "model/plan.hpp"

namespace tracefold::cli {

namespace {

struct PairsOptions : TraceOptions {
  std::optional<Format> format;
  GroupOptions grouping;
};

int run_pairs(Session& session, const PairsOptions& options) {
  auto opened = open_plan(session, options, false);
  opened.ask_for_all();
  opened.profile(choose_extras(options.grouping));
  opened.require_groups(options.grouping);
  print_result(session, options.format, opened.plan(), find_process_pairs(opened.plan()));

  return 0;
}

}  // namespace

void add_pairs(Commands& commands) {
  auto options = std::make_shared<PairsOptions>();
  auto* command = commands.add("pairs", "Name the two processes of a group that differ most.",
                               "  tracefold pairs app/traces.otf2\n  tracefold group "
                               "app/traces.otf2 --exact | tracefold pairs --format csv",
                               options, run_pairs);

  add_trace_or_plan(command, *options);
  add_format(command, options->format);
  add_grouping(command, options->grouping);
}

}  // namespace tracefold::cli
