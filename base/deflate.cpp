#include "base/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace tracefold {

std::string deflate_bytes(std::string_view bytes, int level) {
  constexpr int zlib_window = 15, memory_level = 9;
  ::z_stream state{};
  // Numbers repeat less than text does: short matches cost more than they save.
  if (::deflateInit2(&state, level, Z_DEFLATED, zlib_window, memory_level, Z_FILTERED) != Z_OK)
    throw std::bad_alloc();

  std::string packed;
  std::string part(std::size_t{1} << 16, '\0');
  constexpr std::size_t most = std::numeric_limits<uInt>::max() / 2;
  try {
    int result = Z_OK;
    while (result != Z_STREAM_END) {
      const auto next = bytes.substr(0, most);
      // zlib does not write to what it reads, but its older interface has no const.
      state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
      state.avail_in = static_cast<uInt>(next.size());
      bytes.remove_prefix(next.size());
      const int flush = bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
      do {
        state.next_out = reinterpret_cast<Bytef*>(part.data());
        state.avail_out = static_cast<uInt>(part.size());
        result = ::deflate(&state, flush);
        packed.append(part, 0, part.size() - state.avail_out);
      } while (state.avail_out == 0);
    }
  } catch (...) {
    ::deflateEnd(&state);
    throw;
  }
  ::deflateEnd(&state);

  return packed;
}

}  // namespace tracefold
