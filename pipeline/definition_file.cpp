#include "pipeline/definition_file.hpp"

#include "model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <vector>

namespace tracefold {

namespace {

constexpr std::uint64_t header_size = 18;
constexpr std::uint8_t header_mark = 0x03, little_endian = 0x42, big_endian = 0x23, padding = 0x00, chunk_end = 0x02, file_end = 0x01, long_record = 0xff;

// One chunk of the file; where the walk ends, or none on a fault.
class ChunkWalk {
 public:
  ChunkWalk(const std::vector<std::uint8_t>& bytes, std::uint64_t begin, std::uint64_t end) : bytes_(bytes), at_(begin), end_(end) {}

  bool header() {
    if (end_ - at_ < header_size || bytes_[at_] != header_mark) return false;
    big_ = bytes_[at_ + 1] == big_endian;
    if (!big_ && bytes_[at_ + 1] != little_endian) return false;
    at_ += header_size;
    return true;
  }
  // Steps over all records to the mark that ends the chunk.
  bool records() {
    while (at_ < end_ && bytes_[at_] != padding && bytes_[at_] != chunk_end && bytes_[at_] != file_end)
      if (!record()) return false;
    return at_ < end_;
  }
  bool ends_file() const { return bytes_[at_] == file_end || (at_ + 1 < end_ && bytes_[at_ + 1] == file_end); }
  std::uint64_t at() const { return at_; }

 private:
  bool record() {
    if (end_ - at_ < 2) return false;
    std::uint64_t length = bytes_[at_ + 1], head = 2;
    if (length == long_record) {
      if (end_ - at_ < 10) return false;
      length = 0;
      for (std::uint64_t k = 0; k < 8; ++k) length = length << 8 | bytes_[at_ + 2 + (big_ ? k : 7 - k)];
      head = 10;
    }
    if (length > end_ - at_ - head) return false;
    at_ += head + length;
    return true;
  }
  const std::vector<std::uint8_t>& bytes_;
  std::uint64_t at_, end_;
  bool big_ = false;
};

}  // namespace

void check_definition_file(const std::filesystem::path& file, std::uint64_t chunk_size) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  const auto size = std::max<std::uint64_t>(chunk_size, header_size);
  for (std::uint64_t begin = 0; begin < bytes.size(); begin += size) {
    ChunkWalk walk(bytes, begin, std::min<std::uint64_t>(bytes.size(), begin + size));
    if (!walk.header() || !walk.records())
      throw Error(ErrorKind::input, fmt::format("the definitions end early or are damaged at byte {}", walk.at())).in(file.string()).hint("copy the archive again");
    if (walk.ends_file()) return;
  }
  throw Error(ErrorKind::input, "the definitions end early").in(file.string()).hint("copy the archive again");
}

}  // namespace tracefold
