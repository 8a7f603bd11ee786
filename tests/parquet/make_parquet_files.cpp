// Writes files of all types and encodings, and beside each the values that a reader must find.
//
// usage: make_parquet_files FOLDER
//
// FOLDER/NAME.parquet, and FOLDER/NAME.json: columns by name, each a list of texts; null where
// there is no value.
#include "parquet/footer.hpp"
#include "parquet/row_group.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace tracefold::parquet;

using Value = std::optional<std::uint64_t>;

struct Table {
  std::vector<Column> columns;
  std::vector<std::string> texts;
  std::vector<std::vector<Value>> values;  // by column
};

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string show(const Table& table, std::size_t column, Value value) {
  if (!value)
    return "null";
  switch (table.columns[column].type) {
    case Type::text: return quote(table.texts[*value]);
    case Type::uint64: return quote(std::to_string(*value));
    case Type::int64:
    case Type::int32: return quote(std::to_string(static_cast<std::int64_t>(*value)));
    case Type::float64: break;
  }
  // As bits, since decimal digits may not tell all of them.
  return quote("bits " + std::to_string(*value));
}

void write(const std::string& base, const Table& table, std::size_t page_rows,
           std::size_t group_pages) {
  std::ofstream json(base + ".json");
  json << "{";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    json << (c ? "," : "") << quote(table.columns[c].name) << ":[";
    for (std::size_t i = 0; i < table.values[c].size(); ++i)
      json << (i ? "," : "") << show(table, c, table.values[c][i]);
    json << "]";
  }
  json << "}";

  std::ofstream out(base + ".parquet", std::ios::binary);
  out << magic;
  Footer footer(table.columns);
  RowGroupWriter writer(table.columns, table.texts);
  Rows rows(table.columns, page_rows);
  std::size_t pages = 0;
  const auto finish_group = [&] {
    const auto group = writer.finish();
    for (const auto& piece : group.pieces)
      out << piece;
    footer.add(group);
    pages = 0;
  };

  const auto count = table.values.empty() ? 0 : table.values[0].size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].is_optional)
        rows.put(c, table.values[c][i]);
      else
        rows.put(c, *table.values[c][i]);
    }
    rows.end_row();
    if (rows.is_full() || i + 1 == count) {
      writer.add(rows);
      rows.clear();
      if (++pages == group_pages)
        finish_group();
    }
  }
  if (writer.rows() > 0)
    finish_group();
  out << footer.make({{"made", "by a test"}, {"ü", "€"}}, "tracefold version 0");
}

// One column of each type, encoding and whether it is optional.
Table make_table(std::size_t count, std::uint64_t distinct, unsigned missing_percent) {
  std::mt19937_64 random(count + distinct);
  Table table;
  for (std::uint64_t i = 0; i < distinct; ++i)
    table.texts.push_back("text \"" + std::to_string(i * i) + "\" äöü€𝄞");
  table.texts.push_back("");
  const struct {
    const char* name;
    Type type;
  } types[] = {{"int32", Type::int32},
               {"int64", Type::int64},
               {"uint64", Type::uint64},
               {"float64", Type::float64},
               {"text", Type::text}};
  const struct {
    const char* name;
    Encoding encoding;
  } encodings[] = {{"plain", Encoding::plain},
                   {"differences", Encoding::differences},
                   {"dictionary", Encoding::dictionary}};

  for (const auto& type : types)
    for (const auto& encoding : encodings)
      for (const bool is_optional : {false, true}) {
        if (type.type == Type::text && encoding.encoding != Encoding::dictionary)
          continue;
        if (type.type == Type::float64 && encoding.encoding == Encoding::differences)
          continue;
        table.columns.push_back(
            {std::string(type.name) + " " + encoding.name + (is_optional ? " optional" : ""),
             type.type, encoding.encoding, is_optional});
        auto& values = table.values.emplace_back();
        for (std::size_t i = 0; i < count; ++i) {
          const auto draw = random();
          if (is_optional && draw % 100 < missing_percent) {
            values.push_back(std::nullopt);
            continue;
          }
          auto value = random() % distinct * 0x9e3779b97f4a7c15u;
          if (draw / 100 % 3 == 0)
            value = random() % distinct;  // small
          if (type.type == Type::int32)
            value = static_cast<std::uint64_t>(
                std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(value))});
          if (type.type == Type::text)
            value = random() % table.texts.size();
          if (type.type == Type::float64 && draw / 300 % 50 == 0)
            value = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
          values.push_back(value);
        }
      }
  return table;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2)
    return 2;
  const std::string folder = std::string(arguments[1]) + "/";
  write(folder + "empty", make_table(0, 3, 0), 10, 10);
  write(folder + "one", make_table(1, 3, 0), 10, 10);
  write(folder + "nothing", make_table(100, 3, 100), 30, 2);  // optional columns have no value
  write(folder + "few", make_table(1000, 5, 20), 100, 3);
  write(folder + "many", make_table(50'000, 100'000, 50), 16'384, 2);
  write(folder + "wide", make_table(20'000, 1000, 1), 16'384, 1);
}
