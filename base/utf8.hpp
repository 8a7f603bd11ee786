// Reads characters of text that may not be valid UTF-8, such as a name in a trace. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tracefold {

struct Character {
  std::uint32_t code;
  std::size_t bytes;
};

// The character that begins at this byte, or none where the bytes are not valid UTF-8: cut short,
// longer than necessary, a surrogate, or above U+10FFFF.
std::optional<Character> read_character(std::string_view text, std::size_t at);

// Control characters C0, DEL and C1.
constexpr bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

}  // namespace tracefold
