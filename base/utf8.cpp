#include "base/utf8.hpp"

namespace tracefold {

namespace {

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0;
}

}  // namespace

std::optional<Character> read_character(std::string_view text, std::size_t at) {
  const auto lead = byte_at(text, at);
  if (lead < 0x80)
    return Character{lead, 1};
  if (lead < 0xc2 || lead > 0xf4)
    return std::nullopt;

  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte_at(text, at + k) & 0xc0) != 0x80)
      return std::nullopt;
    code = code << 6 | (byte_at(text, at + k) & 0x3fU);
  }

  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
    return std::nullopt;

  return Character{code, bytes};
}

}  // namespace tracefold
