#include "cli/command.hpp"

#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "filters/iterations/iteration_map.hpp"
#include "filters/iterations/process_loops.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include "emitters/iterations/folded_loops.hpp"
#include "emitters/iterations/iteration_files.hpp"
#include "emitters/iterations/iteration_map_files.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold::cli {

namespace {

struct IterationsOptions : PlanOptions {
  std::string region, clusters, sweep, map, call_path, view, bins, format;
  std::optional<std::size_t> loop;
};

std::string in_format(Format format, const Plan& plan, const IterationReport& report) {
  switch (format) {
    case Format::csv: return to_csv(plan, report);
    case Format::json: return to_json(plan, report);
    default: return to_table(plan, report);
  }
}

std::string in_format(Format format, const Plan& plan, const std::vector<IterationSection>& sweep) {
  switch (format) {
    case Format::csv: return sweep_csv(sweep);
    case Format::json: return sweep_json(plan, sweep);
    default: return sweep_table(sweep);
  }
}

MapView view_of(const std::string& word) {
  if (word.empty() || word == "iterations")
    return MapView::iterations;
  if (word == "processes")
    return MapView::processes;
  if (word == "map")
    return MapView::map;

  throw Error(ErrorKind::usage, fmt::format("--view {}: no such view", word))
      .hint("iterations, processes or map");
}

// "1000x500".
MapBins bins_of(const std::string& word) {
  if (word.empty())
    return {};
  const auto x = word.find('x');
  if (x == std::string::npos)
    throw Error(ErrorKind::usage, fmt::format("--bins {}: not two numbers", word))
        .hint("processes and iterations, as in 1000x500");

  return {number_of("--bins", word.substr(0, x)), number_of("--bins", word.substr(x + 1))};
}

void check(const IterationsOptions& options) {
  view_of(options.view);
  bins_of(options.bins);
  if (options.loop == 0u)
    throw Error(ErrorKind::usage, "--loop 0: loops are counted from 1");
  if (options.json && (!options.format.empty() || !options.sweep.empty() || !options.map.empty()))
    throw Error(ErrorKind::usage,
                "--json prints the plan, and --format, --sweep and --map something else")
        .hint("give one of them");

  if (!options.map.empty() && !(options.sweep.empty() && options.clusters.empty()))
    throw Error(ErrorKind::usage, "--map shows all iterations, and clusters none")
        .hint("give one of them");

  if (options.map.empty() && (options.loop || !options.call_path.empty() || !options.view.empty() ||
                              !options.bins.empty()))
    throw Error(ErrorKind::usage,
                "--loop, --call-path, --view and --bins say what to show of a metric")
        .hint("give --map METRIC, too");

  if (!options.view.empty() && options.format != "csv")
    throw Error(ErrorKind::usage, "--view says which CSV to print").hint("give --format csv, too");
  if (!options.sweep.empty() && !options.clusters.empty())
    throw Error(ErrorKind::usage, "--clusters and --sweep both say how many clusters")
        .hint("give one of them");
}

// "8,16,32", ascending or not.
std::vector<std::size_t> numbers_of_clusters(const std::string& words) {
  std::vector<std::size_t> out;
  for (std::size_t begin = 0; begin <= words.size();) {
    const auto end = std::min(words.find(',', begin), words.size());
    out.push_back(number_of("--sweep", words.substr(begin, end - begin)));
    begin = end + 1;
  }

  return out;
}

constexpr std::size_t most_rows = 40;  // of a table of iterations

std::string map_in_format(Session& session, const Opened& opened,
                          const std::vector<ProcessLoops>& loops, Format format,
                          const IterationsOptions& options) {
  const auto view = view_of(options.view);
  const auto bins = bins_of(options.bins);
  const auto& plan = opened.plan;
  const MapOptions what{options.map, options.call_path,
                        options.loop ? std::optional(*options.loop - 1) : std::nullopt};
  auto map = read_map(*opened.archive, plan, kept_processes(plan), loops, what,
                      session.read_options("map"), session.diagnostics);
  switch (format) {
    case Format::csv: return map_csv(plan, report_of(std::move(map), bins), view);
    case Format::json: return map_json(plan, report_of(std::move(map), bins));
    default: return map_table(plan, map, spread_by_rows(map, most_rows));
  }
}

// The loops of the kept processes, or of all where none were chosen yet.
IterationReport report_of(Session& session, Opened& opened, const std::string& region) {
  auto& plan = opened.plan;
  IterationReport report;
  const auto members = processes_to_fold(plan, opened.archive->definitions());
  report.processes = loops_of(session, *opened.archive, plan, members, region);
  session.verbose(fmt::format("iterations: {} processes, {:.3f} s", with_spaces(members.size()),
                              session.seconds()));
  report.groups = agree(plan, members, report.processes);

  return report;
}

int iterations(Session& session, const IterationsOptions& options) {
  check(options);
  const auto format = format_of(options.format);
  const auto sweep =
      options.sweep.empty() ? std::vector<std::size_t>{} : numbers_of_clusters(options.sweep);
  FoldOptions fold{options.region};
  if (!options.clusters.empty())
    fold.max_clusters = number_of("--clusters", options.clusters);

  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  auto& plan = opened.plan;
  if (!plan.groups)
    group(plan, default_threshold);

  const auto report = report_of(session, opened, options.region);

  if (!options.map.empty()) {
    const auto text = map_in_format(session, opened, report.processes, format, options);
    session.clear_line();
    print(text);
    return 0;
  }

  if (sweep.empty() && !options.format.empty()) {
    session.clear_line();
    print(in_format(format, plan, report));
    return 0;
  }

  if (!plan.representatives)
    select(plan, {});

  const auto reading = session.read_options("cluster");

  if (!sweep.empty()) {
    const auto sections = sweep_iterations(*opened.archive, plan, report.processes, options.region,
                                           sweep, reading, session.diagnostics);
    session.clear_line();
    print(in_format(format, plan, sections));
    return 0;
  }

  fold_iterations(*opened.archive, plan, report.processes, fold, reading, session.diagnostics);
  print_plan(
      session, plan, options.json,
      to_table(plan, report) + (plan.iterations->loops.empty() ? "" : "\n" + folded_table(plan)));

  return 0;
}

}  // namespace

