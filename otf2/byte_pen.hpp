// Puts numbers into a chunk: what pipeline/byte_cursor.hpp takes out. The bytes: model/wire.hpp.
// One thread at a time.
#pragma once

#include "otf2/wire.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace tracefold {

// A local variable, so that it can stay in a register beside the bytes that are put.
struct BytePen {
  static constexpr std::size_t slack = 8;  // bytes behind the last that may be overwritten

  std::uint8_t* at;

  void byte(std::uint8_t value) { *at++ = value; }
  void fixed(std::uint64_t value, unsigned width) {
    if constexpr (std::endian::native == std::endian::big)
      value <<= 64 - 8 * width;
    std::memcpy(at, &value, sizeof value);
    at += width;
  }
  // A compressed number of at most `widest` bytes, 4 or 8.
  [[gnu::always_inline]] void number(std::uint64_t value, unsigned widest) {
    if (value == (widest == 4 ? 0xffffffffu : ~std::uint64_t{0})) [[unlikely]] {
      byte(wire::all_bits);
      return;
    }

    const auto width = static_cast<unsigned>(std::bit_width(value) + 7) / 8;
    byte(static_cast<std::uint8_t>(width));
    if constexpr (std::endian::native == std::endian::big) {
      if (width > 0)
        fixed(value, width);
    } else {
      fixed(value, width);
    }
  }
  // A field of an event, of 1, 4 or 8 bytes.
  void field(std::uint64_t value, unsigned width) {
    if (width == 1)
      byte(static_cast<std::uint8_t>(value));
    else
      number(width == 4 ? static_cast<std::uint32_t>(value) : value, width);
  }
  // A time stamp, if there is to be one: no branch, as that is hard to guess.
  void time_stamp(std::uint64_t time, bool wanted) {
    auto* const begin = at;
    byte(wire::time_stamp);
    fixed(time, 8);
    at = begin + (9 & -std::ptrdiff_t{wanted});
  }
};

}  // namespace tracefold
