#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "emitters/messages/matrix_formats.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "filters/iterations/gather_rows.hpp"
#include "filters/messages/report_waiting.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/describe_group.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <system_error>

namespace tracefold::cli {

namespace {

struct MatrixOptions : TraceOptions {
  PartOptions part;
  std::optional<RowChoice> rows;  // none: rank
  std::vector<std::size_t> grid;  // sizes; empty: as the trace says
  MatrixSplit split = MatrixSplit::none;
  MatrixMetric metric = MatrixMetric::bytes;
  std::optional<Format> format;
  DrawingOptions drawing;
};

void check(const MatrixOptions& options) {
  check_drawing(options.drawing, options.format);
  check_grid(options.grid, options.rows);
  if (!options.drawing.out.empty() && options.split != MatrixSplit::none)
    throw Error(ErrorKind::usage, "a drawing shows one matrix, and --split makes several")
        .hint("give one, or print them with --format csv");
  if (options.metric == MatrixMetric::waiting && options.split != MatrixSplit::none)
    throw Error(ErrorKind::usage, "--metric waiting is not known by communicator, tag or call path")
        .hint("leave --split out");
}

RowsOfRanks list_topology_rows(PlanSession& opened, const Messages& messages,
                               const std::vector<std::size_t>& sizes) {
  opened.profile();  // it tells which grid messages propose
  auto places = opened.find_places();
  place_ranks(opened.plan(), sizes, places);
  const auto& grid = get_rank_grid(places);
  const auto order = order_ranks(grid);
  if (order.size() != messages.size)
    throw Error(ErrorKind::input,
                fmt::format("its grid has {} places, and messages are of {} ranks", order.size(),
                            messages.size))
        .hint("use --rows rank");
  std::vector<std::string> names;
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    names.push_back(name_place(grid, rank));
  return list_placed_rows(order, names);
}

RowsOfRanks choose_rows(PlanSession& opened, const Messages& messages, MatrixRows rows,
                        const std::vector<std::size_t>& grid) {
  if (rows == MatrixRows::rank)
    return list_rank_rows(messages);
  if (rows == MatrixRows::node)
    return list_node_rows(messages);
  if (rows == RowChoice::topology)
    return list_topology_rows(opened, messages, grid);

  // A trace that was reduced before mostly has its groups already; a whole one answers as its
  // original does.
  const auto& archive = opened.archive();
  if (!opened.plan().groups && (is_whole(archive.facts()) || !has_stored_groups(archive))) {
    opened.profile();
    opened.group({});
  }
  return list_group_rows(find_groups_of_ranks(archive, opened.plan(), messages));
}

// The plan beside a trace does not say which processes are ranks.
void add_ranks(const Messages& messages, Plan& plan) {
  std::map<std::uint64_t, std::uint64_t> rank_of;
  for (std::size_t rank = 0; rank < messages.endpoints.size(); ++rank)
    rank_of.emplace(messages.endpoints[rank], rank);
  for (auto& process : plan.processes)
    if (const auto at = rank_of.find(process.id); at != rank_of.end() && !process.rank)
      process.rank = at->second;
}

// Rows are named by the numbers of groups: of the plan, or as the trace was reduced before.
void describe_rows(PlanSession& opened, const Messages& messages, MessageMatrix& matrix) {
  auto beside = opened.plan().groups ? PlanBeside() : read_plan_beside(opened.archive());
  if (beside.is_that && beside.plan)
    add_ranks(messages, *beside.plan);
  const auto& plan = beside.is_that && beside.plan ? *beside.plan : opened.plan();
  if (!plan.groups)
    return;
  for (const auto& name : matrix.names) {
    std::size_t group = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), group);
    const bool is_number = problem == std::errc() && end == name.data() + name.size();
    matrix.descriptions.push_back(
        is_number && group < plan.groups->size() ? describe_group(plan, group) : "");
  }
}

int run_matrix(Session& session, const MatrixOptions& options) {
  check(options);
  auto opened = open_plan(session, options);
  apply_part(opened, options.part);
  const auto& messages = opened.find_messages();
  constexpr std::uint64_t bytes_per_rank = 128;  // of names and rows, before there are cells
  if (messages.size * bytes_per_rank > session.context().reading.memory)
    throw Error(ErrorKind::input, "its ranks need more memory than there is")
        .in(opened.plan().trace.anchor)
        .hint("give more with --memory");

  const auto rows =
      choose_rows(opened, messages, options.rows.value_or(RowChoice::rank), options.grid);
  MessageMatrix matrix;
  std::optional<WaitingReport> waiting;
  if (options.metric == MatrixMetric::waiting) {
    const auto pairs = opened.find_pairs();
    matrix = sum_pairs(pairs, rows);
    waiting = report_waiting(pairs);
  } else {
    matrix = sum_matrix(messages, rows, options.split);
  }
  if (options.rows == RowChoice::group)
    describe_rows(opened, messages, matrix);

  if (!options.drawing.out.empty()) {
    put_drawing(session, options.drawing, to_svg(matrix, options.metric), "the matrix");
    return 0;
  }

  print_as(
      session, options.format,
      [&] {
        return to_table(matrix, options.metric) + (waiting ? to_table(*waiting) : std::string());
      },
      [&] { return to_csv(matrix); },
      [&] { return to_json(matrix, waiting ? &*waiting : nullptr); });

  return 0;
}

}  // namespace

void add_matrix(Commands& commands) {
  auto options = std::make_shared<MatrixOptions>();
  auto* command = commands.add("matrix", "Show who sends how much to whom.",
                               "  tracefold matrix small/traces.otf2 -o matrix.svg\n  tracefold "
                               "matrix app/traces.otf2 --rows node --split tag --format csv",
                               options, run_matrix);

  add_trace_or_plan(command, *options);
  add_rows(command, options->rows, "Rows, columns: rank, group, node or topology (rank)");
  add_grid(command, options->grid);
  add_choice(command, "--split", options->split,
             {{"communicator", MatrixSplit::communicator},
              {"tag", MatrixSplit::tag},
              {"call-path", MatrixSplit::call_path}},
             "One matrix for each communicator, tag or call-path")
      ->option_text("BY");
  add_choice(command, "--metric", options->metric,
             {{"bytes", MatrixMetric::bytes},
              {"messages", MatrixMetric::messages},
              {"waiting", MatrixMetric::waiting}},
             "What is shown: bytes, messages or waiting")
      ->option_text("METRIC");
  add_format(command, options->format);
  add_drawing(command, options->drawing);
  add_part(command, options->part);
}

}  // namespace tracefold::cli
