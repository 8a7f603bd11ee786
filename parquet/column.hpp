// The columns of a table that is written as Parquet. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::parquet {

enum class Type : std::uint8_t { int32, int64, uint64, float64, text };

// How the values of a page are stored before they are compressed.
enum class Encoding : std::uint8_t {
  plain,        // one after the other; not for text
  differences,  // DELTA_BINARY_PACKED: for ascending whole numbers; not compressed
  dictionary,   // different values once, and then numbers of these
};

struct Column {
  std::string name;
  Type type = Type::int64;
  Encoding encoding = Encoding::plain;
  bool is_optional = false;  // rows may have no value
};

}  // namespace tracefold::parquet
