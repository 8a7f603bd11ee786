#include "emitters/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tracefold {

namespace {

TextLayout layout_of_text;

constexpr char escape = '\x1b';

// The spaces that a line begins with, and two more; none where that takes half of the line.
std::string choose_indent(std::string_view line, std::size_t columns) {
  const auto begin = std::min(line.find_first_not_of(' '), line.size());
  return std::string(begin + 2 <= columns / 2 ? begin + 2 : 0, ' ');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Whether the text begins with one of what stands behind a number: a unit, or three more digits.
bool begins_with_unit(std::string_view text) {
  const auto end = std::min(text.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz"
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ%"),
                            text.size());
  const auto word = text.substr(0, end);
  constexpr std::string_view units[] = {"%", "s", "ms",  "us",  "ns",  "min",
                                        "h", "B", "KiB", "MiB", "GiB", "TiB"};
  return std::find(std::begin(units), std::end(units), word) != std::end(units) ||
         (word.size() == 3 && std::all_of(word.begin(), word.end(), is_digit));
}

// Where the word that begins there ends, with the units that belong to it.
std::size_t find_word_end(std::string_view line, std::size_t word) {
  auto end = std::min(line.find(' ', word), line.size());
  while (end > word && end < line.size() && is_digit(line[end - 1]) &&
         begins_with_unit(line.substr(end + 1)))
    end = std::min(line.find(' ', end + 1), line.size());
  return end;
}

std::string wrap_line(std::string_view line, std::size_t columns) {
  const auto indent = choose_indent(line, columns);
  std::string out, current;
  bool has_word = false;

  const auto put_word = [&](std::string_view spaces, std::string_view word) {
    if (has_word && measure_shown(current) + spaces.size() + measure_shown(word) > columns) {
      out += current + "\n";
      current = indent;
      current += word;
    } else {
      current += spaces;
      current += word;
    }
    has_word = true;
  };

  for (std::size_t at = 0; at < line.size();) {
    const auto word = std::min(line.find_first_not_of(' ', at), line.size());
    const auto end = find_word_end(line, word);
    put_word(line.substr(at, word - at), line.substr(word, end - word));
    at = end;
  }

  return out + current;
}

}  // namespace

std::size_t measure_shown(std::string_view text) {
  std::size_t width = 0;
  bool in_escape = false;
  for (const char c : text) {
    if (c == escape)
      in_escape = true;
    if (!in_escape && (c & 0xc0) != 0x80)
      ++width;
    if (c == 'm')
      in_escape = false;
  }
  return width;
}

void set_text_layout(const TextLayout& layout) {
  layout_of_text = layout;
}

const TextLayout& text_layout() {
  return layout_of_text;
}

std::string apply_style(const std::string& text, TextStyle style) {
  if (!layout_of_text.has_styles)
    return text;

  const char* code = "1";
  switch (style) {
    case TextStyle::heading: break;
    case TextStyle::good: code = "32"; break;
    case TextStyle::fair: code = "33"; break;
    case TextStyle::poor: code = "31"; break;
  }
  return fmt::format("{}[{}m{}{}[0m", escape, code, text, escape);
}

namespace {

std::string name_remedy() {
  return layout_of_text.remedy.empty() ? "" : fmt::format(" ({})", layout_of_text.remedy);
}

}  // namespace

std::string describe_no_room(const std::string& what) {
  return fmt::format("no room for {}{}\n", what, name_remedy());
}

bool shows_all() {
  return layout_of_text.columns == 0;
}

NameLength choose_name_length() {
  return shows_all() && layout_of_text.is_wide ? NameLength::whole : NameLength::shortened;
}

std::string describe_more(std::size_t count, const std::string& what) {
  return fmt::format("and {} {}{} more{}\n", count, what, count == 1 ? "" : "s", name_remedy());
}

std::string wrap_lines(const std::string& text) {
  const auto columns = layout_of_text.columns;
  if (columns == 0)
    return text;

  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string_view line(text.data() + at, end - at);
    out += measure_shown(line) > columns ? wrap_line(line, columns) : std::string(line);
    if (end < text.size())
      out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace tracefold
