// A result as rows and columns, from which text for people, CSV and JSON are written.
//
// A row is an object of JSON, which has each value once and as it is: times in seconds, null for
// what is not known. JSON is these objects. What only the other formats have of a row stands in its
// field `beside`. A column says where a value is in a row, and what it is called in CSV, in text,
// or in both:
//
//   rows   {{"function", "solve"}, {"seconds", {{"total", 1.5}}}, {beside, {{"group", 0}}}}
//   columns  {"group"}, {"function"}, {"total_seconds", {"seconds", "total"}}
#pragma once

#include "emitters/tables.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr const char* beside = "";

// How people are shown numbers: a share from 0 to 1 as show_percent() does, or in percent with one
// decimal, and times in a unit that fits. A name is shortened where lines may not be wide.
enum class Show { plain, name, count, seconds, share, percent, similarity, correlation };

struct TableColumn {
  std::string name = {};  // in CSV, and of the field where `at` is empty; empty: only text has it
  // The fields that lead to the value, or places in a list. "*" stands for each element of a list:
  // their values are joined by spaces.
  std::vector<std::string> at = {};
  std::optional<std::string> heading = {};  // in text
  Show show = Show::plain;
  const char* digits = "{}";  // of CSV's numbers that are no whole ones, as for fmt
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

std::string write_text(const Table& table, const TableShape& shape = {});
std::string write_csv(const Table& table);
// The rows without what stands beside them.
nlohmann::ordered_json make_json(Table table);

// A value, or null where there is none.
template <class Value>
nlohmann::ordered_json make_json_value(const std::optional<Value>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

}  // namespace tracefold
