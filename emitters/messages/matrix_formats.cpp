#include "emitters/messages/matrix_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/messages/waiting_formats.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/svg.hpp"
#include "emitters/text_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_listed = 20;  // pairs or parts in a table for people
constexpr std::size_t longest_row_name = 40, longest_description = 100;

const char* to_text(MatrixSplit split) {
  switch (split) {
    case MatrixSplit::communicator: return "communicator";
    case MatrixSplit::tag: return "tag";
    case MatrixSplit::call_path: return "call path";
    default: return "";
  }
}

double find_amount(const MatrixCell& cell, MatrixMetric metric) {
  switch (metric) {
    case MatrixMetric::messages: return static_cast<double>(cell.messages);
    case MatrixMetric::bytes: return static_cast<double>(cell.bytes);
    default: return cell.waiting;
  }
}

// Counts as `write_count` writes them: tables ask where they are shown, drawings do not.
std::string show_amount(double amount, MatrixMetric metric,
                        std::string (*write_count)(std::uint64_t)) {
  switch (metric) {
    case MatrixMetric::messages: return write_count(static_cast<std::uint64_t>(amount));
    case MatrixMetric::bytes: return format_bytes(static_cast<std::uint64_t>(amount));
    default: return format_seconds(amount);
  }
}

const char* name_metric(MatrixMetric metric) {
  switch (metric) {
    case MatrixMetric::messages: return "messages sent";
    case MatrixMetric::bytes: return "bytes sent";
    default: return "waiting for late senders";
  }
}

const std::string& find_name(const MessageMatrix& matrix, std::uint32_t row) {
  static const std::string unknown = "unknown";
  return row == unknown_row ? unknown : matrix.names[row];
}

struct Total {
  std::uint64_t messages = 0, bytes = 0, unknown = 0;  // unknown: messages
  double waiting = 0, late_receiver = 0;               // seconds
};

Total sum(const std::vector<MatrixCell>& cells) {
  Total total;
  for (const auto& cell : cells) {
    total.messages += cell.messages;
    total.bytes += cell.bytes;
    total.waiting += cell.waiting;
    total.late_receiver += cell.late_receiver;
    total.unknown += cell.to == unknown_row ? cell.messages : 0;
  }
  return total;
}

// All parts together.
std::vector<MatrixCell> sum_parts(const MessageMatrix& matrix) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, MatrixCell> sums;
  for (const auto& part : matrix.parts)
    for (const auto& cell : part.cells) {
      auto& sum = sums[{cell.from, cell.to}];
      sum.from = cell.from;
      sum.to = cell.to;
      sum.messages += cell.messages;
      sum.bytes += cell.bytes;
      sum.waiting += cell.waiting;
      sum.late_receiver += cell.late_receiver;
    }

  std::vector<MatrixCell> cells;
  for (const auto& [place, cell] : sums)
    cells.push_back(cell);
  return cells;
}

// As people are shown it: with what the row is, where that is known.
std::string show_name(const MessageMatrix& matrix, std::uint32_t row) {
  const auto& name = find_name(matrix, row);
  const bool is_described = row != unknown_row && row < matrix.descriptions.size();
  return fit_name(make_printable(is_described ? name + " " + matrix.descriptions[row] : name),
                  longest_row_name);
}

TableRows make_matrix_rows(const MessageMatrix& matrix, const std::vector<MatrixCell>& amounts,
                           MatrixMetric metric) {
  const bool has_unknown = sum(amounts).unknown > 0;
  const auto columns = matrix.names.size() + has_unknown;
  TableRows rows{{"from \\ to"}};
  for (std::uint32_t row = 0; row < matrix.names.size(); ++row) {
    rows[0].push_back(fit_name(make_printable(find_name(matrix, row)), longest_row_name));
    rows.push_back({show_name(matrix, row)});
    rows.back().resize(1 + columns, "-");
  }
  if (has_unknown)
    rows[0].push_back("unknown");

  for (const auto& cell : amounts) {
    const auto column = cell.to == unknown_row ? matrix.names.size() : cell.to;
    rows[1 + cell.from][1 + column] = show_amount(find_amount(cell, metric), metric, show_count);
  }
  return rows;
}

std::string show_largest(const MessageMatrix& matrix, std::vector<MatrixCell> amounts,
                         MatrixMetric metric) {
  std::stable_sort(amounts.begin(), amounts.end(), [&](const auto& a, const auto& b) {
    return find_amount(a, metric) > find_amount(b, metric);
  });

  TableRows rows{{"from", "to", "messages", "bytes"}};
  if (matrix.knows_waiting)
    rows[0].push_back("waiting");
  for (std::size_t k = 0; k < std::min(most_listed, amounts.size()); ++k) {
    rows.push_back({show_name(matrix, amounts[k].from), show_name(matrix, amounts[k].to),
                    show_count(amounts[k].messages), format_bytes(amounts[k].bytes)});
    if (matrix.knows_waiting)
      rows.back().push_back(format_seconds(amounts[k].waiting));
  }

  auto out = text_table(rows, {.left_columns = 0});
  if (amounts.size() > most_listed)
    out += fmt::format("{} more pairs\n", show_count(amounts.size() - most_listed));
  return out;
}

