#include "model/program/packed_rows.hpp"

#include "base/varints.hpp"

#include <stdexcept>
#include <string_view>

namespace tracefold {

void PackedRows::add(std::span<const std::uint64_t> values) {
  if (content_.empty())
    content_.emplace_back();
  auto& columns = content_[0].columns;
  columns.resize(values.size());
  for (std::size_t c = 0; c < values.size(); ++c)
    if (values[c] != 0) {
      columns[c].bytes.append(rows_ - columns[c].rows, 0);
      put_varint(columns[c].bytes, values[c]);
      columns[c].rows = rows_ + 1;
    }
  ++rows_;
}

void PackedRows::finish() {
  if (content_.empty())
    return;
  auto& [columns, bytes, ends] = content_[0];
  std::size_t size = 0;
  for (auto& column : columns) {
    if (!column.bytes.empty())
      column.bytes.append(rows_ - column.rows, 0);
    size += column.bytes.size();
    ends.push_back(size);
  }
  bytes.reserve(size);
  for (const auto& column : columns)
    bytes += column.bytes;
  ends.shrink_to_fit();
  columns = std::vector<Column>();
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
  auto& [columns, bytes, ends] = out.content_[0];
  for (std::size_t c = 0; c < content_[0].ends.size(); ++c) {
    const auto values = read(c);
    for (std::size_t k = 0; has(c) && k < rows_; ++k)
      put_varint(bytes, values[places[k]]);
    ends.push_back(bytes.size());
  }

  return out;
}

}  // namespace tracefold
