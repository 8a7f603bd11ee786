#include "base/ranges.hpp"
#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"
#include "emitters/errors/fold_error_formats.hpp"
#include "emitters/iterations/folded_loop_formats.hpp"
#include "emitters/iterations/found_loop_formats.hpp"
#include "emitters/iterations/iteration_map_formats.hpp"
#include "emitters/iterations/kinds_drawing.hpp"
#include "emitters/iterations/map_drawing.hpp"
#include "emitters/layout.hpp"
#include "filters/iterations/find_group_kinds.hpp"
#include "filters/iterations/gather_rows.hpp"
#include "model/chosen_iterations.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/iterations/group_kinds.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/profile/metric.hpp"
#include "pipeline/reduce/fold_plan.hpp"
#include "pipeline/reduce/original_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace tracefold::cli {

namespace {

struct IterationsOptions : PlanOptions {
  PartOptions part;
  FoldingOptions folding;
  std::vector<std::size_t> sweep;  // numbers of clusters to compare
  bool loops = false;              // only show what was found
  MapOptions map;                  // without a metric: no map is asked for
  std::optional<RowChoice> rows;   // none: each process by itself
  std::optional<std::pair<std::uint64_t, std::uint64_t>> range;  // of iterations, with both ends
  std::vector<std::size_t> grid;                                 // sizes; empty: as the trace says
  std::optional<CsvRows> csv;
  std::optional<MapBins> bins;
  std::optional<ColourScaling> scaling;
  DrawingOptions drawing;

  bool shows_map() const { return !map.metric.empty(); }
  bool draws_kinds() const { return draws() && !shows_map(); }
  bool draws() const { return !drawing.out.empty(); }
  bool has_clusters() const { return folding.clusters->count() > 0; }
  // Whether it is said which iterations are kept.
  bool chooses() const {
    const auto& fold = folding.fold;
    return !fold.asked.empty() || has_clusters() || !fold.keep.empty() || fold.folds_unsure ||
           fold.accuracy;
  }
};

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

// Reads "110-130", or "7".
std::pair<std::uint64_t, std::uint64_t> parse_range(const std::string& text) {
  const auto listed = parse_ranges(text);
  if (listed.back() - listed.front() + 1 != listed.size())
    throw Error(ErrorKind::usage, fmt::format("--range {}: these do not follow each other", text))
        .hint("give the first and the last one, as in 110-130");
  return {listed.front(), listed.back()};
}

// Refuses options that contradict each other.
void check(const IterationsOptions& options) {
  const bool shows_map = options.shows_map();
  const bool draws = options.draws();
  check_drawing(options.drawing, options.format);
  if (options.draws_kinds() && (options.loops || !options.sweep.empty()))
    throw Error(ErrorKind::usage, "--loops and --sweep show tables, and -o draws")
        .hint("give one of them");
  if (options.scaling && (!draws || !shows_map))
    throw Error(ErrorKind::usage, "--scale says which colours a drawing has")
        .hint("give --map METRIC -o FILE.svg, too");

  if (options.loops + shows_map + !options.sweep.empty() > 1)
    throw Error(ErrorKind::usage, "--loops, --map and --sweep show different things")
        .hint("give one of them");

  if (shows_map && !draws && options.has_clusters())
    throw Error(ErrorKind::usage, "--map shows all iterations, and clusters none")
        .hint("give one of them, or draw it with -o FILE.svg");

  if (!shows_map && (options.map.loop || !options.map.call_path.empty() || options.rows ||
                     options.range || options.csv || options.bins))
    throw Error(
        ErrorKind::usage,
        "--loop, --call-path, --rows, --range, --csv and --bins say what to show of a metric")
        .hint("give --map METRIC, too");

  check_grid(options.grid, options.rows);
  if (options.csv && options.format != Format::csv)
    throw Error(ErrorKind::usage, "--csv says which CSV to print").hint("give --format csv, too");
  if (((shows_map && !draws) || options.loops) && !options.folding.fold.keep.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--keep-iterations chooses iterations, {} only shows them",
                            shows_map ? "--map" : "--loops"))
        .hint("give one of them");
  if (options.folding.fold.accuracy &&
      (options.has_clusters() || !options.sweep.empty() || options.loops || shows_map))
    throw Error(ErrorKind::usage, "--accuracy chooses the number of clusters")
        .hint("give it without --clusters, --sweep, --loops and --map");
  if (!options.sweep.empty() && options.has_clusters())
    throw Error(ErrorKind::usage, "--clusters and --sweep both say how many clusters")
        .hint("give one of them");
}

