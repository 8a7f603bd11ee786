#include "pipeline/definition_file.hpp"

#include "model/error.hpp"
#include "pipeline/byte_cursor.hpp"
#include "pipeline/chunk_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

enum class End { chunk, file, fault };

// Steps over the records of a chunk; `at` is then where the walk came to.
template <bool Big>
End walk(const Chunk& chunk, std::size_t& at) {
  const auto* const begin = chunk.bytes.data();
  const auto* const end = begin + chunk.bytes.size();
  ByteCursor<Big> cursor{begin + wire::header_size};
  while (cursor.at < end) {
    at = static_cast<std::size_t>(cursor.at - begin);
    const auto type = cursor.u8();
    if (type == wire::chunk_end) return End::chunk;
    if (type == wire::file_end) return End::file;
    const auto length = cursor.record_length();
    if (cursor.at > end || length > static_cast<std::uint64_t>(end - cursor.at)) return End::fault;
    cursor.at += length;
  }
  at = chunk.bytes.size();
  return End::fault;
}

End walk_chunk(const Chunk& chunk, std::size_t& at) {
  if (chunk.bytes.size() < wire::header_size || chunk.bytes[0] != wire::chunk_header) return End::fault;
  switch (chunk.bytes[1]) {
    case wire::little_endian: return walk<false>(chunk, at);
    case wire::big_endian: return walk<true>(chunk, at);
    default: return End::fault;
  }
}

}  // namespace

void check_definition_file(const std::filesystem::path& path, std::uint64_t chunk_size) {
  const auto size = std::max<std::uint64_t>(chunk_size, wire::header_size);
  const auto file = ChunkFile::open(path, size);
  ChunkBuffer buffer;
  for (std::size_t k = 0; file && k < file->chunks(); ++k) {
    std::size_t at = 0;
    const auto end = walk_chunk(file->read(k, buffer), at);
    switch (ChunkBuffer::failed() ? End::fault : end) {
      case End::chunk: break;
      case End::file: return;
      case End::fault:
        throw Error(ErrorKind::input, fmt::format("the definitions end early or are damaged at byte {}", k * size + at)).in(path.string()).hint("copy the archive again");
    }
  }
  throw Error(ErrorKind::input, "the definitions end early").in(path.string()).hint("copy the archive again");
}

}  // namespace tracefold
