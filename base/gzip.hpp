// Files of gzip that are packed in parts side by side: each part is packed by itself, and the parts
// behind each other are one member, as every reader of gzip takes it.
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

// What the end of a file tells of the bytes before they were packed.
struct GzipSum {
  std::uint32_t crc = 0;
  std::uint64_t bytes = 0;

  // The sum of these bytes and of others behind them.
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

  // Appends what is packed so far to `out`.
  void add(std::string_view bytes, std::string& out);
  // The rest of it. Once, at the end.
  void finish(std::string& out);

  const GzipSum& sum() const { return sum_; }

 private:
  struct Stream;
  void pack(std::string_view bytes, int flush, std::string& out);

  std::unique_ptr<Stream> stream_;
  GzipSum sum_;
};

}  // namespace tracefold