std::string show_cells(const MessageMatrix& matrix, const std::vector<MatrixCell>& amounts,
                       MatrixMetric metric) {
  if (matrix.names.size() <= largest_matrix)
    if (const auto rows = make_matrix_rows(matrix, amounts, metric); fits_line(rows))
      return text_table(rows, {.left_columns = 0});
  return show_largest(matrix, amounts, metric);
}

std::string summarize(const MessageMatrix& matrix, const std::vector<MatrixCell>& amounts) {
  const auto total = sum(amounts);
  const auto count = [](std::size_t n, const std::string& what) {
    return show_count(n) + " " + what + (n == 1 ? "" : "s");
  };
  auto out = fmt::format("{} messages, {}, between {} of {}\n", show_count(total.messages),
                         format_bytes(total.bytes), count(amounts.size(), "pair"),
                         count(matrix.names.size(), to_text(matrix.rows)));
  if (matrix.knows_waiting)
    out += fmt::format("receivers waited {} for late senders, senders {} for late receivers\n",
                       format_seconds(total.waiting), format_seconds(total.late_receiver));
  if (total.unknown > 0)
    out += fmt::format("the receivers of {} messages are not known\n", show_count(total.unknown));
  if (!matrix.complete)
    out += "not complete: some processes or ends of messages are not known\n";
  return out;
}

constexpr std::size_t most_lines = 256;  // of a map
constexpr int map_size = 640;            // pixels
constexpr int margin = 60;
constexpr int bar_width = 16;

// From light to dark, for a share of the largest amount from 0 to 1. What is hardly more than
// nothing can still be told from the ground.
std::string choose_colour(double share) {
  static constexpr std::array<Colour, 4> stops{
      {{205, 224, 241}, {107, 174, 214}, {33, 113, 181}, {8, 29, 88}}};
  const auto place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const auto part = place - static_cast<double>(first);
  const auto mix = [part](double a, double b) {
    return static_cast<std::uint8_t>(std::lround(a + part * (b - a)));
  };

  const auto &a = stops[first], &b = stops[first + 1];
  return write_colour({mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)});
}

// "8", or "8 to 15" where rows share a line.
std::string name_line(const MessageMatrix& matrix, std::size_t line, std::size_t per_line) {
  const auto first = line * per_line;
  const auto last = std::min(first + per_line, matrix.names.size()) - 1;
  const auto describe = [&](std::size_t row) {
    return row < matrix.descriptions.size()
               ? " " + shorten_name(matrix.descriptions[row], longest_description)
               : std::string();
  };
  return first == last ? matrix.names[first] + describe(first)
                       : fmt::format("{} to {}", matrix.names[first], matrix.names[last]);
}

// From 0 to the largest amount, in equal steps.
std::string write_scale(double largest, MatrixMetric metric) {
  constexpr int steps = 32;
  const auto x = margin + map_size + margin / 3;
  std::string out;
  for (int k = 0; k < steps; ++k)
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x,
                       margin + (steps - 1 - k) * map_size / steps, bar_width, map_size / steps,
                       choose_colour(static_cast<double>(k) / (steps - 1)));
  const auto label = [&](int y, const std::string& text) {
    out += draw_text(x + bar_width + 6, y, "start", text);
  };
  label(margin + 10, show_amount(largest, metric, group_digits));
  if (metric == MatrixMetric::waiting || largest >= 2)
    label(margin + map_size / 2 + 5, show_amount(largest / 2, metric, group_digits));
  label(margin + map_size, "0");
  out += draw_text(x, margin + map_size + 20, "start", "linear scale");
  return out;
}

}  // namespace

std::string to_table(const MessageMatrix& matrix, MatrixMetric metric) {
  const auto all = sum_parts(matrix);
  if (matrix.split == MatrixSplit::none)
    return show_cells(matrix, all, metric) + summarize(matrix, all);

  std::vector<const MatrixPart*> parts;
  for (const auto& part : matrix.parts)
    parts.push_back(&part);
  const auto amount = [&](const MatrixPart* part) {
    const auto total = sum(part->cells);
    return metric == MatrixMetric::bytes ? total.bytes : total.messages;
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const auto* a, const auto* b) { return amount(a) > amount(b); });

  TableRows rows{{"messages", "bytes", "pairs", to_text(matrix.split)}};
  std::string matrices;
  for (std::size_t k = 0; k < std::min(most_listed, parts.size()); ++k) {
    const auto total = sum(parts[k]->cells);
    rows.push_back({show_count(total.messages), format_bytes(total.bytes),
                    show_count(parts[k]->cells.size()), make_printable(parts[k]->name)});
    if (matrix.names.size() <= largest_matrix)
      matrices += fmt::format("\n{} {}\n", to_text(matrix.split), make_printable(parts[k]->name)) +
                  show_cells(matrix, parts[k]->cells, metric);
  }

  auto out = text_table(rows, {.left_columns = 1});
  if (parts.size() > most_listed)
    out += fmt::format("{} more\n", show_count(parts.size() - most_listed));
  return out + summarize(matrix, all) + matrices;
}

