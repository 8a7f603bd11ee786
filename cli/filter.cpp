#include "cli/command.hpp"

#include "base/ranges.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct FilterOptions : PlanOptions {
  std::vector<std::string> drop, keep;
  std::string locations;
};

int filter(Session& session, const FilterOptions& options) {
  if (!options.locations.empty())
    from_ranges(options.locations);

  auto opened = open(session, options.trace, false);
  if (!opened.plan.processes.empty() || opened.plan.groups)
    throw Error(ErrorKind::usage, "the plan is grouped already")
        .hint("use 'tracefold filter' before 'tracefold group'");

  opened.plan.filters.push_back({options.drop, options.keep, options.locations});
  print_plan(session, opened.plan, options.json,
             fmt::format("{} filters on {}\n", opened.plan.filters.size(),
                         printable(opened.plan.trace.anchor)));

  return 0;
}

}  // namespace

void add_filter(Commands& commands) {
  auto options = std::make_shared<FilterOptions>();
  auto* command =
      commands.add("filter", "Say which functions and processes count.",
                   "  tracefold filter app/traces.otf2 --drop 'MPI_Comm_*' | tracefold group\n  "
                   "tracefold filter app/traces.otf2 --locations 0-63 | tracefold write -o part",
                   options, filter);

  add_plan(command, *options);
  command
      ->add_option("--drop", options->drop,
                   "Drop calls of functions whose name matches; may repeat")
      ->option_text("GLOB");

  command
      ->add_option("--keep", options->keep, "Keep only calls of functions that match; may repeat")
      ->option_text("GLOB");
  command
      ->add_option("--locations", options->locations, "Keep only these location ids, as in 0-6:2,9")
      ->option_text("RANGES");
}

}  // namespace tracefold::cli
