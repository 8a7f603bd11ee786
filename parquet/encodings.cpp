#include "parquet/encodings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace tracefold::parquet {

namespace {

using Byte = std::uint8_t;

// Numbers are packed in words of 8 bytes, the last of which may reach behind the end.
constexpr std::size_t slack = 8;

void store(Byte* at, std::uint64_t word) {
  std::memcpy(at, &word, sizeof word);
}

Byte* put_varint(Byte* at, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    *at++ = static_cast<Byte>(value | 0x80);
  *at++ = static_cast<Byte>(value);
  return at;
}

Byte* put_zigzag(Byte* at, std::int64_t value) {
  return put_varint(
      at, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

// Packs 32 values of this width into 4 · width bytes, the lowest bits first.
template <unsigned width>
void pack_32(const std::uint64_t* values, Byte* at) {
  if constexpr (width > 0) {
    std::uint64_t word = 0;
    unsigned bits = 0;
#pragma GCC unroll 32
    for (unsigned i = 0; i < 32; ++i) {
      word |= values[i] << bits;
      if (bits + width < 64) {
        bits += width;
        continue;
      }
      store(at, word);
      at += 8;
      const auto left = bits + width - 64;
      word = left == 0 ? 0 : values[i] >> (width - left);
      bits = left;
    }
    if (bits > 0)
      store(at, word);
  }
}

template <std::size_t... widths>
constexpr auto make_packers(std::index_sequence<widths...>) {
  return std::array{&pack_32<widths>...};
}
constexpr auto packers = make_packers(std::make_index_sequence<65>{});

constexpr std::size_t block = 128;
constexpr std::size_t miniblocks = 4;
constexpr std::size_t miniblock = block / miniblocks;

// The differences of the values to the ones before them, from `first` on: how far each is above the
// least of them, which is the result. The rest of the block is 0.
template <class Int>
Int subtract(std::span<const std::uint64_t> values, std::size_t first,
             std::array<std::uint64_t, block>& above) {
  using Unsigned = std::make_unsigned_t<Int>;
  const auto count = std::min(block, values.size() - first);
  std::array<Int, block> differences;
  Int least = std::numeric_limits<Int>::max();
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = static_cast<Unsigned>(values[first + i - 1]);
    differences[i] = static_cast<Int>(static_cast<Unsigned>(values[first + i]) - from);
    least = std::min(least, differences[i]);
  }
  for (std::size_t i = 0; i < count; ++i)
    above[i] =
        static_cast<Unsigned>(static_cast<Unsigned>(differences[i]) - static_cast<Unsigned>(least));
  std::fill(above.begin() + static_cast<std::ptrdiff_t>(count), above.end(), 0);

  return least;
}

template <class Int>
std::size_t encode_differences(std::span<const std::uint64_t> values, std::vector<Byte>& out) {
  constexpr std::size_t most_of_header = 64;
  constexpr std::size_t most_of_block = 10 + miniblocks + block * 8 + slack;
  out.resize(std::max(out.size(), most_of_header + (values.size() / block + 1) * most_of_block));
  auto* at = put_varint(out.data(), block);
  at = put_varint(at, miniblocks);
  at = put_varint(at, values.size());
  at = put_zigzag(at, values.empty() ? 0 : static_cast<Int>(values[0]));

  std::array<std::uint64_t, block> above;
  for (std::size_t first = 1; first < values.size(); first += block) {
    at = put_zigzag(at, subtract<Int>(values, first, above));
    auto* const widths = at;
    at += miniblocks;

    for (std::size_t m = 0; m < miniblocks; ++m) {
      const auto* begin = above.data() + m * miniblock;
      std::uint64_t all = 0;
      for (std::size_t i = 0; i < miniblock; ++i)
        all |= begin[i];
      const auto width = static_cast<unsigned>(std::bit_width(all));
      widths[m] = static_cast<Byte>(width);
      if (first + m * miniblock < values.size()) {
        packers[width](begin, at);
        at += miniblock / 8 * width;
      }
    }
  }

  return static_cast<std::size_t>(at - out.data());
}

// Values from the hybrid's literals: groups of 8 are packed; the last one may have zeros behind.
Byte* put_literal(Byte* at, std::span<const std::uint64_t> values, unsigned width) {
  if (values.empty())
    return at;
  const auto groups = (values.size() + 7) / 8;
  at = put_varint(at, groups << 1 | 1);
  if (width == 8) {  // most indexes
    for (std::size_t i = 0; i < values.size(); ++i)
      at[i] = static_cast<Byte>(values[i]);
    std::fill(at + values.size(), at + groups * 8, Byte{0});
    return at + groups * 8;
  }
  for (; values.size() >= 32; values = values.subspan(32)) {
    packers[width](values.data(), at);
    at += std::size_t{4} * width;
  }

  if (!values.empty()) {
    std::array<std::uint64_t, 32> rest{};
    std::copy(values.begin(), values.end(), rest.begin());
    packers[width](rest.data(), at);
    at += (values.size() + 7) / 8 * width;
  }

  return at;
}

Byte* put_run(Byte* at, std::size_t length, std::uint64_t value, unsigned width) {
  at = put_varint(at, length << 1);
  store(at, value);
  return at + (width + 7) / 8;
}

}  // namespace

std::size_t encode_differences_32(std::span<const std::uint64_t> values, std::vector<Byte>& out) {
  return encode_differences<std::int32_t>(values, out);
}

std::size_t encode_differences_64(std::span<const std::uint64_t> values, std::vector<Byte>& out) {
  return encode_differences<std::int64_t>(values, out);
}

std::size_t encode_runs(std::span<const std::uint64_t> values, unsigned width,
                        std::vector<Byte>& out, std::size_t begin) {
  // A run of 8 takes less than 8 literals; the shortest literal beside it has 8 values, and so on.
  const auto most = values.size() * 8 + 16 * (values.size() / 8 + 1) + 4 * 64 + slack;
  out.resize(std::max(out.size(), begin + most));
  auto* at = out.data() + begin;

  std::size_t literal = 0;  // where the literal begins that is not written yet
  for (std::size_t i = 0; i < values.size();) {
    std::size_t run = 1;
    while (i + run < values.size() && values[i + run] == values[i])
      ++run;

    // A literal has a multiple of 8 values, and takes those that it lacks from the run.
    const auto lacking = (8 - (i - literal) % 8) % 8;
    if (run >= lacking + 8) {
      at = put_literal(at, values.subspan(literal, i + lacking - literal), width);
      at = put_run(at, run - lacking, values[i], width);
      literal = i + run;
    }
    i += run;
  }
  at = put_literal(at, values.subspan(literal), width);

  return static_cast<std::size_t>(at - out.data());
}

}  // namespace tracefold::parquet
