// Takes numbers out of a chunk.
#pragma once

#include "model/wire.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace tracefold {

static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big);

// Reads of up to ChunkBuffer::slack bytes beyond the end are harmless, so the
// end may be looked at after a few numbers instead of before each.
template <bool Big>
struct ByteCursor {
  const std::uint8_t* at;
  bool bad = false;  // a compressed number had an impossible length

  std::uint8_t u8() { return *at++; }
  std::uint64_t fixed(unsigned width) {
    const std::uint64_t value = load(width);
    at += width;
    return value;
  }
  // A compressed number of at most `widest` bytes, 4 or 8.
  std::uint64_t number(unsigned widest) {
    const unsigned length = *at++;
    if (length <= widest) [[likely]] {
      const std::uint64_t value = load(length);
      at += length;
      return value;
    }
    if (length != wire::all_bits) bad = true;
    return widest == 4 ? 0xffffffffu : ~std::uint64_t{0};
  }
  // The length of a record, which stands before it.
  std::uint64_t record_length() {
    const std::uint64_t length = u8();
    return length == wire::long_record ? fixed(8) : length;
  }

 private:
  std::uint64_t load(unsigned width) const {
    std::uint64_t value;
    std::memcpy(&value, at, sizeof value);
    constexpr bool swapped = Big == (std::endian::native == std::endian::little);
    if constexpr (swapped) value = __builtin_bswap64(value);
    if (width == 0) return 0;
    if constexpr (Big) return value >> (64 - 8 * width);
    return value & (~std::uint64_t{0} >> (64 - 8 * width));
  }
};

}  // namespace tracefold