constexpr std::size_t most_rows = 40;  // of a table of iterations, where these are not all shown

// What the rows of the map are where they are not processes in the order of ranks.
std::optional<WantedRows> find_rows(const PlanSession& opened, const IterationsOptions& options) {
  const auto rows = options.rows.value_or(RowChoice::rank);
  if (rows == RowChoice::rank)
    return std::nullopt;
  auto places = opened.find_places();
  place_ranks(opened.plan(), options.grid, places);
  return list_wanted_rows(opened.plan(), places, rows);
}

// Kinds of iterations are shown by how long they take.
MapOptions choose_map(PlanSession& opened, const IterationsOptions& options) {
  auto map = options.map;
  if (options.draws_kinds())
    map.metric = get_entry(Metric::execution_time).name;
  if (options.range)
    std::tie(map.first, map.end) =
        find_iterations(opened.plan(), options.range->first, options.range->second);
  return map;
}

std::string write_map_table(const Plan& plan, const IterationMap& map) {
  const bool shows_each = choose_name_length() == NameLength::whole;
  const auto rows = summarize_rows(map, shows_each ? std::max(map.columns, most_rows) : most_rows);
  auto out = map_table(plan, map, rows);
  if (rows.together > 1)
    out += fmt::format(
        "each row joins {} iterations, to fit here; --wide or --format csv shows each\n",
        rows.together * map.per_column);
  return out;
}

void show_map(const Session& session, PlanSession& opened, const IterationsOptions& options) {
  auto map = map_plan(opened, choose_map(opened, options), options.folding.fold);
  const auto& plan = opened.plan();
  if (const auto rows = find_rows(opened, options))
    map = gather_rows(plan, map, *rows);
  take_original_ids(opened);
  const auto summarize = [&] {
    return summarize_map(std::move(map), options.bins.value_or(MapBins{}));
  };
  print_as(
      session, options.format, [&] { return write_map_table(plan, map); },
      [&] { return map_csv(plan, summarize(), options.csv.value_or(CsvRows::iterations)); },
      [&] { return map_json(plan, summarize()); });
}

// Draws a map of all processes beside what is left of it.
void draw_map(const Session& session, PlanSession& opened, const IterationsOptions& options) {
  auto maps =
      compare_map(opened, choose_map(opened, options), options.folding.fold, options.chooses());
  if (const auto rows = find_rows(opened, options))
    maps = gather_rows(opened.plan(), std::move(maps), *rows);
  const auto drawing =
      to_svg(opened.plan(), std::move(maps),
             {options.scaling.value_or(ColourScaling::linear), options.bins.value_or(MapBins{})});
  put_drawing(session, options.drawing, drawing, "the map");
}

// Draws how long the groups are in each kind of iteration. Where nothing says how many kinds there
// are, they are so few that they fit the drawing.
void draw_kinds(const Session& session, PlanSession& opened, const IterationsOptions& options) {
  auto fold = options.folding.fold;
  if (!options.chooses() && !opened.plan().iterations)
    fold.max_clusters = drawn_iteration_kinds;
  const auto maps = compare_map(opened, choose_map(opened, options), fold, options.chooses());
  const auto& plan = opened.plan();
  put_drawing(session, options.drawing,
              kinds_to_svg(plan, find_group_kinds(plan, maps), maps.original), "the drawing");
}

void show_sweep(const Session& session, PlanSession& opened, const LoopReport& found,
                const IterationsOptions& options) {
  const auto sweep = compare_clusters(opened, options.folding.fold, found, options.sweep);
  print_as(
      session, options.format, [&] { return sweep_table(opened.plan(), sweep); },
      [&] { return sweep_csv(opened.plan(), sweep); },
      [&] { return sweep_json(opened.plan(), sweep); });
}

