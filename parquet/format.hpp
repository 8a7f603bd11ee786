// Numbers that stand for something in Parquet's metadata.
//
// Source: parquet-format 2.10, parquet.thrift.
#pragma once

#include <cstdint>

namespace tracefold::parquet::format {

using Number = std::int32_t;

inline constexpr Number dictionary_page = 2, data_page_v2 = 3;              // PageType
inline constexpr Number int32 = 1, int64 = 2, float64 = 5, byte_array = 6;  // Type
inline constexpr Number converted_utf8 = 0, converted_uint64 = 14;          // ConvertedType
inline constexpr Number plain = 0, runs = 3, differences = 5, dictionary_indexes = 8;  // Encoding
inline constexpr Number uncompressed = 0, zstd = 6;  // CompressionCodec

}  // namespace tracefold::parquet::format
