// The numbers of a report page: columns of them, one after another as bytes (little-endian, each
// column at a multiple of 4), packed into one text. The page's JSON refers to a column by an object
// {"at": byte, "length": values, "type": "f32"}, where type is u8, u16, u32 or f32.
//
// Equal columns are kept once. Equal columns in equal order give equal text, with one version of
// zlib. Memory: the bytes, and while it is packed, the text. One thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

class ColumnData {
 public:
  nlohmann::ordered_json add(const std::vector<std::uint8_t>& values);
  nlohmann::ordered_json add(const std::vector<std::uint16_t>& values);
  nlohmann::ordered_json add(const std::vector<std::uint32_t>& values);
  // Not a number: a value that is not known.
  nlohmann::ordered_json add(const std::vector<float>& values);

  // In the smallest type of u8, u16 and u32 that holds them all.
  nlohmann::ordered_json add_whole(const std::vector<std::uint32_t>& values);

  std::size_t size() const { return bytes_.size(); }

  // All bytes, packed by zlib, in base64.
  std::string pack() const;

 private:
  template <class Number>
  nlohmann::ordered_json add_numbers(const std::vector<Number>& values, std::string_view type);

  std::string bytes_;
  // By hash of a column's bytes: where columns with it begin, and how many bytes they take.
  std::multimap<std::size_t, std::pair<std::size_t, std::size_t>> known_;
};

}  // namespace tracefold
