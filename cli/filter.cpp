#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"
#include "model/process_names.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/original_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracefold::cli {

namespace {

struct FilterOptions : PlanOptions {
  PartOptions part;
};

std::string describe_span(const Plan& plan, const TimeWindow& window, std::uint64_t begin,
                          std::uint64_t end) {
  const auto describe = [&](std::uint64_t time) {
    return fmt::format("{:.6g} s", to_seconds(plan, time - window.first_event));
  };
  return fmt::format("{} to {}", begin == 0 ? "the begin" : describe(begin),
                     end == no_end ? "the end" : describe(end));
}

std::string describe_window(const Plan& plan, const TimeWindow& window) {
  constexpr std::size_t most_spans = 4;
  std::string out = "  keep only ";
  if (window.spans.empty())
    out += "nothing";
  else if (window.spans.size() <= most_spans)
    for (const auto& span : window.spans)
      out += fmt::format("{}{}", &span == &window.spans.front() ? "" : ", ",
                         describe_span(plan, window, span.begin, span.end));
  else
    out += fmt::format(
        "{} parts of {}", window.spans.size(),
        describe_span(plan, window, window.spans.front().begin, window.spans.back().end));

  out += ", from the first event of the trace";
  if (!window.own.empty())
    out += fmt::format("; {} locations have parts of their own", group_digits(window.own.size()));
  return out + "\n";
}

std::string window_csv(std::size_t filter, const TimeWindow& window) {
  std::string out;
  const auto add = [&](const std::string& what, const TimeSpans& spans) {
    for (const auto& span : spans)
      out += fmt::format("{},{},{}-{}\r\n", filter, what, span.begin, span.end);
  };
  add("time", window.spans);
  for (const auto& [location, spans] : window.own)
    add(fmt::format("time of location {}", location), spans);
  return out;
}

std::string list_patterns(const char* what, const std::vector<std::string>& patterns) {
  std::string line;
  for (const auto& pattern : patterns)
    line += fmt::format("{} '{}'", line.empty() ? "" : ",", make_printable(pattern));

  return line.empty() ? line : fmt::format("  {}{}\n", what, line);
}

// Locations by rank and thread, or by their ids where these are not of the trace.
std::string name_locations(const std::string& ids, const std::vector<Process>& processes) {
  Plan named;
  const auto listed = parse_ranges(ids);
  std::vector<std::size_t> places;
  for (const auto& process : processes)
    if (std::binary_search(listed.begin(), listed.end(), process.id)) {
      places.push_back(named.processes.size());
      named.processes.push_back(process);
    }
  return places.size() == listed.size()
             ? fmt::format("{}", fmt::join(name_places(named, places), ", "))
             : "locations " + ids;
}

// What the plan holds, for a person who has not piped it into the next command.
std::string describe_filters(const Plan& plan) {
  auto out = fmt::format("filters of {}\n", make_printable(plan.trace.anchor));
  for (const auto& filter : plan.filters) {
    auto lines = list_patterns("drop calls of", filter.drop) +
                 list_patterns("keep only calls of", filter.keep);
    if (filter.max_depth)
      lines += fmt::format("  keep {} calls of the program's functions inside each other\n",
                           *filter.max_depth);
    if (!filter.locations.empty())
      lines += fmt::format("  keep only {}\n", name_locations(filter.locations, plan.processes));
    if (filter.time)
      lines += describe_window(plan, *filter.time);
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
    if (filter.max_depth)
      out += fmt::format("{},max depth,{}\r\n", k, *filter.max_depth);
    if (!filter.locations.empty())
      out += fmt::format("{},locations,{}\r\n", k, quote_csv(filter.locations));
    if (filter.time)
      out += window_csv(k, *filter.time);
  }

  return out;
}

int run_filter(Session& session, const FilterOptions& options) {
  auto opened = open_plan(session, options);
  add_filter_of_part(opened, options.part);
  const auto& plan = opened.plan();
  const auto& definitions = opened.archive().definitions();
  auto shown = plan;
  shown.processes = find_processes(definitions, {});
  take_original_ids(definitions, shown);
  print_plan(
      session, plan, options.format, [&] { return describe_filters(shown); },
      [&] { return filters_csv(shown); });

  return 0;
}

}  // namespace

void add_filter(Commands& commands) {
  auto options = std::make_shared<FilterOptions>();
  auto* command =
      commands.add("filter", "Keep only some functions, processes or times.",
                   "  tracefold filter app/traces.otf2 --drop 'MPI_Comm_*' | tracefold group\n  "
                   "tracefold filter app/traces.otf2 --inside solve | tracefold similarity",
                   options, run_filter);

  add_plan(command, *options);
  add_part(command, options->part);
  command->footer(
      "GLOB matches names of functions, and file:GLOB their source files, as in\n"
      "--drop 'file:*/numpy/*'.\n"
      "Times count from the first event of the trace: s, ms, us, ns, or % of its time.\n"
      "B itself is outside; without A or B it is from the begin on, or to the end.\n"
      "Iterations count from 0.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
