#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "emitters/messages/matrix_formats.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct MatrixOptions {
  std::string trace;
  MatrixRows rows = MatrixRows::rank;
  MatrixSplit split = MatrixSplit::none;
  MatrixMetric metric = MatrixMetric::bytes;
  std::optional<Format> format;
  DrawingOptions drawing;
};

MatrixRows parse_rows(const std::string& word) {
  return parse_word(
      "--by", word,
      std::array{std::pair("rank", MatrixRows::rank), std::pair("group", MatrixRows::group),
                 std::pair("node", MatrixRows::node)});
}

MatrixSplit parse_split(const std::string& word) {
  return parse_word("--split", word,
                    std::array{std::pair("communicator", MatrixSplit::communicator),
                               std::pair("tag", MatrixSplit::tag),
                               std::pair("call-path", MatrixSplit::call_path)});
}

MatrixMetric parse_metric(const std::string& word) {
  return parse_word("--metric", word,
                    std::array{std::pair("bytes", MatrixMetric::bytes),
                               std::pair("messages", MatrixMetric::messages)});
}

void check(const MatrixOptions& options) {
  check_drawing(options.drawing, options.format);
  if (!options.drawing.out.empty() && options.split != MatrixSplit::none)
    throw Error(ErrorKind::usage, "a drawing shows one matrix, and --split makes several")
        .hint("give one, or print them with --format csv");
}

RowsOfRanks choose_rows(Session& session, Opened& opened, const Messages& messages,
                        MatrixRows rows) {
  if (rows == MatrixRows::rank)
    return list_rank_rows(messages);
  if (rows == MatrixRows::node)
    return list_node_rows(messages);

  // A trace that was reduced before has its groups already.
  if (!opened.plan.groups && !was_reduced(*opened.archive)) {
    profile_plan(session, opened);
    group_plan(session, opened, {});
  }
  return list_group_rows(find_groups_of_ranks(*opened.archive, opened.plan, messages));
}

int run_matrix(Session& session, const MatrixOptions& options) {
  check(options);
  auto opened = open(session, options.trace, true);
  const auto& messages = find_messages(session, opened);
  constexpr std::uint64_t bytes_per_rank = 128;  // of names and rows, before there are cells
  if (messages.size * bytes_per_rank > session.read_options("").memory)
    throw Error(ErrorKind::input, "its ranks need more memory than there is")
        .in(opened.plan.trace.anchor)
        .hint("give more with --memory");

  const auto rows = choose_rows(session, opened, messages, options.rows);
  const auto matrix = sum_matrix(messages, rows, options.split);

  session.clear_line();
  if (!options.drawing.out.empty()) {
    put_drawing(session, options.drawing, to_svg(matrix, options.metric), "the matrix");
    return 0;
  }

  switch (options.format.value_or(Format::table)) {
    case Format::table: print(to_table(matrix, options.metric, choose_long_cells())); break;
    case Format::csv: print(to_csv(matrix)); break;
    case Format::json: print(to_json(matrix)); break;
  }
  return 0;
}

}  // namespace

void add_matrix(Commands& commands) {
  auto options = std::make_shared<MatrixOptions>();
  auto* command = commands.add("matrix", "Show who sends how much to whom.",
                               "  tracefold matrix small/traces.otf2 -o matrix.svg\n  tracefold "
                               "matrix app/traces.otf2 --by node --split tag --format csv",
                               options, run_matrix);

  add_trace(command, options->trace, plan_or_trace);
  add_parsed(command, "--by", options->rows, parse_rows,
             "Rows and columns: rank, group or node (rank)")
      ->option_text("ROWS");
  add_parsed(command, "--split", options->split, parse_split,
             "One matrix for each communicator, tag or call-path")
      ->option_text("BY");
  add_parsed(command, "--metric", options->metric, parse_metric,
             "What tables and drawings show: bytes or messages (bytes)")
      ->option_text("METRIC");
  add_format(command, options->format);
  add_drawing(command, options->drawing);
}

}  // namespace tracefold::cli
