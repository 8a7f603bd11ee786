// Whole numbers in as few bytes as possible (LEB128): seven bits in each byte, the lowest first;
// all but the last byte have the eighth bit set. And signed differences as unsigned numbers
// (zigzag): 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …
//
// Thread-safe; each reader belongs to one thread.
#pragma once

#include "base/error.hpp"

#include <climits>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

// `difference` is taken modulo the size of its type.
template <std::unsigned_integral Number>
Number to_zigzag(Number difference) {
  constexpr int last_bit = sizeof(Number) * CHAR_BIT - 1;
  return static_cast<Number>(difference << 1) ^
         static_cast<Number>(Number{0} - static_cast<Number>(difference >> last_bit));
}

inline std::uint64_t from_zigzag(std::uint64_t number) {
  return (number >> 1) ^ (std::uint64_t{0} - (number & 1));
}

inline void put_varint(std::string& out, std::uint64_t number) {
  constexpr std::size_t most_bytes = 10;
  char bytes[most_bytes];
  std::size_t count = 0;
  for (; number >= 0x80; number >>= 7)
    bytes[count++] = static_cast<char>(number | 0x80);
  bytes[count++] = static_cast<char>(number);
  out.append(bytes, count);
}

// Reads numbers from bytes that are not trusted. Throws Error(input) where they end too early, or a
// number has more than 64 bits.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t take() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (rest_.empty() || shift > 63)
        refuse();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1)
        refuse();
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80)
        return number;
    }
  }

  std::string_view take_bytes(std::size_t count) {
    if (count > rest_.size())
      refuse();
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::size_t size() const { return rest_.size(); }  // bytes that are left
  bool at_end() const { return rest_.empty(); }

 private:
  [[noreturn]] static void refuse() { throw Error(ErrorKind::input, "packed numbers are damaged"); }

  std::string_view rest_;
};

}  // namespace tracefold
