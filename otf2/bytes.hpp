// Reads and writes the numbers of OTF2 files; wire.hpp describes their bytes. Use reader and writer
// as local variables, so that they stay in registers.
#pragma once

#include "otf2/wire.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tracefold {

// Reads a number of `width` bytes, 0 to 8, in the byte order of the file (`Big`). Always touches 8
// bytes.
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

// Does not check for the end: it may read up to ChunkBuffer::slack bytes behind it, so that the
// caller checks once after several numbers.
template <bool Big>
struct ByteReader {
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

  // The length of a record, which precedes it.
  std::uint64_t record_length() {
    const std::uint64_t length = u8();
    return length == wire::long_record ? fixed(8) : length;
  }
};

// Writes in the byte order of this machine. The caller provides the memory and `slack` bytes behind
// it, which may be overwritten.
struct ByteWriter {
  static constexpr std::size_t slack = 8;

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
  [[gnu::always_inline]] void field(std::uint64_t value, unsigned width) {
    if (width == 1)
      byte(static_cast<std::uint8_t>(value));
    else
      number(width == 4 ? static_cast<std::uint32_t>(value) : value, width);
  }

  // Writes a time stamp if `wanted`. It has no branch, because processors predict it badly.
  void time_stamp(std::uint64_t time, bool wanted) {
    auto* const begin = at;
    byte(wire::time_stamp);
    fixed(time, 8);
    at = begin + wire::longest_stamp * std::size_t{wanted};
  }
};

}  // namespace tracefold
