#include "cli/part.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"
#include "cli/open_plan.hpp"
#include "cli/options.hpp"
#include "pipeline/events/calling_contexts.hpp"
#include "pipeline/messages/channel.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/profile/idle_filters.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/reduce/inside_window.hpp"
#include "pipeline/reduce/iteration_window.hpp"
#include "pipeline/reduce/original_ids.hpp"
#include "pipeline/reduce/short_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold::cli {

namespace {

TimeWindow find_iterations(PlanSession& opened, const std::vector<std::uint64_t>& iterations) {
  PlanSession searching(opened.plan(), PlanUse::any, opened.context());
  auto found = find_iteration_window(searching, iterations);
  opened.plan().chosen = found.chosen;
  opened.diagnostics().note(fmt::format(
      "the main loop is that of '{}', with {} iterations; processes that have it: {}{}",
      make_printable(found.function), group_digits(found.iterations), group_digits(found.processes),
      found.is_unsure ? "; its iterations are unsure" : ""));
  return std::move(found.window);
}

// What the options leave of the time.
TimeWindow find_asked(PlanSession& opened, const PartOptions& options) {
  const auto& archive = opened.archive();
  const auto [first, last] = find_times(archive, opened.context());
  TimeWindow window{{{0, no_end}}, {}, first, nullptr};
  if (options.window)
    window = place_window(*options.window, first, last, opened.plan().trace.ticks_per_second);
  if (!options.inside.empty())
    window = intersect(
        window, find_inside_window(archive, options.inside, opened.context().read_as("inside")));
  if (!options.iterations.empty())
    window = intersect(window, find_iterations(opened, options.iterations));
  return window;
}

void add_window(PlanSession& opened, const PartOptions& options) {
  auto& plan = opened.plan();
  const auto& archive = opened.archive();
  narrow_to(plan.filters, find_asked(opened, options));
  if (plan.chosen)
    plan.chosen = keep_whole(*plan.chosen, *find_window(plan.filters));

  const auto reading = opened.context().read_as("window");
  if (!look_at_window(archive, plan.filters, reading))
    throw Error(ErrorKind::usage, "nothing was recorded in the part of the time that is asked for");

  std::uint64_t messages = 0, others = 0;
  for (const auto& [location, records] : *find_window(plan.filters)->crossing)
    for (const auto& record : records)
      (sends_message(record.kind) || receives_message(record.kind) ? messages : others) += 1;
  if (messages + others > 0)
    opened.diagnostics().note(
        fmt::format("operations that cross a border of the window are left out: {} records of "
                    "messages that are sent or received, and {} others",
                    group_digits(messages), group_digits(others)));
}

// The last filter of the plan drops them by name.
void drop_short_functions(PlanSession& opened, const PartOptions& options) {
  auto& plan = opened.plan();
  const auto ticks =
      std::llround(options.shortest * static_cast<double>(plan.trace.ticks_per_second));
  const auto names =
      find_short_functions(opened.archive(), plan.filters, static_cast<std::uint64_t>(ticks),
                           opened.context().read_as("short calls"));
  for (const auto& name : names)
    plan.filters.back().drop.push_back(quote_glob(name));

  constexpr std::size_t most_named = 4;
  const std::vector named(names.begin(), names.begin() + std::min(names.size(), most_named));
  opened.diagnostics().note(
      names.empty()
          ? fmt::format("no function has mostly calls that are shorter than {}",
                        options.shorter_than)
          : fmt::format("calls of {} {} are left out, as they are mostly shorter than {}: {}{}",
                        group_digits(names.size()), names.size() == 1 ? "function" : "functions",
                        options.shorter_than,
                        make_printable(fmt::format("{}", fmt::join(named, ", "))),
                        names.size() > most_named ? ", …" : ""));
}

// A plan holds patterns, and so it must not where they may be names that codes replace.
void warn_of_idle(const PlanSession& opened, const Definitions& definitions,
                  const FilterSection& filter, const std::vector<std::string>& inside) {
  Diagnostics idle;
  warn_of_idle_filters(definitions, filter, inside, idle);
  if (opened.requires_matches() && !idle.warnings().empty())
    throw Error(ErrorKind::usage, idle.warnings().front())
        .hint("names are replaced, and options name their codes");
  opened.diagnostics().add_collected(idle.collected());
}

}  // namespace

