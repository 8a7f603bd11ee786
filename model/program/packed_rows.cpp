#include "model/program/packed_rows.hpp"

#include "model/program/varints.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold {

void PackedRows::add(std::span<const std::uint64_t> values) {
  values_.insert(values_.end(), values.begin(), values.end());
  ++rows_;
}

void PackedRows::put(std::span<const std::uint64_t> column) {
  if (std::any_of(column.begin(), column.end(), [](auto value) { return value != 0; }))
    for (auto value : column)
      put_varint(bytes_, value);
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

  VarintReader reader(std::string_view(bytes_).substr(find_begin(column)));
  for (auto& value : values)
    value = reader.take();
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