void add_iterations(Commands& commands) {
  auto options = std::make_shared<IterationsOptions>();
  auto* command = commands.add("iterations", "Find the iterations of loops, and those to keep.",
                               "  tracefold iterations app/traces.otf2\n  tracefold iterations "
                               "app/traces.otf2 --clusters 16 | tracefold write -o small",
                               options, iterations);

  add_plan(command, *options);
  command
      ->add_option("--region", options->region, "Take the instances of these regions as iterations")
      ->option_text("GLOB")
      ->check(not_empty());

  command
      ->add_option("--clusters", options->clusters,
                   "Clusters of iterations to make, one kept of each (64)")
      ->option_text("C")
      ->check(not_empty());

  command->add_option("--sweep", options->sweep, "Compare numbers of clusters, as in 8,16,32,64")
      ->option_text("C,...")
      ->check(not_empty());
  command->add_option("--map", options->map, "Show a metric by iteration and process")
      ->option_text("METRIC")
      ->check(not_empty());
  command->add_option("--call-path", options->call_path, "Of call paths like 'main > *' only")
      ->option_text("GLOB")
      ->check(not_empty());
  command->add_option("--loop", options->loop, "Of the N-th loop (the one with most time)")
      ->option_text("N");
  command->add_option("--view", options->view, "In CSV: iterations (default), processes or map")
      ->option_text("VIEW");
  command->add_option("--bins", options->bins, "Most rows and columns of the map (1000x1000)")
      ->option_text("PxI");
  command->add_option("--format", options->format, "What was found or compared: table, csv or json")
      ->option_text("FORMAT");
}

}  // namespace tracefold::cli
