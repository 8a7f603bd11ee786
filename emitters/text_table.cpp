#include "emitters/text_table.hpp"

#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/show_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tracefold {

namespace {

constexpr std::size_t gap = 2;  // between columns
// Long cells are not made narrower than that before columns are left out, and after it.
constexpr std::size_t comfortable_cell = 24, narrow_cell = 12;

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.< %") == std::string::npos;
}

// Whether a cell may be shortened: names and lists, but no numbers.
bool is_long_text(const std::string& cell) {
  return std::any_of(cell.begin(), cell.end(),
                     [](unsigned char c) { return c == ',' || c >= 0x80 || std::isalpha(c) != 0; });
}

// Lists of numbers are told from names: what is behind them counts less.
bool is_list(const std::string& cell) {
  return cell.find_first_not_of("0123456789,-: <>") == std::string::npos;
}

struct Column {
  std::size_t width = 0, least = 0;  // least: of its heading and numbers
};

std::vector<Column> measure_columns(const TableRows& rows) {
  std::vector<Column> columns;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (columns.size() <= c)
        columns.emplace_back();
      const auto width = measure_shown(rows[r][c]);
      columns[c].width = std::max(columns[c].width, width);
      if (r == 0 || !is_long_text(rows[r][c]))
        columns[c].least = std::max(columns[c].least, width);
    }

  return columns;
}

std::size_t add_widths(const std::vector<Column>& columns) {
  std::size_t sum = columns.empty() ? 0 : gap * (columns.size() - 1);
  for (const auto& column : columns)
    sum += column.width;
  return sum;
}

// Makes the widest columns narrower until the table fits, none below `floor`. False where it does
// not fit even so.
bool shrink(std::vector<Column>& columns, std::size_t room, std::size_t floor) {
  for (auto sum = add_widths(columns); sum > room; --sum) {
    Column* widest = nullptr;
    for (auto& column : columns)
      if (column.width > std::max(column.least, floor) && (!widest || column.width > widest->width))
        widest = &column;
    if (!widest)
      return false;
    --widest->width;
  }

  return true;
}

// Words of plain language, which have no brackets, colons or arrows as names have.
bool is_sentence(const std::string& cell) {
  constexpr std::ptrdiff_t least_spaces = 3;
  return std::count(cell.begin(), cell.end(), ' ') >= least_spaces &&
         cell.find_first_of("()<>[]:@/") == std::string::npos;
}

// At the end of a word, where that leaves most of the room used. In little room the end of a
// sentence tells more, as "rank 0" of "main thread of rank 0".
std::string shorten_sentence(const std::string& cell, std::size_t most) {
  if (most < comfortable_cell)
    return shorten_name(cell, most);

  const auto cut = shorten(cell, most);
  const auto space = cut.rfind(' ');
  if (space == std::string::npos || 3 * measure_width(cut.substr(0, space)) < 2 * most)
    return cut;
  return cut.substr(0, space) + "…";
}

void shorten_cells(TableRows& rows, const std::vector<Column>& columns) {
  for (auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (measure_shown(row[c]) > columns[c].width)
        row[c] = is_list(row[c])       ? shorten(row[c], columns[c].width)
                 : is_sentence(row[c]) ? shorten_sentence(row[c], columns[c].width)
                                       : shorten_name(row[c], columns[c].width);
}

bool remove_column(TableRows& rows, const std::string& heading) {
  const auto at = std::find(rows[0].begin(), rows[0].end(), heading);
  if (at == rows[0].end())
    return false;

  const auto column = at - rows[0].begin();
  for (auto& row : rows)
    if (static_cast<std::size_t>(column) < row.size())
      row.erase(row.begin() + column);
  return true;
}

// Gives the rows less width, where they have too much; the headings of the columns that were left
// out.
std::vector<std::string> fit_rows(TableRows& rows, const TableShape& shape) {
  std::vector<std::string> left_out;
  const auto room = text_layout().columns;
  auto columns = measure_columns(rows);
  if (room == 0 || add_widths(columns) <= room)
    return left_out;

  auto next = shape.less_important.begin();
  while (!shrink(columns, room, comfortable_cell) && next != shape.less_important.end()) {
    if (remove_column(rows, *next))
      left_out.push_back(*next);
    ++next;
    columns = measure_columns(rows);
  }
  shrink(columns, room, narrow_cell);
  shorten_cells(rows, columns);

  return left_out;
}

// `is_right(row, column)`: whether a cell is aligned to the right.
template <class IsRight>
std::string align(const TableRows& rows, IsRight is_right) {
  const auto columns = measure_columns(rows);
  std::string out;

  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;

    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const auto& cell = rows[r][c];
      const std::string padding(columns[c].width - measure_shown(cell), ' ');
      line += c ? std::string(gap, ' ') : "";
      line += is_right(r, c) ? padding + cell : cell + padding;
    }

    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? apply_style(line, TextStyle::heading) : line) + "\n";
  }

  return out;
}

}  // namespace

std::string text_table(TableRows rows, const TableShape& shape) {
  const auto left_out = fit_rows(rows, shape);
  const auto table = align(rows, [&](std::size_t row, std::size_t column) {
    if (shape.left_columns)
      return column + *shape.left_columns < rows[row].size();
    const bool is_heading = row == 0 && rows.size() > 1 && column < rows[1].size();
    return is_number(is_heading ? rows[1][column] : rows[row][column]);
  });
  if (left_out.empty())
    return table;
  return table + describe_no_room(fmt::format("{}", fmt::join(left_out, ", ")));
}

bool fits_line(const TableRows& rows) {
  const auto room = text_layout().columns;
  return room == 0 || add_widths(measure_columns(rows)) <= room;
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

  if (!fits_line(rows))
    return describe_no_room(fmt::format("the {} of {} groups", title, values.size()));
  return text_table(rows);
}

}  // namespace tracefold
