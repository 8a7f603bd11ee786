#include "model/program/packed_rows.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// Seven bits in each byte, the lowest first; all but the last byte have the eighth bit.
void put_number(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t take_number(const std::uint8_t*& byte) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    number |= std::uint64_t{*byte & 0x7fu} << shift;
    if (*byte++ < 0x80)
      return number;
  }
}

}  // namespace

void PackedRows::add(std::span<const std::uint64_t> values) {
  values_.insert(values_.end(), values.begin(), values.end());
  ++rows_;
}

void PackedRows::put(std::span<const std::uint64_t> column) {
  if (std::any_of(column.begin(), column.end(), [](auto value) { return value != 0; }))
    for (auto value : column)
      put_number(bytes_, value);
  ends_.push_back(bytes_.size());
}

void PackedRows::finish() {
  const auto columns = rows_ == 0 ? 0 : values_.size() / rows_;
  std::vector<std::uint64_t> column(rows_);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t k = 0; k < rows_; ++k)
      column[k] = values_[k * columns + c];
    put(column);
  }

  bytes_.shrink_to_fit();
  ends_.shrink_to_fit();
  values_ = std::vector<std::uint64_t>();
}

std::vector<std::uint64_t> PackedRows::read(std::size_t column) const {
  std::vector<std::uint64_t> values(rows_);
  if (!has(column))
    return values;

  const auto* byte = bytes_.data() + find_begin(column);
  for (auto& value : values)
    value = take_number(byte);
  return values;
}

PackedRows PackedRows::reorder(std::span<const std::uint64_t> places) const {
  PackedRows out;
  out.rows_ = rows_;
  for (std::size_t c = 0; c < ends_.size(); ++c) {
    const auto values = read(c);
    auto moved = values;
    for (std::size_t k = 0; k < rows_; ++k)
      moved[k] = values[places[k]];
    out.put(moved);
  }

  return out;
}

}  // namespace tracefold
