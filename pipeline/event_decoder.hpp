// Decodes the records of event files and hands them to an event sink (see
// event_reader.hpp).
//
// What libotf2 reads is read alike, and what it refuses is refused, with one
// exception: the library goes on beyond the end of a file that was cut short
// with what its memory happened to hold.
#pragma once

#include "model/event.hpp"
#include "pipeline/byte_cursor.hpp"
#include "pipeline/chunk_file.hpp"
#include "pipeline/local_definitions.hpp"

#include <cstdint>
#include <span>

namespace tracefold {

// What one chunk of a location leaves for the next.
struct DecodeState {
  std::uint64_t raw = 0;       // the last time stamp, before correction
  std::size_t interval = 0;    // of LocalDefinitions::clock
  Event event;                 // its attributes belong to the next event; reused
};

enum class ChunkEnd { chunk, file, damage };

namespace detail {

// Reads the attributes of a list and adds them to those of the event. False where they are damaged.
template <bool Big>
bool decode_attributes(ByteCursor<Big>& cursor, const std::uint8_t* end, std::uint64_t length, const LocalDefinitions& local, Event& event);

// Reads the fields of an event other than Enter and Leave. False where they are damaged.
template <bool Big>
bool decode_fields(ByteCursor<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local, DecodeState& state);

template <bool Big, class Sink>
ChunkEnd decode_records(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state, Sink& sink) {
  const auto* const end = chunk.bytes.data() + chunk.bytes.size();
  const auto* const limit = chunk.whole ? end - 1 : end;  // in a whole chunk a mark follows the last record
  const IdMap& regions = local.maps[static_cast<std::size_t>(Ref::region)];
  auto& event = state.event;
  ByteCursor<Big> cursor{chunk.bytes.data() + wire::header_size};
  std::uint64_t time = local.corrected(state.raw, state.interval);
  while (cursor.at < end) {
    if (*cursor.at == wire::time_stamp) {
      ++cursor.at;
      state.raw = cursor.fixed(8);
      if (cursor.at >= end) return ChunkEnd::damage;
      time = local.corrected(state.raw, state.interval);
    }
    const auto type = cursor.u8();
    if (type == wire::type_of(EventKind::Enter) || type == wire::type_of(EventKind::Leave)) [[likely]] {
      const auto id = cursor.number(4);
      if (cursor.bad || cursor.at > limit) return ChunkEnd::damage;
      const auto region = static_cast<std::uint32_t>(regions.of(id));
      const std::span<const Attribute> attributes(event.attributes);
      if (type == wire::type_of(EventKind::Enter)) sink.enter(time, region, attributes);
      else sink.leave(time, region, attributes);
      if (!attributes.empty()) event.attributes.clear();
      continue;
    }
    if (type == wire::chunk_end) return ChunkEnd::chunk;
    if (type == wire::file_end) return ChunkEnd::file;
    const auto kind = static_cast<EventKind>(type - wire::first_event_type);
    const bool known = type >= wire::first_event_type && type < wire::first_event_type + event_kinds;
    const std::uint8_t* next = nullptr;  // the end of the record, where it says its length
    if (!known || !wire::is_bare(kind)) {
      const auto length = cursor.record_length();
      if (cursor.at > limit || length > static_cast<std::uint64_t>(limit - cursor.at)) return ChunkEnd::damage;
      next = cursor.at + length;
      if (type == wire::attribute_list) {
        if (!decode_attributes<Big>(cursor, end, length, local, event)) return ChunkEnd::damage;
        cursor.at = next;
        continue;
      }
    }
    if (known) {
      event.kind = kind;
      event.time = time;
      if (!decode_fields<Big>(cursor, next ? end : limit, local, state)) return ChunkEnd::damage;
      sink.other(event);
      if (kind == EventKind::BufferFlush) time = local.corrected(state.raw, state.interval);
    } else {
      sink.unknown(time);
    }
    event.attributes.clear();
    if (next) cursor.at = next;
  }
  return ChunkEnd::damage;
}

}  // namespace detail

// Feeds the events of a chunk to the sink. `state` comes from the chunk before,
// or is new for the first.
template <class Sink>
ChunkEnd decode_chunk(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state, Sink& sink) {
  if (chunk.bytes.size() < wire::header_size || chunk.bytes[0] != wire::chunk_header) return ChunkEnd::damage;
  switch (chunk.bytes[1]) {
    case wire::little_endian: return detail::decode_records<false>(chunk, local, state, sink);
    case wire::big_endian: return detail::decode_records<true>(chunk, local, state, sink);
    default: return ChunkEnd::damage;
  }
}

}  // namespace tracefold
