#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "base/ranges.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct FilterOptions : PlanOptions {
  FilterSection filter;
};

int run_filter(Session& session, const FilterOptions& options) {
  auto opened = open(session, options.trace, false);
  if (!opened.plan.processes.empty() || opened.plan.groups)
    throw Error(ErrorKind::usage, "the plan is grouped already")
        .hint("use 'tracefold filter' before 'tracefold group'");

  opened.plan.filters.push_back(options.filter);
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
                   options, run_filter);

  add_plan(command, *options);
  command
      ->add_option("--drop", options->filter.drop,
                   "Drop calls of functions whose name matches; may repeat")
      ->option_text("GLOB");

  command
      ->add_option("--keep", options->filter.keep,
                   "Keep only calls of functions that match; may repeat")
      ->option_text("GLOB");

  const auto check_ranges = [](const std::string& text) {
    from_ranges(text);
    return text;
  };
  add_parsed(command, "--locations", options->filter.locations, check_ranges,
             "Keep only these location ids, as in 0-6:2,9")
      ->option_text("RANGES");
}

}  // namespace tracefold::cli
