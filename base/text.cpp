#include "base/text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <iterator>

namespace tracefold {

namespace {

std::string replaced(std::string_view text, std::string_view what, const char* const* with) {
  std::string out;
  for (char c : text)
    if (const auto k = what.find(c); k != std::string_view::npos)
      out += with[k];
    else
      out += c;

  return out;
}

std::string change_case(std::string_view text, int (*change)(int)) {
  std::string changed(text);
  for (auto& c : changed)
    if (static_cast<unsigned char>(c) < 0x80)
      c = static_cast<char>(change(c));
  return changed;
}

bool begins_character(char c) {
  return (c & 0xc0) != 0x80;
}

// Its first characters.
std::string_view take_first(std::string_view text, std::size_t count) {
  std::size_t characters = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes)
    if (begins_character(text[bytes]) && ++characters > count)
      break;
  return text.substr(0, bytes);
}

// As many of the last functions of a call path "main > solve > MPI_Wait" as there is room for, one
// at least, behind "… > "; the name itself where it is no call path.
std::string keep_last_functions(const std::string& path, std::size_t most) {
  constexpr std::string_view arrow = " > ";
  std::string shown = path;
  for (auto at = path.find(arrow); at != std::string::npos; at = path.find(arrow, at + 1)) {
    shown = "…" + path.substr(at);
    if (measure_width(shown) <= most)
      break;
  }
  return shown;
}

// The name with "…" for what is in its outermost brackets. Brackets that do not fit each other, as
// those of operators, stay with all that follows.
std::string empty_brackets(std::string_view name) {
  std::string out;
  std::string open;  // the closing brackets that are to come
  std::size_t begin = 0;

  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' || c == '<') {
      if (open.empty())
        begin = i;
      open += c == '(' ? ')' : '>';
    } else if (!open.empty() && c == open.back()) {
      open.pop_back();
      if (open.empty()) {
        out += name[begin];
        out += i > begin + 1 ? "…" : "";
        out += c;
      }
    } else if (open.empty()) {
      out += c;
    }
  }

  return open.empty() ? out : out + std::string(name.substr(begin));
}

}  // namespace

std::string make_printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_character(text, at);
    const auto bytes = character ? character->bytes : 1;
    if (!character)
      out += "\xef\xbf\xbd";
    else if (is_control(character->code))
      out += '?';
    else
      out += text.substr(at, bytes);

    at += bytes;
  }

  return out;
}

std::string make_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_character(text, at);
    const auto bytes = character ? character->bytes : 1;
    out += character ? text.substr(at, bytes) : "\xef\xbf\xbd";
    at += bytes;
  }

  return out;
}

std::string quote_json(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const auto character = read_character(text, at);
    const auto bytes = character ? character->bytes : 1;
    if (!character)
      out += "\xef\xbf\xbd";
    else if (is_control(character->code))
      out += fmt::format("\\u{:04x}", character->code);
    else if (text[at] == '"' || text[at] == '\\')
      (out += '\\') += text[at];
    else
      out += text.substr(at, bytes);
    at += bytes;
  }

  return out += '"';
}

std::string to_lower(std::string_view text) {
  return change_case(text, std::tolower);
}

std::string to_upper(std::string_view text) {
  return change_case(text, std::toupper);
}

std::size_t measure_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string shorten(std::string_view text, std::size_t most) {
  if (measure_width(text) <= most)
    return std::string(text);

  return std::string(take_first(text, most - 1)) + "…";
}

std::string shorten_name(std::string_view name, std::size_t most) {
  if (measure_width(name) <= most)
    return std::string(name);

  auto bare = empty_brackets(name);
  if (measure_width(bare) <= most)
    return bare;

  bare = keep_last_functions(bare, most);
  const auto width = measure_width(bare);
  if (width <= most)
    return bare;

  // More of the begin than of the end, where names differ most.
  const auto end = (most - 1) / 3;
  const auto begin = most - 1 - end;
  const auto skipped = take_first(bare, width - end).size();
  return std::string(take_first(bare, begin)) + "…" + bare.substr(skipped);
}

std::string quote_csv(std::string_view text) {
  auto shown = make_printable(text);
  if (shown.find_first_of("\",") == std::string::npos && !shown.starts_with(' ') &&
      !shown.ends_with(' '))
    return shown;
  static constexpr std::array<const char*, 1> doubled{"\"\""};

  return '"' + replaced(shown, "\"", doubled.data()) + '"';
}

std::string escape_xml(std::string_view text) {
  static constexpr std::array<const char*, 5> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  return replaced(make_printable(text), "&<>\"'", entities.data());
}

std::string escape_dot(std::string_view text) {
  static constexpr std::array<const char*, 3> escapes{"\\\"", "\\\\", "&amp;"};
  return replaced(make_printable(text), "\"\\&", escapes.data());
}

std::string group_digits(std::uint64_t n) {
  auto digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ' ');

  return digits;
}

std::string format_bytes(std::uint64_t n) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(n);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;

  if (unit == 0)
    return fmt::format("{} bytes", n);
  return fmt::format("{:.{}f} {}", value, value < 99.95 ? 1 : 0, units[unit]);
}

}  // namespace tracefold
