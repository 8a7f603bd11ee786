// Takes numbers out of a chunk.
#pragma once

#include "otf2/wire.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace tracefold {

// The first `width` bytes at a place, 0 to 8, as a number. Looks at 8 bytes.
template <bool Big>
inline std::uint64_t load(const std::uint8_t* at, unsigned width) {
  static constexpr std::array<std::uint64_t, 9> mask{0,
                                                     0xff,
                                                     0xffff,
                                                     0xffffff,
                                                     0xffffffff,
                                                     0xffffffffff,
                                                     0xffffffffffff,
                                                     0xffffffffffffff,
                                                     ~std::uint64_t{0}};

  std::uint64_t value;
  std::memcpy(&value, at, sizeof value);
  if constexpr (Big == (std::endian::native == std::endian::little))
    value = __builtin_bswap64(value);
  if constexpr (Big)
    return width ? value >> (64 - 8 * width) : 0;
  else
    return value & mask[width];
}

// Reads of up to ChunkBuffer::slack bytes beyond the end are harmless, so the
// end may be looked at after a few numbers instead of before each.
template <bool Big>
struct ByteCursor {
  const std::uint8_t* at;
  bool bad = false;  // a compressed number had an impossible length

  std::uint8_t u8() { return *at++; }
  std::uint64_t fixed(unsigned width) {
    const auto value = load<Big>(at, width);
    at += width;
    return value;
  }
  // A compressed number of at most `widest` bytes, 4 or 8.
  std::uint64_t number(unsigned widest) {
    const unsigned length = *at++;
    if (length <= widest) [[likely]]
      return fixed(length);
    if (length != wire::all_bits)
      bad = true;

    return widest == 4 ? 0xffffffffu : ~std::uint64_t{0};
  }
  // The length of a record, which stands before it.
  std::uint64_t record_length() {
    const std::uint64_t length = u8();
    return length == wire::long_record ? fixed(8) : length;
  }
};

}  // namespace tracefold
