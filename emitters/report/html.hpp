// Text as parts of a page of HTML. Names from traces may be any bytes, and the page has to show
// them as text that changes nothing around it: no markup, no control characters, and no characters
// that turn the direction of writing or are not seen. Pure and thread-safe.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

// UTF-8 with symbols in place of what is not seen: U+2400 and following for control characters,
// "⟨U+202E⟩" for characters that turn the direction of writing or have no width, and U+FFFD for
// bytes that are no UTF-8.
std::string make_visible(std::string_view text);

// The same of a text of several lines, which stay.
std::string make_lines_visible(std::string_view text);

// What is visible of the text, inside of an element or a quoted attribute.
std::string escape_html(std::string_view text);

// The same of a text of several lines, which stay.
std::string escape_lines(std::string_view text);

// "<bdi>…</bdi>": a name, whose direction of writing stays inside.
std::string write_name(std::string_view name);

// The same HTML, in which no line ends inside of a number or before its unit: "1 234", "2 ms" and
// "3 %" get a space that does not break. Names and code stay as they are.
std::string keep_numbers_whole(std::string_view html);

// A JSON value as it may stand in an element `script`, on one line: no "<" is in it. Its texts have
// to be visible ones.
std::string write_script_json(const nlohmann::ordered_json& value);

// On paper a table has no more rows. web/src/report.css and web/src/tables.ts know it, too.
inline constexpr std::size_t most_printed_rows = 20;

// Rows of a table. Cells are HTML; a row may have attributes. A column without any text in its
// cells is left out.
class HtmlTable {
 public:
  // Columns whose names begin with '#' hold numbers.
  HtmlTable(std::string caption, std::vector<std::string> columns);
  void add(std::vector<std::string> cells, std::string attributes = {});
  bool is_empty() const { return rows_.empty(); }
  std::string write() const;

 private:
  std::string caption_;
  std::vector<std::string> columns_;
  struct Row {
    std::vector<std::string> cells;
    std::string attributes;
  };
  std::vector<Row> rows_;
};

}  // namespace tracefold
