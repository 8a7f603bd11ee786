#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/iterations/iteration_map.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"

#include "emitters/iterations/folded_loop_formats.hpp"
#include "emitters/iterations/found_loop_formats.hpp"
#include "emitters/iterations/iteration_map_formats.hpp"
#include "emitters/iterations/map_drawing.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracefold::cli {

namespace {

struct IterationsOptions : PlanOptions {
  AskedIterations asked;
  std::optional<std::size_t> clusters;
  FoldDetails details;
  std::vector<std::size_t> sweep;  // numbers of clusters to compare
  bool loops = false;              // only show what was found
  MapOptions map;                  // without a metric: no map is asked for
  std::optional<CsvRows> rows;
  std::optional<MapBins> bins;
  std::optional<ColourScaling> scaling;
  DrawingOptions drawing;
};

std::string in_format(Format format, const Plan& plan, const LoopReport& report) {
  switch (format) {
    case Format::csv: return to_csv(plan, report);
    case Format::json: return to_json(plan, report);
    default: return to_table(plan, report, choose_long_cells());
  }
}

std::string in_format(Format format, const Plan& plan, const std::vector<IterationSection>& sweep) {
  switch (format) {
    case Format::csv: return sweep_csv(sweep);
    case Format::json: return sweep_json(plan, sweep);
    default: return sweep_table(sweep);
  }
}

CsvRows parse_rows(const std::string& word) {
  return parse_word(
      "--rows", word,
      std::array{std::pair("iterations", CsvRows::iterations),
                 std::pair("processes", CsvRows::processes), std::pair("map", CsvRows::map)});
}

ColourScaling parse_scaling(const std::string& word) {
  return parse_word("--scale", word,
                    std::array{std::pair("linear", ColourScaling::linear),
                               std::pair("zero", ColourScaling::from_zero),
                               std::pair("equalized", ColourScaling::equalized)});
}

// Reads "1000x500".
MapBins parse_bins(const std::string& text) {
  const auto x = text.find('x');
  if (x == std::string::npos)
    throw Error(ErrorKind::usage, fmt::format("--bins {}: not two numbers", text))
        .hint("processes and iterations, as in 1000x500");

  return {parse_number("--bins", text.substr(0, x)), parse_number("--bins", text.substr(x + 1))};
}

// Reads "8,16,32", ascending or not.
std::vector<std::size_t> parse_sweep(const std::string& text) {
  std::vector<std::size_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    numbers.push_back(parse_number("--sweep", text.substr(begin, end - begin)));
    begin = end + 1;
  }

  return numbers;
}

// Refuses options that contradict each other.
void check(const IterationsOptions& options) {
  const bool shows_map = !options.map.metric.empty();
  const bool draws = !options.drawing.out.empty();
  check_drawing(options.drawing, options.format);
  if (draws && !shows_map)
    throw Error(ErrorKind::usage, "-o draws a map").hint("give --map METRIC, too");
  if (options.scaling && !draws)
    throw Error(ErrorKind::usage, "--scale says which colours a drawing has")
        .hint("give --map METRIC -o FILE.svg, too");

  if (options.loops + shows_map + !options.sweep.empty() > 1)
    throw Error(ErrorKind::usage, "--loops, --map and --sweep show different things")
        .hint("give one of them");

  if (shows_map && !draws && options.clusters)
    throw Error(ErrorKind::usage, "--map shows all iterations, and clusters none")
        .hint("give one of them, or draw it with -o FILE.svg");

  if (!shows_map &&
      (options.map.loop || !options.map.call_path.empty() || options.rows || options.bins))
    throw Error(ErrorKind::usage,
                "--loop, --call-path, --rows and --bins say what to show of a metric")
        .hint("give --map METRIC, too");

  if (options.rows && options.format != Format::csv)
    throw Error(ErrorKind::usage, "--rows says which CSV to print").hint("give --format csv, too");
  if (((shows_map && !draws) || options.loops) && !options.details.keep.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--keep-iterations chooses iterations, {} only shows them",
                            shows_map ? "--map" : "--loops"))
        .hint("give one of them");
  if (!options.sweep.empty() && options.clusters)
    throw Error(ErrorKind::usage, "--clusters and --sweep both say how many clusters")
        .hint("give one of them");
}

constexpr std::size_t most_rows = 40;  // of a table of iterations

std::string format_map(const Plan& plan, IterationMap map, const IterationsOptions& options) {
  const auto bins = options.bins.value_or(MapBins{});
  switch (options.format.value_or(Format::table)) {
    case Format::csv:
      return map_csv(plan, summarize_map(std::move(map), bins),
                     options.rows.value_or(CsvRows::iterations));
    case Format::json: return map_json(plan, summarize_map(std::move(map), bins));
    default: return map_table(plan, map, summarize_rows(map, most_rows));
  }
}

