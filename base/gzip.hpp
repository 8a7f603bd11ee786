// Packs a gzip file in parts that can be made in parallel. The parts, one after the other, are a
// single gzip member, which every reader understands.
//
//   file = gzip_begin + packed parts + end_gzip(sum of all parts)
//
// Equal parts give equal bytes, with one version of zlib. Source: RFC 1951 and 1952.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

// Checksum and size of unpacked bytes, as they stand at the end of the file.
struct GzipSum {
  std::uint32_t crc = 0;
  std::uint64_t bytes = 0;

  // Makes this the sum of its own bytes followed by those of `next`.
  void append(const GzipSum& next);
};

extern const std::string_view gzip_begin;
std::string end_gzip(const GzipSum& all);

// Packs one part. One thread. Memory: 256 KiB.
class GzipPart {
 public:
  GzipPart();
  ~GzipPart();
  GzipPart(const GzipPart&) = delete;
  GzipPart& operator=(const GzipPart&) = delete;

  // Packs more bytes, and appends to `out` what is ready.
  void add(std::string_view bytes, std::string& out);
  // Appends the rest. Call once, at the end.
  void finish(std::string& out);

  const GzipSum& sum() const { return sum_; }

 private:
  struct Stream;
  void pack(std::string_view bytes, int flush, std::string& out);

  std::unique_ptr<Stream> stream_;
  GzipSum sum_;
};

}  // namespace tracefold
