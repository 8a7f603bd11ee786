#include "model/program/packed_rows.hpp"

#include "base/varints.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace tracefold {

void PackedRows::add(std::span<const std::uint64_t> values) {
  if (content_.empty())
    content_.emplace_back();
  auto& all = content_[0].values;
  all.insert(all.end(), values.begin(), values.end());
  ++rows_;
}

void PackedRows::put(std::span<const std::uint64_t> column) {
  auto& [values, bytes, ends] = content_[0];
  if (std::any_of(column.begin(), column.end(), [](auto value) { return value != 0; }))
    for (auto value : column)
      put_varint(bytes, value);
  ends.push_back(bytes.size());
}

void PackedRows::finish() {
  if (content_.empty())
    return;
  auto& [values, bytes, ends] = content_[0];
  const auto columns = values.size() / rows_;
  std::vector<std::uint64_t> column(rows_);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t k = 0; k < rows_; ++k)
      column[k] = values[k * columns + c];
    put(column);
  }

  bytes.shrink_to_fit();
  ends.shrink_to_fit();
  values = std::vector<std::uint64_t>();
}

std::size_t PackedRows::bytes() const {
  if (content_.empty())
    return 0;
  return sizeof(Content) + content_[0].bytes.capacity() +
         content_[0].ends.capacity() * sizeof(std::size_t);
}

std::vector<std::uint64_t> PackedRows::read(std::size_t column) const {
  std::vector<std::uint64_t> values(rows_);
  if (!has(column))
    return values;

  VarintReader reader(std::string_view(content_[0].bytes).substr(find_begin(column)));
  for (auto& value : values)
    value = reader.take();
  return values;
}

PackedRows PackedRows::leave_values() const {
  PackedRows out;
  out.rows_ = rows_;
  out.is_elsewhere_ = true;
  return out;
}

void PackedRows::throw_elsewhere() {
  throw std::logic_error("what another member of the team recorded was asked for here");
}

PackedRows PackedRows::reorder(std::span<const std::uint64_t> places) const {
  if (is_elsewhere_)
    throw_elsewhere();
  PackedRows out;
  out.rows_ = rows_;
  if (content_.empty())
    return out;
  out.content_.emplace_back();
  for (std::size_t c = 0; c < content_[0].ends.size(); ++c) {
    const auto values = read(c);
    auto moved = values;
    for (std::size_t k = 0; k < rows_; ++k)
      moved[k] = values[places[k]];
    out.put(moved);
  }

  return out;
}

}  // namespace tracefold