void show_folded_plan(const Session& session, PlanSession& opened, const LoopReport& found,
                      const IterationsOptions& options) {
  fold_plan(opened, options.folding.fold, found);
  const auto& plan = opened.plan();
  print_plan(
      session, plan, options.format,
      [&] {
        auto table = to_table(plan, found);
        if (!plan.iterations->loops.empty())
          table += "\n" + folded_table(plan);
        if (plan.errors)
          table += "\n" + fold_errors_table(*plan.errors);
        return table;
      },
      [&] { return to_csv(plan, found); });
}

int run_iterations(Session& session, const IterationsOptions& options) {
  check(options);
  auto opened = open_plan(session, options);
  apply_part(opened, options.part);
  // Other iterations than those that were folded are not stored; drawings show no call paths of
  // all.
  const bool is_of_stored_loops =
      options.draws() ? !options.chooses() : options.folding.fold.asked.empty();
  const bool is_table_or_of_all = !options.draws() || options.map.call_path.empty();
  if ((options.shows_map() || options.draws()) && is_of_stored_loops && is_table_or_of_all)
    opened.ask_for_map(choose_map(opened, options));
  const bool folds = options.draws() || (!options.loops && !options.shows_map());
  opened.profile(choose_extras_for_iterations(options.folding.fold, folds));
  opened.require_groups();

  if (folds && !opened.plan().representatives)
    opened.select({}, {});

  if (options.draws()) {
    options.draws_kinds() ? draw_kinds(session, opened, options)
                          : draw_map(session, opened, options);
    return 0;
  }
  if (options.shows_map()) {
    show_map(session, opened, options);
    return 0;
  }

  const auto found = find_loops(opened, options.folding.fold);
  if (options.loops)
    print_result(session, options.format, opened.plan(), found);
  else if (!options.sweep.empty())
    show_sweep(session, opened, found, options);
  else
    show_folded_plan(session, opened, found, options);

  return 0;
}

// Those of all traces; counters are a trace's own.
std::vector<std::string> list_metrics() {
  std::vector<std::string> names{"computation time"};
  for (const auto& metric : metric_table)
    names.emplace_back(metric.name);
  return names;
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
  auto& folding = options->folding;
  const auto parse_clusters = [](const std::string& text) {
    return parse_number("--clusters", text);
  };
  folding.clusters = add_parsed(command, "--clusters", folding.fold.max_clusters, parse_clusters,
                                fmt::format("Clusters of iterations to make, one kept of each ({})",
                                            folding.fold.max_clusters))
                         ->option_text("C")
                         ->check(not_empty());
  add_fold_details(command, folding);
  add_accuracy(command, folding.fold.accuracy);
  command->add_flag("--loops", options->loops, "Show the loops that are found, choose nothing");
  add_parsed(command, "--sweep", options->sweep, parse_sweep,
             "Compare numbers of clusters, as in 8,16,32,64")
      ->option_text("C,...")
      ->check(not_empty());
  command->add_option("--map", options->map.metric, "Show a metric by iteration and process")
      ->option_text("METRIC")
      ->check(not_empty())
      ->check(offer(list_metrics()));
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
  add_rows(command, options->rows, "Rows of the map: rank, group, node or topology (rank)");
  add_parsed(command, "--range", options->range, parse_range,
             "Of these iterations only, as in 110-130 or 7")
      ->option_text("A-B")
      ->check(not_empty());
  add_grid(command, options->grid);
  add_choice(command, "--csv", options->csv,
             {{"iterations", CsvRows::iterations},
              {"processes", CsvRows::processes},
              {"map", CsvRows::map}},
             "Which CSV: of iterations (default), processes or the map")
      ->option_text("TABLE");
  add_parsed(command, "--bins", options->bins, parse_bins,
             "Most rows and columns of the map (1000x1000)")
      ->option_text("PxI");
  add_choice(command, "--scale", options->scaling,
             {{"linear", ColourScaling::linear},
              {"zero", ColourScaling::from_zero},
              {"equalized", ColourScaling::equalized}},
             "Colours of a drawing: linear, zero or equalized (linear)")
      ->option_text("SCALE");
  add_drawing(command, options->drawing);
  add_part(command, options->part);

  command->footer(
      "Errors: how far times are from those of what stands for them, summed over\n"
      "processes and call paths, or over processes and iterations, and over the sum of\n"
      "the times; of computation, of communication without waiting, and of waiting.\n"
      "--json has averages over iterations and metrics, too.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
