// Steps over the records of a chunk that all say their length, as those of
// definition files do.
#pragma once

#include "otf2/byte_cursor.hpp"
#include "otf2/chunk_file.hpp"

#include <cstddef>
#include <cstdint>

namespace tracefold {

enum class WalkEnd { chunk, file, fault };

// Where a walk ended, in bytes from the beginning of the chunk.
struct Walked {
  WalkEnd end = WalkEnd::fault;
  std::size_t at = 0;
};

namespace detail {

template <bool Big, class Visit>
Walked walk_records(const Chunk& chunk, Visit&& visit) {
  const auto* const begin = chunk.bytes.data();
  const auto* const end = begin + chunk.bytes.size();
  ByteCursor<Big> cursor{begin + wire::header_size};

  while (cursor.at < end) {
    const auto at = static_cast<std::size_t>(cursor.at - begin);
    const auto type = cursor.u8();
    if (type == wire::chunk_end)
      return {WalkEnd::chunk, at};
    if (type == wire::file_end)
      return {WalkEnd::file, at};

    const auto length = cursor.record_length();
    if (cursor.at > end || length > static_cast<std::uint64_t>(end - cursor.at))
      return {WalkEnd::fault, at};

    const auto* const next = cursor.at + length;
    if (!visit(type, cursor, next))
      return {WalkEnd::fault, at};

    cursor.at = next;
  }

  return {WalkEnd::fault, chunk.bytes.size()};
}

}  // namespace detail

// Calls `visit(type, ByteCursor&, end of the record)` for each record of a chunk,
// which this thread has read last, until it answers false: that is a fault.
template <class Visit>
Walked walk_records(const Chunk& chunk, Visit&& visit) {
  Walked walked;
  if (chunk.bytes.size() >= wire::header_size && chunk.bytes[0] == wire::chunk_header) {
    if (chunk.bytes[1] == wire::little_endian)
      walked = detail::walk_records<false>(chunk, visit);
    if (chunk.bytes[1] == wire::big_endian)
      walked = detail::walk_records<true>(chunk, visit);
  }

  if (ChunkBuffer::failed())
    walked.end = WalkEnd::fault;

  return walked;
}

}  // namespace tracefold
