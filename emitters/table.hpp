// A result as rows and columns, from which text for people, CSV and JSON are written.
//
// The outputs of a subject lie together in one pair of files, <folder>/<subject>_formats.*, with
// one function for each format: to_table, to_csv, to_json, to_dot, to_svg, to_graphml, to_cxt. They
// take plain data of the model and give text; no function here writes a file. A new format is one
// more function there.
//
// What holds for all of them: names from traces may contain anything. In text control characters
// become '?', CSV quotes fields as RFC 4180 says, and bytes that are no UTF-8 become U+FFFD
// everywhere. CSV and JSON give times in seconds; a trace without a clock counts as one of 10^9
// ticks a second. Ids of locations are text in JSON, since not every reader has integers of 64
// bits.
//
// A row is an object of JSON, which has each value once and as it is: times in seconds, null for
// what is not known. JSON is these objects. What only CSV and text have of a row is in an object of
// its own, below the key `beside`, which JSON leaves out. A column says where a value is in a row,
// and what it is called in CSV, in text, or in both:
//
//   rows   {{"function", "solve"}, {"seconds", {{"total", 1.5}}}, {beside, {{"group", 0}}}}
//   columns  {"group"}, {"function"}, {"total_seconds", {"seconds", "total"}}
//
// It is for results of which the formats have about the same values. Where text is sentences, or
// JSON is nested otherwise than CSV (reasons of groups, matrices, aligned calls), a Table would
// have each value twice, and each format is written by itself.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// The key of what JSON leaves out. No field is called so.
inline constexpr const char* beside = "";

// How people are shown a value. Numbers from 0 to 1 are shown in percent: rounded as show_percent()
// does, or always with one decimal. Times have a unit that fits. A name is shortened where lines
// may not be wide.
enum class Show {
  plain,
  name,
  count,
  seconds,
  percent,
  percent_with_decimal,
  similarity,
  correlation
};

struct TableColumn {
  std::optional<std::string> name = {};  // in CSV; none: CSV does not have it
  // The fields that lead to the value, or places in a list; empty: the field `name`. "*" stands for
  // each element of a list: their values are joined by spaces.
  std::vector<std::string> at = {};
  std::optional<std::string> heading = {};  // in text; none: text does not have it
  Show show = Show::plain;
  const char* digits = "{}";  // of CSV's numbers that are no whole ones, as for fmt
  // Text leaves out columns where there is no room for all: the one with the lowest number first,
  // and never those with 0.
  int leave_out_order = 0;

  TableColumn left_out(int order) const {
    auto column = *this;
    column.leave_out_order = order;
    return column;
  }
};

inline TableColumn in_csv(std::string name, std::vector<std::string> at = {},
                          const char* digits = "{}") {
  return {.name = std::move(name), .at = std::move(at), .digits = digits};
}
inline TableColumn in_text(std::string heading, std::vector<std::string> at,
                           Show show = Show::plain) {
  return {.at = std::move(at), .heading = std::move(heading), .show = show};
}
inline TableColumn in_both(std::string name, std::string heading, Show show = Show::plain,
                           const char* digits = "{}") {
  return {.name = std::move(name), .heading = std::move(heading), .show = show, .digits = digits};
}

struct Table {
  std::vector<TableColumn> columns;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::string unknown = {};  // what people are shown for null
};

// Null where a row has no such field.
nlohmann::ordered_json get_value(const TableColumn& column, const nlohmann::ordered_json& row);

// `left_columns` as in TableShape.
std::string write_text(const Table& table, std::optional<std::size_t> left_columns = {});
std::string write_csv(const Table& table);
// A line of CSV, for rows that would take too much memory together. The columns of a table without
// rows are written by write_csv().
std::string write_csv_row(const std::vector<TableColumn>& columns,
                          const nlohmann::ordered_json& row);
// The rows without what JSON leaves out.
nlohmann::ordered_json make_json(Table table);

// A value, or null where there is none.
template <class Value>
nlohmann::ordered_json make_json_value(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace tracefold
