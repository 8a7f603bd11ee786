#include "emitters/tables.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tracefold {

namespace {

// `is_right(row, column)`: whether a cell is aligned to the right.
template <class IsRight>
std::string align(const TableRows& rows, IsRight is_right) {
  std::vector<std::size_t> widths;

  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() <= c)
        widths.push_back(0);
      widths[c] = std::max(widths[c], measure_width(row[c]));
    }

  std::string out;

  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;

    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const auto& cell = rows[r][c];
      const std::string padding(widths[c] - measure_width(cell), ' ');
      line += c ? "  " : "";
      line += is_right(r, c) ? padding + cell : cell + padding;
    }

    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }

  return out;
}

bool groups_digits = true;

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789. %") == std::string::npos;
}

}  // namespace

std::string text_table(const TableRows& rows) {
  return align(rows, [&](std::size_t row, std::size_t column) {
    const bool is_heading = row == 0 && rows.size() > 1 && column < rows[1].size();
    return is_number(is_heading ? rows[1][column] : rows[row][column]);
  });
}

std::string text_table(const TableRows& rows, std::size_t left_columns) {
  return align(rows, [&](std::size_t row, std::size_t column) {
    return column + left_columns < rows[row].size();
  });
}

std::string matrix_table(const std::string& title, const std::vector<std::vector<double>>& values) {
  TableRows rows{{title}};
  for (std::size_t g = 0; g < values.size(); ++g)
    rows[0].push_back(std::to_string(g));

  for (std::size_t g = 0; g < values.size(); ++g) {
    auto& row = rows.emplace_back();
    row.push_back(std::to_string(g));
    for (auto value : values[g])
      row.push_back(show_similarity(value));
  }

  return text_table(rows);
}

std::string show_similarity(double value) {
  constexpr double rounding_error = 1e-9;
  if (value >= 1 - rounding_error)
    return "1.00";

  return fmt::format("{:.2f}", std::min(value, 0.99));
}

std::string join_names(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string show_count(std::uint64_t n) {
  return groups_digits ? group_digits(n) : std::to_string(n);
}

void group_digits_of_tables(bool grouped) {
  groups_digits = grouped;
}

std::string format_time(const Plan& plan, std::uint64_t ticks) {
  return ticks == 0 ? "0" : format_seconds(to_seconds(plan, ticks));
}

std::string format_seconds(double seconds) {
  if (seconds == 0)
    return "0";

  const char* units[] = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  auto value = seconds;
  for (; value < 0.9995 && unit + 1 < std::size(units); ++unit)
    value *= 1000;

  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string fit_cell(const std::string& text, std::size_t most_characters, LongCells cells) {
  return cells == LongCells::cut ? shorten(text, most_characters) : text;
}

std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::uint64_t> ranks;
  for (auto p : processes)
    if (plan.processes[p].rank)
      ranks.push_back(*plan.processes[p].rank);

  sort_and_unite(ranks);

  return to_ranges(ranks);
}

bool ids_are_ranks(const Plan& plan) {
  return std::all_of(plan.processes.begin(), plan.processes.end(), [](const auto& process) {
    return !process.is_mpi_endpoint || process.rank == process.id;
  });
}

}  // namespace tracefold
