#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"
#include "pipeline/profile/idle_filters.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct FilterOptions : PlanOptions {
  FilterSection filter;
};

std::string list_patterns(const char* what, const std::vector<std::string>& patterns) {
  std::string line;
  for (const auto& pattern : patterns)
    line += fmt::format("{} '{}'", line.empty() ? "" : ",", make_printable(pattern));

  return line.empty() ? line : fmt::format("  {}{}\n", what, line);
}

// What the plan holds, for a person who has not piped it into the next command.
std::string describe_filters(const Plan& plan) {
  auto out = fmt::format("filters of {}\n", make_printable(plan.trace.anchor));
  for (const auto& filter : plan.filters) {
    auto lines = list_patterns("drop calls of", filter.drop) +
                 list_patterns("keep only calls of", filter.keep);
    if (!filter.locations.empty())
      lines += fmt::format("  keep only locations {}\n", filter.locations);
    out += lines.empty() ? "  nothing is left out\n" : lines;
  }

  return out + "They apply in the next command: tracefold filter ... | tracefold group\n";
}

std::string filters_csv(const Plan& plan) {
  std::string out = "filter,what,value\r\n";
  for (std::size_t k = 0; k < plan.filters.size(); ++k) {
    const auto& filter = plan.filters[k];
    for (const auto& pattern : filter.drop)
      out += fmt::format("{},drop,{}\r\n", k, quote_csv(pattern));
    for (const auto& pattern : filter.keep)
      out += fmt::format("{},keep,{}\r\n", k, quote_csv(pattern));
    if (!filter.locations.empty())
      out += fmt::format("{},locations,{}\r\n", k, quote_csv(filter.locations));
  }

  return out;
}

int run_filter(Session& session, const FilterOptions& options) {
  auto opened = open_plan(session, options);
  auto& plan = opened.plan();
  if (!plan.processes.empty() || plan.groups)
    throw Error(ErrorKind::usage, "the plan is grouped already")
        .hint("use 'tracefold filter' before 'tracefold group'");

  warn_of_idle_filters(opened.archive().definitions(), options.filter, session.diagnostics);
  plan.filters.push_back(options.filter);
  print_plan(
      session, plan, options.format, [&] { return describe_filters(plan); },
      [&] { return filters_csv(plan); });

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
  add_repeatable(command, "--drop", options->filter.drop,
                 "Drop calls of functions whose name matches; may repeat")
      ->option_text("GLOB");
  add_repeatable(command, "--keep", options->filter.keep,
                 "Keep only calls of functions that match; may repeat")
      ->option_text("GLOB");

  const auto check_ranges = [](const std::string& text) {
    parse_ranges(text);
    return text;
  };
  add_parsed(command, "--locations", options->filter.locations, check_ranges,
             "Keep only these location ids, as in 0-6:2,9")
      ->option_text("RANGES")
      ->check(not_empty());

  command->footer(
      "GLOB matches names of functions, and file:GLOB their source files, as in\n"
      "--drop 'file:*/numpy/*'.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