std::string show_map(Session& session, const Opened& opened, const std::vector<ProcessLoops>& loops,
                     const IterationsOptions& options) {
  return format_map(
      opened.plan,
      read_iteration_map(*opened.archive, opened.plan, kept_processes(opened.plan), loops,
                         options.map, session.read_options("map"), session.diagnostics),
      options);
}

FoldOptions make_fold_options(const IterationsOptions& options) {
  return {options.asked, options.clusters.value_or(FoldOptions{}.max_clusters),
          options.details.folds_unsure, options.details.keep,
          options.details.errors.value_or(MeasuredProcesses::all)};
}

// The loops of all processes, or of the kept ones where errors are of these alone.
LoopReport find_loops_of_groups(Session& session, const Opened& opened,
                                const FoldOptions& options) {
  const auto& plan = opened.plan;
  LoopReport report;
  const auto members = options.errors == MeasuredProcesses::all ? list_processes(plan)
                                                                : choose_processes_to_search(plan);
  report.processes = find_loops_pass(
      {*opened.archive, plan, session.read_options("iterations"), session.diagnostics}, members,
      options.asked);
  session.verbose(fmt::format("iterations: {} processes, {:.3f} s", group_digits(members.size()),
                              session.seconds()));
  report.groups = summarize_group_loops(plan, members, report.processes);

  return report;
}

// Compares numbers of clusters.
std::string show_sweep(Session& session, const Opened& opened,
                       const std::vector<ProcessLoops>& loops, const IterationsOptions& options) {
  const auto sections =
      sweep_iterations(*opened.archive, opened.plan, loops, make_fold_options(options),
                       options.sweep, session.read_options("cluster"), session.diagnostics);

  return in_format(options.format.value_or(Format::table), opened.plan, sections);
}

// Whether a drawing shows what the plan says of iterations: nothing else is asked for.
bool shows_folding_of_plan(const Plan& plan, const IterationsOptions& options) {
  return plan.iterations && options.asked.empty() && !options.clusters &&
         options.details.keep.empty() && !options.details.folds_unsure;
}

// Folds iterations as they would be for a plan.
void fold_for_drawing(Session& session, Opened& opened, const std::vector<ProcessLoops>& loops,
                      const IterationsOptions& options) {
  const auto fold = make_fold_options(options);
  const auto& archive = *opened.archive;
  fold_iterations(archive, opened.plan,
                  find_loops_to_fold({archive, opened.plan, session.read_options("iterations"),
                                      session.diagnostics},
                                     fold, &loops),
                  fold, session.read_options("cluster"), session.diagnostics);
}

std::string draw(const Plan& plan, ComparedMap maps, const IterationsOptions& options) {
  return to_svg(
      plan, std::move(maps),
      {options.scaling.value_or(ColourScaling::linear), options.bins.value_or(MapBins{})});
}

// Draws a map of all processes beside what is left of it.
std::string draw_map(Session& session, Opened& opened, const IterationsOptions& options) {
  const auto& plan = opened.plan;
  const bool is_folded = shows_folding_of_plan(plan, options);
  auto search = make_fold_options(options);
  search.errors = MeasuredProcesses::all;
  if (is_folded)
    search.asked = plan.iterations->asked;

  const auto loops = find_loops_of_groups(session, opened, search).processes;
  if (!is_folded)
    fold_for_drawing(session, opened, loops, options);
  return draw(plan,
              read_compared_map(*opened.archive, plan, loops, options.map,
                                session.read_options("map"), session.diagnostics),
              options);
}

void print_text(const Session& session, const std::string& text) {
  session.clear_line();
  print(text);
}

