#include "model/messages/packed_columns.hpp"

#include "base/error.hpp"
#include "model/messages/column.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

namespace {

constexpr std::size_t most_bytes = sizeof(std::uint64_t);
constexpr int bits_of_byte = 8;

std::size_t count_bytes(std::uint64_t value) {
  return std::max<std::size_t>(
      1, (static_cast<std::size_t>(std::bit_width(value)) + bits_of_byte - 1) / bits_of_byte);
}

}  // namespace

void ColumnPacker::add(std::span<const RankValue> table) {
  std::uint64_t all = 0;
  for (const auto& line : table)
    all |= line.value;
  const auto each = count_bytes(all);

  bytes_ += static_cast<char>(each);
  for (const auto& line : table)
    for (std::size_t k = 0; k < each; ++k)
      bytes_ += static_cast<char>(line.value >> (bits_of_byte * k) & 0xff);
}

std::vector<std::uint64_t> ColumnUnpacker::take(std::size_t values) {
  const auto each = rest_.empty() ? 0 : static_cast<std::size_t>(rest_.front());
  if (each == 0 || each > most_bytes || (rest_.size() - 1) / each < values)
    throw Error(ErrorKind::input, "the packed columns of the messages do not fit the others");

  std::vector<std::uint64_t> taken(values);
  auto at = rest_.begin() + 1;
  for (auto& value : taken)
    for (std::size_t k = 0; k < each; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(*at++)} << (bits_of_byte * k);
  rest_.remove_prefix(1 + values * each);
  return taken;
}

}  // namespace tracefold
