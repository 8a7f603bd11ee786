#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"
#include "model/location_list.hpp"
#include "model/process_names.hpp"
#include "pipeline/messages/channel.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/profile/idle_filters.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/iteration_window.hpp"
#include "pipeline/reduce/original_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

struct FilterOptions : PlanOptions {
  FilterSection filter;
  LocationList locations;  // kept only; empty: all
  std::optional<AskedWindow> time;
  std::vector<std::uint64_t> iterations;  // of the main loop
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
    if (!filter.locations.empty())
      out += fmt::format("{},locations,{}\r\n", k, quote_csv(filter.locations));
    if (filter.time)
      out += window_csv(k, *filter.time);
  }

  return out;
}

// What the options leave of the time.
TimeWindow find_asked(PlanSession& opened, const FilterOptions& options) {
  auto& plan = opened.plan();
  const auto [first, last] = find_times(opened.archive(), opened.context());
  std::optional<TimeWindow> window;
  if (options.time)
    window = place_window(*options.time, first, last, plan.trace.ticks_per_second);
  if (options.iterations.empty())
    return *window;

  PlanSession searching(plan, PlanUse::any, opened.context());
  auto found = find_iteration_window(searching, options.iterations);
  found.window.first_event = first;
  plan.chosen = found.chosen;
  opened.diagnostics().note(fmt::format(
      "the main loop is that of '{}', with {} iterations; processes that have it: {}{}",
      make_printable(found.function), group_digits(found.iterations), group_digits(found.processes),
      found.is_unsure ? "; its iterations are unsure" : ""));
  return window ? intersect(*window, found.window) : found.window;
}

// Puts the window into the last filter: what is in it, and in one that the plan has already.
void add_window(PlanSession& opened, const FilterOptions& options) {
  auto& plan = opened.plan();
  const auto& archive = opened.archive();
  auto window = find_asked(opened, options);
  for (auto& filter : plan.filters)
    if (const auto earlier = std::exchange(filter.time, std::nullopt))
      window = intersect(window, *earlier);
  plan.filters.back().time = window;
  if (plan.chosen)
    plan.chosen = keep_whole(*plan.chosen, window);

  const auto reading = opened.context().read_as("window");
  if (!look_at_window(archive, plan.filters, reading))
    throw Error(ErrorKind::usage, "nothing was recorded in the part of the time that is asked for");

  std::uint64_t messages = 0, others = 0;
  for (const auto& [location, records] : *plan.filters.back().time->crossing)
    for (const auto& record : records)
      (sends_message(record.kind) || receives_message(record.kind) ? messages : others) += 1;
  if (messages + others > 0)
    opened.diagnostics().note(
        fmt::format("operations that cross a border of the window are left out: {} records of "
                    "messages that are sent or received, and {} others",
                    group_digits(messages), group_digits(others)));
}

int run_filter(Session& session, const FilterOptions& options) {
  auto opened = open_plan(session, options);
  auto& plan = opened.plan();
  if (!plan.processes.empty() || plan.groups)
    throw Error(ErrorKind::usage, "the plan is grouped already")
        .hint("use 'tracefold filter' before 'tracefold group'");

  const auto& definitions = opened.archive().definitions();
  auto filter = options.filter;
  const auto processes = find_processes(definitions, {});
  filter.locations = to_ranges(find_listed(find_kept(definitions, options.locations), processes));
  warn_of_idle_filters(definitions, filter, session.diagnostics);
  plan.filters.push_back(filter);
  if (options.time || !options.iterations.empty())
    add_window(opened, options);
  auto shown = plan;
  shown.processes = processes;
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
                   "tracefold filter app/traces.otf2 --locations 0-63 | tracefold write -o part",
                   options, run_filter);

  add_plan(command, *options);
  add_repeatable(command, "--drop", options->filter.drop,
                 "Drop calls of functions whose name matches; may repeat")
      ->option_text("GLOB");
  add_repeatable(command, "--keep", options->filter.keep,
                 "Keep only calls of functions that match; may repeat")
      ->option_text("GLOB");

  add_parsed(command, "--locations", options->locations, parse_location_list,
             "Keep only these, as in 0-6:2,9 or rank:0-7")
      ->option_text("LIST")
      ->check(not_empty());
  add_parsed(command, "--time", options->time, parse_window,
             "Keep only what is in A-B, as in 2s-3.5s, 40%-60%, -10s")
      ->option_text("A-B");
  const auto parse_iterations = [](const std::string& text) { return parse_ranges(text); };
  add_parsed(command, "--iterations-only", options->iterations, parse_iterations,
             "Keep only these iterations of the main loop, as in 3,7-9")
      ->option_text("RANGES")
      ->check(not_empty());

  command->footer(
      "GLOB matches names of functions, and file:GLOB their source files, as in\n"
      "--drop 'file:*/numpy/*'.\n"
      "Times count from the first event of the trace: s, ms, us, ns, or % of its time.\n"
      "B itself is outside; without A or B it is from the begin on, or to the end.\n"
      "Iterations count from 0.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
