// Pairs of numbers that take few bytes, for sequences too long to keep otherwise.
#pragma once

#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

// Pairs of numbers in few bytes that are read without a decision for each byte: a varint of 8 times
// the first and one less than the number of bytes of the second; and these, the lowest first.
class PackedPairs {
 public:
  // What is read behind the last one at most. It has to be there, whatever it is.
  static constexpr std::size_t beyond = sizeof(std::uint64_t) - 1;

  void add(std::uint64_t first, std::uint64_t second) {
    if (bytes_.size() - used_ < most_bytes) [[unlikely]]
      bytes_.resize(2 * bytes_.size() + most_bytes);
    auto* to = bytes_.data() + used_;
    const auto size = (static_cast<unsigned>(std::bit_width(second | 1)) + CHAR_BIT - 1) / CHAR_BIT;
    auto number = first << size_bits | (size - 1);
    for (; number >= 0x80; number >>= 7)
      *to++ = static_cast<char>(number | 0x80);
    *to++ = static_cast<char>(number);
    second = from_little_endian(second);
    std::memcpy(to, &second, sizeof(second));
    used_ = static_cast<std::size_t>(to - bytes_.data()) + size;
  }
  std::string_view bytes() const { return std::string_view(bytes_).substr(0, used_); }
  void clear() { used_ = 0; }

  [[gnu::always_inline]] static std::pair<std::uint64_t, std::uint64_t> take(const char*& at) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        break;
    }
    const auto size = number % (1 << size_bits) + 1;
    std::uint64_t second = 0;
    std::memcpy(&second, at, sizeof(second));
    second = from_little_endian(second);
    at += size;
    return {number >> size_bits, second & ~std::uint64_t{0} >> (sizeof(second) - size) * CHAR_BIT};
  }

 private:
  // And back again.
  static constexpr std::uint64_t from_little_endian(std::uint64_t number) {
    return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
  }

  static constexpr unsigned size_bits = 3;
  static constexpr std::size_t most_bytes = 10 + sizeof(std::uint64_t);

  std::string bytes_;
  std::size_t used_ = 0;
};

}  // namespace tracefold
