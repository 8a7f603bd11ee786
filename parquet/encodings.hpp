// Encodes numbers as Parquet's pages hold them. Pure functions.
//
// Source: parquet-format 2.10, Encodings.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold::parquet {

// DELTA_BINARY_PACKED in blocks of 128 values. The bytes are written to the begin of `out`, which
// grows where it is too small; the result is how many there are. Differences of numbers of 32 bits
// wrap in 32 bits, or readers get other values.
std::size_t encode_differences_32(std::span<const std::uint64_t> values,
                                  std::vector<std::uint8_t>& out);
std::size_t encode_differences_64(std::span<const std::uint64_t> values,
                                  std::vector<std::uint8_t>& out);

// The hybrid of runs and packed bits, for values of `width` bits; written as above from the place
// `at` of `out` on. The result is where it ends.
std::size_t encode_runs(std::span<const std::uint64_t> values, unsigned width,
                        std::vector<std::uint8_t>& out, std::size_t at = 0);

}  // namespace tracefold::parquet
