#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"
#include "emitters/correlation/correlation_drawing.hpp"
#include "emitters/correlation/correlation_formats.hpp"
#include "pipeline/correlation/correlate_pass.hpp"
#include "pipeline/reduce/fold_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <memory>

namespace tracefold::cli {

namespace {

constexpr std::size_t findings_of_a_table = 20;
constexpr std::size_t most_drawn_findings = 11;
constexpr double usual_threshold = 0.9;

struct CorrelateCommandOptions : TraceOptions {
  AskedIterations asked;
  CorrelateOptions correlate;
  bool all_pairs = false, explain = false;
  std::optional<double> threshold;
  std::optional<std::size_t> top, loop;  // loops are counted from 0
  bool over_iterations = false;
  std::optional<Format> format;
  DrawingOptions drawing;
};

// The words between a separator; none may be empty.
std::vector<std::string> split(const char* option, const std::string& words, char separator) {
  std::vector<std::string> out;

  for (std::size_t begin = 0; begin <= words.size();) {
    const auto end = std::min(words.find(separator, begin), words.size());
    out.push_back(words.substr(begin, end - begin));
    if (out.back().empty())
      throw Error(ErrorKind::usage, fmt::format("{} {}: a part of it is empty", option, words));
    begin = end + 1;
  }

  return out;
}

// A share from 0 to 1, also in percent.
double parse_share(const char* option, const std::string& word) {
  double value = 0;
  const auto* end = word.data() + word.size();
  const auto [rest, code] = std::from_chars(word.data(), end, value);
  const bool percent = std::string_view(rest, end) == "%";
  if (percent)
    value /= 100;

  const bool is_number = code == std::errc{} && (rest == end || percent);
  if (!is_number || !(value >= 0 && value <= 1))
    throw Error(ErrorKind::usage, fmt::format("{} {}: not between 0 and 1", option, word))
        .hint("a number as in 0.05 or 5%");
  return value;
}

std::optional<double> parse_chance(const std::string& word) {
  if (word == "off")
    return std::nullopt;
  return parse_share("--chance", word);
}

double parse_threshold(const std::string& word) {
  const auto value = parse_share("--threshold", word);
  if (value == 0)
    throw Error(ErrorKind::usage, "--threshold 0: all views would be one cluster")
        .hint("a number above 0, as in 0.9");
  return value;
}

void check(const CorrelateCommandOptions& options) {
  const bool ways[] = {!options.correlate.views.query.empty(), options.all_pairs, options.explain};
  const auto asked = std::count(std::begin(ways), std::end(ways), true);
  if (asked == 0)
    throw Error(ErrorKind::usage, "no view is given")
        .hint(
            "say which with --view, as in --view 'time:main > solve > MPI_Wait', or give "
            "--all-pairs or --explain");
  if (asked > 1)
    throw Error(ErrorKind::usage, "--view, --all-pairs and --explain exclude each other")
        .hint("give one of them");
  check_drawing(options.drawing, options.format);
  if (!options.drawing.out.empty() && options.correlate.views.query.empty())
    throw Error(ErrorKind::usage, "a drawing shows one view and what correlates with it best")
        .hint("say which with --view");
  if (options.threshold && !options.all_pairs)
    throw Error(ErrorKind::usage, "--threshold says which views are a cluster")
        .hint("give --all-pairs, too");
  if (!options.over_iterations && (options.loop || !options.asked.empty()))
    throw Error(ErrorKind::usage,
                "--loop, --region and --begin-at say which iterations are an axis")
        .hint("give --over iterations, too");
}

template <class Report>
void show(const Session& session, const Plan& plan, const Report& report,
          const CorrelateCommandOptions& options) {
  session.context().tell(fmt::format("correlate: {} views on {} processes",
                                     group_digits(report.scope.views.size()),
                                     group_digits(report.scope.processes)));
  const auto most = options.top.value_or(0);
  print_as(
      session, options.format,
      [&] { return to_table(plan, report, options.top.value_or(findings_of_a_table)); },
      [&] { return to_csv(plan, report, most); }, [&] { return to_json(plan, report, most); });
}

void show_view(const Session& session, const CorrelatedTrace& trace,
               const CorrelateCommandOptions& options) {
  auto asked = options.correlate;
  if (!options.drawing.out.empty())
    asked.pictures = std::clamp<std::size_t>(options.top.value_or(1), 1, most_drawn_findings);
  const auto report = correlate_view(trace, asked);
  if (asked.pictures > 0)
    put_drawing(session, options.drawing, to_svg(trace.plan, report), "the drawing of the views");
  else
    show(session, trace.plan, report, options);
}

int run_correlate(Session& session, const CorrelateCommandOptions& options) {
  check(options);
  auto opened = open_plan(session, options);
  if (!options.over_iterations)  // what call paths did in each is not kept of all processes
    opened.ask_for_all();
  opened.profile();

  const auto& plan = opened.plan();
  CorrelatedTrace trace{opened.archive(),
                        plan,
                        find_calling_processes(plan),
                        std::nullopt,
                        session.context().read_as("correlate"),
                        session.diagnostics,
                        opened.program()};
  std::optional<ChosenLoop> chosen;
  if (options.over_iterations) {
    chosen = choose_loop(opened, trace.members, options.asked, options.loop);
    trace.loop.emplace(SeriesLoop{chosen->loops, chosen->loop});
  }

  if (options.all_pairs)
    show(session, plan,
         correlate_all_pairs(trace, options.correlate, options.threshold.value_or(usual_threshold)),
         options);
  else if (options.explain)
    show(session, plan,
         explain_waits(trace, options.correlate, options.top.value_or(findings_of_a_table)),
         options);
  else
    show_view(session, trace, options);

  return 0;
}

}  // namespace

void add_correlate(Commands& commands) {
  auto options = std::make_shared<CorrelateCommandOptions>();
  auto* command = commands.add(
      "correlate", "Find functions whose times rise and fall together.",
      "  tracefold correlate app/traces.otf2 --view 'time:main > solve > MPI_Wait'\n"
      "  tracefold correlate app/traces.otf2 --view '*MPI_Allreduce' --over iterations\n"
      "  tracefold correlate app/traces.otf2 --explain",
      options, run_correlate);

  const auto numbers = in_range(0, std::int64_t{1} << 31);
  auto& asked = options->correlate;
  add_trace_or_plan(command, *options);
  command->add_option("--view", asked.views.query, "METRIC:CALL PATH to hold the others against")
      ->option_text("VIEW")
      ->check(not_empty());
  command->add_flag("--all-pairs", options->all_pairs, "Find clusters of views that are alike");
  add_parsed(command, "--threshold", options->threshold, parse_threshold,
             fmt::format("Least |r| of a cluster's views with its first one ({})", usual_threshold))
      ->option_text("R");
  command->add_flag("--explain", options->explain, "Say what explains the calls that wait longest");
  add_repeatable(command, "--metric", asked.views.metrics,
                 "A metric, METRIC/s, waiting or all; may repeat")
      ->option_text("METRIC")
      ->check(not_empty())
      ->check(offer({"time", "inclusive time", "visits", "bytes", "waiting", "all"}));
  add_parsed(
      command, "--min-share", asked.views.least_share,
      [](const std::string& word) { return parse_share("--min-share", word); },
      "Leave out views with less of their metric (0.1%)")
      ->option_text("SHARE");

  add_parsed(
      command, "--axes", asked.axes,
      [](const std::string& words) { return split("--axes", words, ','); },
      "What varies along these counts (all but iteration)")
      ->option_text("NAMES");
  auto* grid = add_grid(command, asked.grid.sizes);
  command->add_option("--topology", asked.grid.topology, "Put ranks as the trace's topology says")
      ->option_text("NAME")
      ->check(not_empty())
      ->excludes(grid);

  add_choice(command, "--over", options->over_iterations, {{"iterations", true}},
             "Correlate over the iterations of a loop, too")
      ->option_text("iterations");
  add_parsed(
      command, "--loop", options->loop,
      [](const std::string& word) { return parse_number("--loop", word) - 1; },
      "Of the N-th loop (the one with most time)")
      ->option_text("N");
  add_asked_iterations(command, options->asked);

  command->add_option("--max-shift", asked.max_shift, "Most steps along an axis (half of it)")
      ->option_text("N")
      ->check(numbers);
  command->add_flag("--wrap", asked.wrap, "Shift around the ends of all axes");
  add_parsed(command, "--chance", asked.most_chance, parse_chance,
             "Leave out what luck may explain (0.05); off: show all")
      ->option_text("P|off");
  command->add_option("--top", options->top, "Findings or clusters to show (table: 20); 0: all")
      ->option_text("N")
      ->check(numbers);
  add_format(command, options->format);
  add_drawing(command, options->drawing);

  command->footer(
      "r is near 1 where both views are high at the same places, shifted by so many\n"
      "steps, and near -1 where one is high when the other is low. Times are those\n"
      "of a call path alone, inclusive ones with all that it calls. Chance is how\n"
      "often surrogates of the view do as well with any view and shift.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
