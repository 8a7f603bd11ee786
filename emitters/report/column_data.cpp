#include "emitters/report/column_data.hpp"

#include "base/base64.hpp"
#include "base/deflate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <type_traits>

namespace tracefold {

namespace {

constexpr std::size_t column_alignment = 4;
// Level 9 takes up to ten times as long for levels of maps, and saves a few percent of the bytes.
constexpr int packing_level = 6;

template <class Number>
std::string write_low_first(const std::vector<Number>& values) {
  using Bits =
      std::conditional_t<sizeof(Number) == 1, std::uint8_t,
                         std::conditional_t<sizeof(Number) == 2, std::uint16_t, std::uint32_t>>;
  std::string bytes;
  bytes.reserve(values.size() * sizeof(Number));
  for (const auto value : values) {
    const auto bits = std::bit_cast<Bits>(value);
    for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
      bytes += static_cast<char>(bits >> 8 * byte & 0xff);
  }

  return bytes;
}

template <class Number>
std::vector<Number> narrow(const std::vector<std::uint32_t>& values) {
  std::vector<Number> out;
  out.reserve(values.size());
  for (const auto value : values)
    out.push_back(static_cast<Number>(value));

  return out;
}

}  // namespace

template <class Number>
nlohmann::ordered_json ColumnData::add_numbers(const std::vector<Number>& values,
                                               std::string_view type) {
  const auto column = write_low_first(values);
  const auto describe = [&](std::size_t at) {
    return nlohmann::ordered_json{{"at", at}, {"length", values.size()}, {"type", type}};
  };

  const auto hash = std::hash<std::string>{}(column);
  const auto [first, last] = known_.equal_range(hash);
  const auto equal = std::find_if(first, last, [&](const auto& known) {
    const auto [at, size] = known.second;
    return size == column.size() && std::string_view(bytes_).substr(at, size) == column;
  });
  if (equal != last)
    return describe(equal->second.first);

  const auto at = bytes_.size();
  bytes_ += column;
  bytes_.resize((bytes_.size() + column_alignment - 1) / column_alignment * column_alignment);
  known_.emplace(hash, std::pair(at, column.size()));

  return describe(at);
}

nlohmann::ordered_json ColumnData::add(const std::vector<std::uint8_t>& values) {
  return add_numbers(values, "u8");
}

nlohmann::ordered_json ColumnData::add(const std::vector<std::uint16_t>& values) {
  return add_numbers(values, "u16");
}

nlohmann::ordered_json ColumnData::add(const std::vector<std::uint32_t>& values) {
  return add_numbers(values, "u32");
}

nlohmann::ordered_json ColumnData::add(const std::vector<float>& values) {
  return add_numbers(values, "f32");
}

nlohmann::ordered_json ColumnData::add_whole(const std::vector<std::uint32_t>& values) {
  const auto highest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  if (highest <= std::numeric_limits<std::uint8_t>::max())
    return add(narrow<std::uint8_t>(values));
  if (highest <= std::numeric_limits<std::uint16_t>::max())
    return add(narrow<std::uint16_t>(values));

  return add(values);
}

std::string ColumnData::pack() const {
  return encode_base64(deflate_bytes(bytes_, packing_level));
}

}  // namespace tracefold