std::string to_csv(const MessageMatrix& matrix) {
  const bool is_split = matrix.split != MatrixSplit::none;
  std::string out = is_split ? quote_csv(to_text(matrix.split)) + "," : "";
  out += matrix.knows_waiting ? "from,to,messages,bytes,waiting_seconds,late_receiver_seconds\r\n"
                              : "from,to,messages,bytes\r\n";

  for (const auto& part : matrix.parts)
    for (const auto& cell : part.cells)
      out += fmt::format(
          "{}{}{},{},{},{}{}\r\n", is_split ? quote_csv(part.name) : "", is_split ? "," : "",
          quote_csv(find_name(matrix, cell.from)), quote_csv(find_name(matrix, cell.to)),
          cell.messages, cell.bytes,
          matrix.knows_waiting ? fmt::format(",{},{}", cell.waiting, cell.late_receiver) : "");
  return out;
}

std::string to_json(const MessageMatrix& matrix, const WaitingReport* waiting) {
  using Json = nlohmann::ordered_json;
  auto parts = Json::array();
  for (const auto& part : matrix.parts) {
    auto cells = Json::array();
    for (const auto& cell : part.cells) {
      cells.push_back(
          {cell.from, cell.to == unknown_row ? Json() : Json(cell.to), cell.messages, cell.bytes});
      if (matrix.knows_waiting)
        cells.back().insert(cells.back().end(), {cell.waiting, cell.late_receiver});
    }
    auto one = Json::object();
    if (matrix.split != MatrixSplit::none)
      one["name"] = part.name;
    one["cells"] = std::move(cells);
    parts.push_back(std::move(one));
  }

  Json out{{"tracefold_matrix", 1},
           {"rows", to_text(matrix.rows)},
           {"complete", matrix.complete},
           {"names", matrix.names},
           {"columns", {"from", "to", "messages", "bytes"}}};
  if (matrix.knows_waiting)
    for (const auto* column : {"waiting_seconds", "late_receiver_seconds"})
      out["columns"].push_back(column);
  if (matrix.split != MatrixSplit::none)
    out["split"] = to_text(matrix.split);
  out["parts"] = std::move(parts);
  if (waiting)
    out["waiting"] = waiting_to_json(*waiting);
  return write_json_text(out);
}

std::string to_svg(const MessageMatrix& matrix, MatrixMetric metric) {
  const auto rows = matrix.names.size();
  const auto per_line = std::max<std::size_t>((rows + most_lines - 1) / most_lines, 1);
  const auto lines = std::max<std::size_t>((rows + per_line - 1) / per_line, 1);

  std::map<std::pair<std::size_t, std::size_t>, double> amounts;
  const auto all = sum_parts(matrix);
  for (const auto& cell : all)
    if (cell.to != unknown_row && find_amount(cell, metric) > 0)
      amounts[{cell.from / per_line, cell.to / per_line}] += find_amount(cell, metric);

  double largest = 0;
  for (const auto& [place, amount] : amounts)
    largest = std::max(largest, amount);

  const auto width = margin + map_size + 3 * margin;
  const auto height = margin + map_size + margin;
  const auto size = static_cast<double>(map_size) / static_cast<double>(lines);
  auto out = begin_svg(width, height);

  const auto total = sum(all);
  out += draw_text(margin, margin / 3, "start",
                   fmt::format("{}: {} messages, {}{}{}", name_metric(metric),
                               group_digits(total.messages), format_bytes(total.bytes),
                               matrix.knows_waiting ? ", " + format_seconds(total.waiting) : "",
                               matrix.complete ? "" : " (not complete)"));
  out += draw_text(margin + map_size / 2, margin - 24, "middle",
                   fmt::format("to {}", to_text(matrix.rows)));
  out += draw_upright_text(margin - 44, margin + map_size / 2, "middle",
                           fmt::format("from {}", to_text(matrix.rows)));

  // About eight names on each side.
  const auto step = std::max<std::size_t>((lines + 7) / 8, 1);
  for (std::size_t line = 0; line < lines && rows > 0; line += step) {
    const auto name = shorten(matrix.names[line * per_line], 8);
    const auto middle =
        margin + static_cast<int>(std::lround((static_cast<double>(line) + 0.5) * size));
    out += draw_text(middle, margin - 6, "middle", name);
    out += draw_text(margin - 6, middle + 4, "end", name);
  }

  out += fmt::format(
      "<rect x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{1}\" fill=\"#fafafa\" "
      "stroke=\"#808080\"/>\n",
      margin, map_size);
  for (const auto& [place, amount] : amounts) {
    const auto [from, to] = place;
    out += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"><title>"
        "{} to {}: {}</title></rect>\n",
        margin + static_cast<double>(to) * size, margin + static_cast<double>(from) * size, size,
        size, choose_colour(amount / largest), escape_xml(name_line(matrix, from, per_line)),
        escape_xml(name_line(matrix, to, per_line)), show_amount(amount, metric, group_digits));
  }
  if (largest > 0)
    out += write_scale(largest, metric);
  out += end_svg();
  return out;
}

}  // namespace tracefold
