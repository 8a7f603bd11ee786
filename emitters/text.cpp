#include "emitters/text.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

// Bytes of the character that begins at `at`; 0 where it is no UTF-8: cut short,
// longer than need be, a surrogate, or beyond U+10FFFF.
std::size_t character_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (size == 0 || text.size() - at < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if (byte(at + i) >> 6 != 2) return 0;
  const unsigned char second = byte(at + 1);
  const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return bad ? 0 : size;
}

// C0, DEL and, in two bytes, C1.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0);
}

std::string replaced(std::string_view text, std::string_view what, const char* const* with) {
  std::string out;
  for (char c : text)
    if (const auto k = what.find(c); k != std::string_view::npos) out += with[k];
    else out += c;
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto size = character_size(text, at);
    const auto character = text.substr(at, std::max<std::size_t>(size, 1));
    if (size == 0) out += "\xef\xbf\xbd";
    else if (is_control(character)) out += '?';
    else out += character;
    at += character.size();
  }
  return out;
}

namespace {

bool begins_character(char c) { return (c & 0xc0) != 0x80; }

}  // namespace

std::size_t text_width(std::string_view text) { return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character)); }

std::string shortened(std::string_view text, std::size_t most) {
  if (text_width(text) <= most) return std::string(text);
  std::size_t characters = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes)
    if (begins_character(text[bytes]) && ++characters > most - 3) break;
  return std::string(text.substr(0, bytes)) + "...";
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of("\",\r\n") == std::string_view::npos && !text.starts_with(' ') && !text.ends_with(' ')) return std::string(text);
  static constexpr std::array<const char*, 1> doubled{"\"\""};
  return '"' + replaced(text, "\"", doubled.data()) + '"';
}

std::string xml_text(std::string_view text) {
  static constexpr std::array<const char*, 5> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  return replaced(printable(text), "&<>\"'", entities.data());
}

std::string dot_text(std::string_view text) {
  static constexpr std::array<const char*, 3> escapes{"\\\"", "\\\\", "&amp;"};
  return replaced(printable(text), "\"\\&", escapes.data());
}

}  // namespace tracefold
