// Fuzzing of the check of global definition files: it takes nothing that a plain walk
// over the records does not take, and nothing that was cut off it.
#include "base/error.hpp"
#include "otf2/file_checks.hpp"
#include "tests/fuzz/memory_file.hpp"

#include <algorithm>
#include <optional>

namespace {

using namespace tracefold;
using Bytes = std::span<const std::uint8_t>;

bool is_taken(const fuzz::MemoryFile& file, Bytes bytes, std::uint64_t chunk_size) {
  file.hold(bytes);
  try {
    check_definition_file(file.path(), chunk_size);
    return true;
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      std::abort();
    return false;
  }
}

// Behind the record at `at`; none where it reaches beyond the chunk.
std::optional<std::size_t> behind(Bytes chunk, std::size_t at, bool big) {
  if (at + 1 >= chunk.size())
    return std::nullopt;

  std::uint64_t length = chunk[at + 1];
  at += 2;
  if (length == wire::long_record) {
    if (chunk.size() - at < 8)
      return std::nullopt;
    length = 0;
    for (std::size_t k = 0; k < 8; ++k)
      length |= std::uint64_t{chunk[at + k]} << 8 * (big ? 7 - k : k);
    at += 8;
  }

  return length <= chunk.size() - at ? std::optional(at + length) : std::nullopt;
}

// Where the mark of the file's end is; none in what is no whole file.
std::optional<std::size_t> end_of(Bytes bytes, std::uint64_t chunk_size) {
  for (std::size_t begin = 0; begin < bytes.size(); begin += chunk_size) {
    const auto chunk =
        bytes.subspan(begin, std::min<std::size_t>(chunk_size, bytes.size() - begin));
    if (chunk.size() < wire::header_size || chunk[0] != wire::chunk_header)
      return std::nullopt;

    const bool big = chunk[1] == wire::big_endian;
    if (!big && chunk[1] != wire::little_endian)
      return std::nullopt;

    auto at = std::optional(wire::header_size);
    while (at && *at < chunk.size() && chunk[*at] != wire::chunk_end) {
      if (chunk[*at] == wire::file_end)
        return begin + *at;
      at = behind(chunk, *at, big);
    }

    if (!at || *at >= chunk.size())
      return std::nullopt;
  }

  return std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile file;
  if (size < 2)
    return 0;

  const std::uint64_t chunk_size = wire::header_size + data[0] * std::uint64_t{64};
  const Bytes bytes(data + 2, size - 2);
  const auto end = end_of(bytes, chunk_size);
  if (is_taken(file, bytes, chunk_size) && !end)
    std::abort();
  if (end && is_taken(file, bytes.first(*end * data[1] / 255), chunk_size))
    std::abort();

  return 0;
}