void add_part(CLI::App* command, PartOptions& options) {
  const auto* section = "A part of the trace";
  add_repeatable(command, "--drop", options.drop,
                 "Drop calls of functions whose name matches; may repeat")
      ->option_text("GLOB")
      ->group(section);
  add_repeatable(command, "--keep", options.keep,
                 "Keep only calls of functions that match; may repeat")
      ->option_text("GLOB")
      ->group(section);
  add_repeatable(command, "--inside", options.inside,
                 "Only what happens inside calls of these; may repeat")
      ->option_text("GLOB")
      ->group(section)
      ->check(not_empty());
  const auto parse_shorter = [&options](const std::string& text) {
    options.shorter_than = text;
    return parse_length(text);
  };
  add_parsed(command, "--shorter-than", options.shortest, parse_shorter,
             "Drop functions with mostly shorter calls, as in 1us")
      ->option_text("TIME")
      ->group(section);
  const auto parse_depth = [](const std::string& text) {
    return parse_number("--max-depth", text);
  };
  add_parsed(command, "--max-depth", options.max_depth, parse_depth,
             "Drop calls of the program inside N others")
      ->option_text("N")
      ->group(section);
  add_parsed(command, "--locations", options.locations, parse_location_list,
             "Keep only these, as in 0-6:2,9 or rank:0-7")
      ->option_text("LIST")
      ->group(section)
      ->check(not_empty());
  const auto parse_time = [&options](const std::string& text) {
    options.time = text;
    return parse_window(text);
  };
  add_parsed(command, "--time", options.window, parse_time,
             "Keep only what is in A-B, as in 2s-3.5s, 40%-60%, -10s")
      ->option_text("A-B")
      ->group(section);
  const auto parse_iterations = [](const std::string& text) { return parse_ranges(text); };
  add_parsed(command, "--iterations-only", options.iterations, parse_iterations,
             "Keep only these iterations of the main loop, as in 3,7-9")
      ->option_text("RANGES")
      ->group(section)
      ->check(not_empty());
}

void add_filter_of_part(PlanSession& opened, const PartOptions& options) {
  auto& plan = opened.plan();
  if (!plan.processes.empty() || plan.groups)
    throw Error(ErrorKind::usage, "the plan is grouped already")
        .hint("use 'tracefold filter' before 'tracefold group'");

  const auto& definitions = opened.archive().definitions();
  FilterSection filter{options.drop, options.keep, {}};
  if (!options.locations.empty())
    filter.locations = to_ranges(
        find_listed(find_kept(definitions, options.locations), find_processes(definitions, {})));
  warn_of_idle(opened, definitions, filter, options.inside);
  filter.max_depth = options.max_depth;
  if (filter.max_depth && !CallingContexts(definitions).empty())
    throw Error(ErrorKind::usage,
                "--max-depth is for traces that record calls, and this one has samples")
        .hint("leave functions out by --drop");
  if (filter.max_depth)
    opened.diagnostics().note(fmt::format(
        "calls of the program's functions with {} or more calls around them are left out",
        *filter.max_depth));
  plan.filters.push_back(std::move(filter));
  if (options.asks_for_times())
    add_window(opened, options);
  if (!options.shorter_than.empty())
    drop_short_functions(opened, options);
}

void apply_part(PlanSession& opened, const PartOptions& options) {
  if (!options.empty())
    add_filter_of_part(opened, options);
}

PlanSession open_part(Session& session, const std::string& trace, const PartOptions& options) {
  PlanSession opened(open_given_trace(session, trace), session.context());
  apply_part(opened, options);
  return opened;
}

void add_scope(CLI::App* command, std::optional<RunPart>& scope) {
  add_choice(command, "--scope", scope,
             {{"loop", RunPart::loop}, {"mpi", RunPart::mpi}, {"run", RunPart::run}},
             "What is looked at: loop, mpi or run")
      ->option_text("WHAT");
}

RunPartOptions choose_run_part(const PartOptions& options, const std::optional<RunPart>& scope) {
  auto words = options.time;
  if (!options.inside.empty())
    words += fmt::format("{}inside {}", words.empty() ? "" : " ", fmt::join(options.inside, ", "));
  return {scope.value_or(words.empty() ? RunPart::automatic : RunPart::window), words};
}

}  // namespace tracefold::cli
