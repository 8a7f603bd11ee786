// Which tables a trace is exported to, and their columns. Both formats, and what the documentation
// says of them, are made from this.
//
// Names of columns end in their unit, where they have one. Rows ascend by process, and where events
// are rows, by their ends.
#pragma once

#include "parquet/column.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class ExportTable : std::uint8_t {
  calls,
  messages,
  collectives,
  metrics,
  io,
  rma,
  markers,
  processes,
  locations_of_nodes,
  groups,
  functions,
  call_paths,
  profile,
  iterations,
  matrix,
  facts
};
inline constexpr std::size_t number_of_tables = static_cast<std::size_t>(ExportTable::facts) + 1;

struct TableSchema {
  std::string name;
  std::string meaning;  // what a row is
  std::vector<parquet::Column> columns;
  std::vector<std::string> meanings;        // of the columns
  std::vector<std::size_t> sorted_by = {};  // columns by which rows ascend
};

const TableSchema& get_schema(ExportTable table);

// All of them as Markdown, for the documentation.
std::string describe_tables();

}  // namespace tracefold
