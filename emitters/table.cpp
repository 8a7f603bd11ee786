#include "emitters/table.hpp"

#include "base/text.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/text_table.hpp"

#include <fmt/format.h>

#include <map>
#include <span>

namespace tracefold {

namespace {

using TableJson = nlohmann::ordered_json;
using Path = std::span<const std::string>;

std::string write_field(const TableJson& value, const char* digits) {
  if (value.is_null())
    return {};
  if (value.is_boolean())
    return value.get<bool>() ? "1" : "0";
  if (value.is_number_float())
    return fmt::format(fmt::runtime(digits), value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const TableJson* find_part(const TableJson& value, const std::string& part) {
  if (value.is_array()) {
    const auto place = std::stoul(part);
    return place < value.size() ? &value[place] : nullptr;
  }
  const auto found = value.is_object() ? value.find(part) : value.end();
  return found == value.end() ? nullptr : &*found;
}

// Null where it is not there.
TableJson find_value(const TableJson& value, Path path) {
  if (path.empty())
    return value;
  if (value.is_array() && path.front() == "*") {
    std::vector<std::string> values;
    for (const auto& element : value)
      if (const auto one = find_value(element, path.subspan(1)); !one.is_null())
        values.push_back(write_field(one, "{}"));
    return fmt::format("{}", fmt::join(values, " "));
  }
  const auto* part = find_part(value, path.front());
  return part ? find_value(*part, path.subspan(1)) : TableJson();
}

std::string show_value(const TableJson& value, Show show) {
  constexpr std::size_t longest_name = 30;
  switch (show) {
    case Show::count: return show_count(value.get<std::uint64_t>());
    case Show::seconds: return format_seconds(value.get<double>());
    case Show::percent: return show_percent(value.get<double>());
    case Show::percent_with_decimal: return fmt::format("{:.1f} %", 100 * value.get<double>());
    case Show::similarity: return show_similarity(value.get<double>());
    case Show::correlation: return fmt::format("{:+.3f}", value.get<double>());
    case Show::name:
    case Show::plain: break;
  }
  const auto text = make_printable(write_field(value, "{:.6g}"));
  return show == Show::name ? fit_name(text, longest_name) : text;
}

std::string write_line(const std::vector<std::string>& fields) {
  return fmt::format("{}\r\n", fmt::join(fields, ","));
}

}  // namespace

TableJson get_value(const TableColumn& column, const TableJson& row) {
  const auto path = column.at.empty() ? Path(&*column.name, 1) : Path(column.at);
  if (const auto* others = find_part(row, beside); others && others->contains(path.front()))
    return find_value(*others, path);
  return find_value(row, path);
}

std::string write_text(const Table& table, std::optional<std::size_t> left_columns) {
  TableRows cells(1 + table.rows.size());
  std::multimap<int, std::string> less_important;
  for (const auto& column : table.columns)
    if (column.heading) {
      cells[0].push_back(*column.heading);
      if (column.leave_out_order > 0)
        less_important.emplace(column.leave_out_order, *column.heading);
      for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const auto value = get_value(column, table.rows[r]);
        cells[1 + r].push_back(value.is_null() ? table.unknown : show_value(value, column.show));
      }
    }

  TableShape shape{left_columns};
  for (auto& [order, heading] : less_important)
    shape.less_important.push_back(std::move(heading));
  return text_table(std::move(cells), shape);
}

std::string write_csv(const Table& table) {
  std::vector<std::string> names;
  for (const auto& column : table.columns)
    if (column.name)
      names.push_back(quote_csv(*column.name));

  auto out = write_line(names);
  for (const auto& row : table.rows)
    out += write_csv_row(table.columns, row);
  return out;
}

std::string write_csv_row(const std::vector<TableColumn>& columns, const TableJson& row) {
  std::vector<std::string> fields;
  for (const auto& column : columns)
    if (column.name)
      fields.push_back(quote_csv(write_field(get_value(column, row), column.digits)));
  return write_line(fields);
}

TableJson make_json(Table table) {
  for (auto& row : table.rows)
    row.erase(beside);
  return std::move(table.rows);
}

}  // namespace tracefold
