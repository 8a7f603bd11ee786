#include "emitters/report/html.hpp"

#include "base/utf8.hpp"
#include "emitters/show_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace tracefold {

namespace {

constexpr std::string_view no_character = "\xef\xbf\xbd";  // U+FFFD

// Characters that turn the direction of writing, part lines, or are not seen.
bool is_hidden(std::uint32_t code) {
  return code == 0xad || code == 0x34f || code == 0x61c || code == 0x180e ||
         (code >= 0x200b && code <= 0x200f && code != 0x200c && code != 0x200d) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
         code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ||
         (code >= 0xe0000 && code <= 0xe0fff);
}

// Codes that XML and HTML take for no characters.
bool is_no_character(std::uint32_t code) {
  return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

void add_picture(std::uint32_t code, std::string& out) {
  const auto picture = code == 0x7f ? 0x2421u : 0x2400u + code;
  out += static_cast<char>(0xe0 | (picture >> 12));
  out += static_cast<char>(0x80 | ((picture >> 6) & 0x3f));
  out += static_cast<char>(0x80 | (picture & 0x3f));
}

bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_decimal_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Whether a text behind a number and a space begins with a unit, or with three digits more.
bool belongs_to_number(std::string_view text) {
  constexpr std::string_view units[] = {"ns", "us", "ms",  "s",   "min", "h",
                                        "d",  "B",  "KiB", "MiB", "GiB", "TiB"};
  if (text.starts_with('%'))
    return true;
  const auto end =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
  const auto word = text.substr(0, end);
  return std::find(std::begin(units), std::end(units), word) != std::end(units) ||
         (word.size() == 3 && std::all_of(word.begin(), word.end(), is_decimal_digit));
}

// How long a tag is, or an element whose text is no sentence.
std::size_t measure_markup(std::string_view html) {
  for (const auto& [begin, end] :
       {std::pair<std::string_view, std::string_view>{"<bdi>", "</bdi>"}, {"<code>", "</code>"}})
    if (html.starts_with(begin))
      if (const auto at = html.find(end); at != html.npos)
        return at + end.size();
  const auto at = html.find('>');
  return at == html.npos ? html.size() : at + 1;
}

template <class Write>
std::string write_lines(std::string_view text, Write&& write) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out += write(text.substr(0, end));
    if (end == std::string_view::npos)
      break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace

std::string make_visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_character(text, at);
    if (!character) {
      out += no_character;
      ++at;
      continue;
    }
    const auto code = character->code;
    if (code < 0x20 || code == 0x7f)
      add_picture(code, out);
    else if (is_control(code) || is_hidden(code))
      out += fmt::format("⟨U+{:04X}⟩", code);
    else if (is_no_character(code))
      out += no_character;
    else
      out += text.substr(at, character->bytes);
    at += character->bytes;
  }
  return out;
}

std::string make_lines_visible(std::string_view text) {
  return write_lines(text, make_visible);
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : make_visible(text))
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c; break;
    }
  return out;
}

std::string escape_lines(std::string_view text) {
  return write_lines(text, escape_html);
}

std::string write_name(std::string_view name) {
  const auto whole = escape_html(name), shown = escape_html(shorten_functions(std::string(name)));
  return shown == whole ? "<bdi>" + whole + "</bdi>"
                        : fmt::format("<bdi title=\"{}\">{}</bdi>", whole, shown);
}

std::string keep_numbers_whole(std::string_view html) {
  std::string out;
  out.reserve(html.size() + html.size() / 50);
  for (std::size_t at = 0; at < html.size();) {
    if (html[at] == '<') {
      const auto length = measure_markup(html.substr(at));
      out += html.substr(at, length);
      at += length;
      continue;
    }
    const bool is_inside = html[at] == ' ' && at > 0 && is_decimal_digit(html[at - 1]) &&
                           belongs_to_number(html.substr(at + 1));
    if (is_inside)
      out += "\u00a0";
    else
      out += html[at];
    ++at;
  }
  return out;
}

std::string write_script_json(const nlohmann::ordered_json& value) {
  std::string out;
  for (const char c : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  return out;
}

HtmlTable::HtmlTable(std::string caption, std::vector<std::string> columns)
    : caption_(std::move(caption)), columns_(std::move(columns)) {}

void HtmlTable::add(std::vector<std::string> cells, std::string attributes) {
  rows_.push_back({std::move(cells), std::move(attributes)});
}

std::string HtmlTable::write() const {
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (k == 0 || std::any_of(rows_.begin(), rows_.end(),
                              [&](const Row& row) { return !row.cells[k].empty(); }))
      shown.push_back(k);
  const bool is_long = rows_.size() > most_printed_rows;
  std::string out = is_long ? "<table class=\"cut\">" : "<table>";
  out += "<caption>" + escape_html(caption_) + "</caption>\n<thead><tr>";
  for (const auto k : shown) {
    const auto& column = columns_[k];
    const bool is_number = column.starts_with('#');
    out += fmt::format("<th scope=\"col\"{}>{}</th>", is_number ? " class=\"number\"" : "",
                       escape_html(is_number ? column.substr(1) : column));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr" + row.attributes + ">";
    for (const auto k : shown)
      if (k == 0)
        out += "<th scope=\"row\">" + row.cells[k] + "</th>";
      else
        out += (columns_[k].starts_with('#') ? "<td class=\"number\">" : "<td>") + row.cells[k] +
               "</td>";
    out += "</tr>\n";
  }
  out += "</tbody></table>\n";
  if (is_long)
    out += fmt::format("<p class=\"paper\">{} more rows are in the file of this page.</p>\n",
                       rows_.size() - most_printed_rows);
  return out;
}

}  // namespace tracefold