int run_iterations(Session& session, const IterationsOptions& options) {
  check(options);
  auto opened = open(session, options.trace, true);
  profile_plan(session, opened);
  auto& plan = opened.plan;
  if (!plan.groups)
    group(plan, GroupOptions{});

  const bool draws = !options.drawing.out.empty();
  const bool folds = !options.loops && (options.map.metric.empty() || draws);
  if (folds && !plan.representatives)
    select(plan, {});

  // Of a trace that was reduced before, what it was stored to have been.
  const bool is_folded = is_collapsed(opened.archive->definitions());
  if (!options.map.metric.empty() && options.asked.empty() && (!draws || is_folded))
    if (auto map = read_stored_map(*opened.archive, plan, kept_processes(plan), options.map,
                                   draws ? WantLayers::yes : WantLayers::no,
                                   session.read_options("map"), session.diagnostics)) {
      if (draws)
        put_drawing(session, options.drawing, draw(plan, std::move(*map), options), "the map");
      else
        print_text(session, format_map(plan, std::move(map->original), options));
      return 0;
    }

  if (draws) {
    if (is_folded)
      throw Error(ErrorKind::input, "its iterations were folded, and nothing is stored of them")
          .in(plan.trace.anchor)
          .hint("draw the original");
    put_drawing(session, options.drawing, draw_map(session, opened, options), "the map");
    return 0;
  }

  const auto found = find_loops_of_groups(session, opened, make_fold_options(options));

  if (!options.map.metric.empty()) {
    print_text(session, show_map(session, opened, found.processes, options));
    return 0;
  }

  if (options.loops) {
    print_text(session, in_format(options.format.value_or(Format::table), plan, found));
    return 0;
  }

  const auto fold = make_fold_options(options);
  const auto loops = find_loops_to_fold(
      {*opened.archive, plan, session.read_options("iterations"), session.diagnostics}, fold,
      &found.processes);
  if (!options.sweep.empty()) {
    print_text(session, show_sweep(session, opened, loops, options));
    return 0;
  }

  fold_iterations(*opened.archive, plan, loops, fold, session.read_options("cluster"),
                  session.diagnostics);
  const auto folded =
      plan.iterations->loops.empty() ? "" : "\n" + folded_table(plan, choose_long_cells());
  print_plan(session, plan, options.format, to_table(plan, found, choose_long_cells()) + folded,
             to_csv(plan, found));

  return 0;
}

}  // namespace

void add_iterations(Commands& commands) {
  auto options = std::make_shared<IterationsOptions>();
  auto* command = commands.add(
      "iterations", "Find the iterations of loops, and those to keep.",
      "  tracefold iterations app/traces.otf2\n"
      "  tracefold iterations app/traces.otf2 --clusters 16 | tracefold write -o small\n"
      "  tracefold iterations app/traces.otf2 --map 'MPI time' -o map.svg",
      options, run_iterations);

  add_plan(command, *options);
  add_asked_iterations(command, options->asked);

  const auto parse_clusters = [](const std::string& text) {
    return parse_number("--clusters", text);
  };
  add_parsed(command, "--clusters", options->clusters, parse_clusters,
             "Clusters of iterations to make, one kept of each (64)")
      ->option_text("C")
      ->check(not_empty());

  add_fold_details(command, options->details);
  command->add_flag("--loops", options->loops, "Show the loops that are found, choose nothing");
  add_parsed(command, "--sweep", options->sweep, parse_sweep,
             "Compare numbers of clusters, as in 8,16,32,64")
      ->option_text("C,...")
      ->check(not_empty());
  command->add_option("--map", options->map.metric, "Show a metric by iteration and process")
      ->option_text("METRIC")
      ->check(not_empty());
  command->add_option("--call-path", options->map.call_path, "Of call paths like 'main > *' only")
      ->option_text("GLOB")
      ->check(not_empty());

  const auto set_loop = [&map = options->map](std::size_t number) {
    if (number == 0)
      throw Error(ErrorKind::usage, "--loop 0: loops are counted from 1");
    map.loop = number - 1;
  };
  command
      ->add_option_function<std::size_t>("--loop", set_loop,
                                         "Of the N-th loop (the one with most time)")
      ->option_text("N");
  add_parsed(command, "--rows", options->rows, parse_rows,
             "Rows of CSV: iterations (default), processes or map")
      ->option_text("ROWS");
  add_parsed(command, "--bins", options->bins, parse_bins,
             "Most rows and columns of the map (1000x1000)")
      ->option_text("PxI");
  add_parsed(command, "--scale", options->scaling, parse_scaling,
             "Colours of a drawing: linear, zero or equalized (linear)")
      ->option_text("SCALE");
  add_drawing(command, options->drawing);

  command->footer(
      "Errors of what stands for iterations, averaged over iterations:\n"
      "  time error, of maximum    of the mean and the maximum over processes\n"
      "  by processes, iterations  of the mean, if only these were folded\n"
      "  all metrics, by sum       averages over metrics; each iteration's error over\n"
      "                            its own value, or all errors over all values\n"
      "  waiting                   of all times of waiting together, by sum\n"
      "  counts                    of visits, messages and bytes; exact: none\n"
      "  phantoms                  call paths that only the stand-in visited\n"
      "  own clusters              of clusters that each process makes for itself\n"
      "Call trees in a cluster are strong: the same call paths, as often, or weak.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
