#include "base/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace tracefold {

namespace {

// Its method is deflate; no name, no time, so that equal contents are equal files; the system is
// Unix.
constexpr std::string_view gzip_header("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
// A last block of deflate that holds nothing.
constexpr std::string_view last_block("\x03\0", 2);

void put_low_first(std::uint32_t number, std::string& out) {
  for (unsigned byte = 0; byte < 4; ++byte)
    out += static_cast<char>(number >> 8 * byte & 0xff);
}

}  // namespace

const std::string_view gzip_begin = gzip_header;

void GzipSum::append(const GzipSum& next) {
  crc =
      static_cast<std::uint32_t>(::crc32_combine(crc, next.crc, static_cast<z_off_t>(next.bytes)));
  bytes += next.bytes;
}

std::string end_gzip(const GzipSum& all) {
  std::string out(last_block);
  put_low_first(all.crc, out);
  put_low_first(static_cast<std::uint32_t>(all.bytes), out);  // modulo 2^32, as the format says

  return out;
}

struct GzipPart::Stream {
  Stream() {
    constexpr int raw_window = -15, memory_level = 8;
    if (::deflateInit2(&state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                       Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Stream() { ::deflateEnd(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  ::z_stream state{};
};

GzipPart::GzipPart() : stream_(std::make_unique<Stream>()) {}
GzipPart::~GzipPart() = default;

void GzipPart::pack(std::string_view bytes, int flush, std::string& out) {
  auto& state = stream_->state;
  // zlib does not write to what it reads, but its older interface has no const.
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  state.avail_in = static_cast<uInt>(bytes.size());

  std::array<char, 1 << 15> packed;
  do {
    state.next_out = reinterpret_cast<Bytef*>(packed.data());
    state.avail_out = static_cast<uInt>(packed.size());
    ::deflate(&state, flush);
    out.append(packed.data(), packed.size() - state.avail_out);
  } while (state.avail_out == 0);
}

void GzipPart::add(std::string_view bytes, std::string& out) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(most, bytes.size()))) {
    const auto next = bytes.substr(0, most);
    sum_.crc = static_cast<std::uint32_t>(::crc32(
        sum_.crc, reinterpret_cast<const Bytef*>(next.data()), static_cast<uInt>(next.size())));
    sum_.bytes += next.size();
    pack(next, Z_NO_FLUSH, out);
  }
}

void GzipPart::finish(std::string& out) {
  pack({}, Z_FULL_FLUSH, out);
}

}  // namespace tracefold
