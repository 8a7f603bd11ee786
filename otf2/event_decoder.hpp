// Decodes the records of event files for an event sink (event.hpp). wire.hpp describes the bytes.
//
// The decoder accepts the same files as libotf2, with three exceptions. Where a file was truncated,
// libotf2 goes on with whatever is in its memory. It takes fields from behind the end of their
// record, so that each of many short records may claim the whole chunk. And where time stamps step
// back across the border of two clock intervals, without a record in between, it stays in the
// earlier interval.
//
// Files in the byte order of other machines reach the sink by virtual calls (event_receiver.hpp),
// so that the decoding loop is compiled only once for them, and not for each sink.
//
// Damage is returned as ChunkEnd::damage; exceptions of the sink pass through. One thread at a time
// uses a DecodeState.
#pragma once

#include "otf2/bytes.hpp"
#include "otf2/chunk_file.hpp"
#include "otf2/event.hpp"
#include "otf2/event_receiver.hpp"
#include "otf2/local_definitions.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tracefold {

// What one chunk of a location passes on to the decoding of the next one.
struct DecodeState {
  std::uint64_t raw_time = 0;  // the last time stamp, before correction
  std::size_t interval = 0;    // index into LocalDefinitions::clock
  std::uint64_t records = 0;   // that were decoded so far
  Event event;                 // reused; its attributes belong to the next event
};

enum class ChunkEnd { chunk, file, damage };

namespace detail {

// Whether no attribute occurs twice, as OTF2 demands for each event.
bool all_differ(std::span<const Attribute> attributes);

// Appends the attributes of an attribute list to those of the event. False where they are damaged.
template <bool Big>
bool decode_attributes(ByteReader<Big>& cursor, const std::uint8_t* end, std::uint64_t length,
                       const LocalDefinitions& local, Event& event);

// Reads the fields of an event other than Enter and Leave. False where they are damaged.
template <bool Big>
bool decode_fields(ByteReader<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local,
                   ClockCorrection& clock, Event& event);

// Decodes a record other than Enter and Leave, whose type byte precedes `at`, for the sink. An
// attribute list is stored in `event`. Returns the beginning of the next record, or null where this
// one is damaged.
template <bool Big, EventSink Sink>
const std::uint8_t* decode_other(std::uint8_t type, const std::uint8_t* at,
                                 const std::uint8_t* limit, std::uint64_t time,
                                 const LocalDefinitions& local, ClockCorrection& clock,
                                 Event& event, Sink& sink) {
  const auto kind = static_cast<EventKind>(type - wire::first_event_type);
  const bool known = type >= wire::first_event_type && type < wire::first_event_type + event_kinds;
  const bool bare = known && wire::is_bare(kind);
  ByteReader<Big> cursor{at};
  std::uint64_t length = 0;
  if (!bare) {
    length = cursor.record_length();
    if (cursor.at > limit || length > static_cast<std::uint64_t>(limit - cursor.at))
      return nullptr;
  }

  const auto* const next = cursor.at + length;
  if (type == wire::attribute_list)
    return decode_attributes<Big>(cursor, next, length, local, event) ? next : nullptr;

  // Where a record has no length, its end is found by reading it; a BufferFlush moves the clock.
  const bool passed_over =
      known && !bare && kind != EventKind::BufferFlush && !wants_fields(sink, kind);
  if (known && !passed_over) {
    event.kind = kind;
    event.time = time;
    if (!decode_fields<Big>(cursor, bare ? limit : next, local, clock, event))
      return nullptr;
    sink.other(event);
  } else {
    sink.unknown(time);
  }

  event.attributes.clear();

  return bare ? cursor.at : next;
}

// How far ahead memory is prefetched, in bytes. Processors prefetch less by themselves, since they
// stop at the end of a page.
inline constexpr std::ptrdiff_t prefetch_distance = 2048;

// Whether a chunk holds as many records as its header says. Bytes that were set to 0 look like the
// end of a chunk. Numbers that are 0 say nothing.
template <bool Big>
bool has_all_records(const Chunk& chunk, std::uint64_t records) {
  const auto first = load<Big>(chunk.bytes.data() + wire::first_record_at, 8),
             last = load<Big>(chunk.bytes.data() + wire::last_record_at, 8);
  return first == 0 || last == 0 || records == last - first + 1;
}

// Whether these bytes may be behind the end of a file: its last mark, zeros, and ends of lines.
bool is_padding(std::span<const std::uint8_t> bytes);

template <bool Big, EventSink Sink>
ChunkEnd decode_records(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state,
                        Sink& sink) {
  using enum EventKind;
  const auto* at = chunk.bytes.data() + wire::header_size;
  const auto* const end = chunk.bytes.data() + chunk.bytes.size();
  // In a whole chunk a mark follows the last record.
  const auto* const limit = chunk.whole ? end - 1 : end;

  // libotf2 begins a chunk with a time stamp, and stamps each event at time 0 once more.
  if (end - at > 18 && at[0] == wire::time_stamp && load<Big>(at + 1, 8) == 0 &&
      at[9] == wire::time_stamp && load<Big>(at + 10, 8) == 0)
    at += 9;

  const IdMap& region_map = local.maps[static_cast<std::size_t>(Ref::region)];
  const auto regions = region_map.dense();
  auto& event = state.event;
  ClockCorrection clock(local.clock, state.interval);
  std::uint64_t raw_time = state.raw_time;
  std::uint64_t time = 0;
  std::uint64_t records = 0;

  const auto save_state = [&](ChunkEnd how) {
    state.raw_time = raw_time;
    state.records += records;
    state.interval = clock.interval();
    return how;
  };

  // Bytes behind the end may be read but do not count: each way through the loop checks once
  // whether it has come too far.
  //
  // There is no branch on whether a record has a time stamp. Processors guess it badly, and
  // then guess the branches that follow badly, too.
  const auto next_type = [&] {
    __builtin_prefetch(at + prefetch_distance);
    const auto stamped = std::uint64_t{*at == wire::time_stamp};
    const auto stamp = load<Big>(at + 1, 8);
    raw_time ^= (raw_time ^ stamp) & -stamped;
    at += wire::longest_stamp * stamped;
    // Also without a new stamp: the stop time of a BufferFlush may have advanced the clock.
    time = clock(raw_time);

    return *at++;
  };

  const auto is_call = [](std::uint8_t type) {
    return type == wire::record_type(Enter) || type == wire::record_type(Leave);
  };

  // Decodes an Enter or Leave. False where the record is damaged.
  const auto decode_call = [&](std::uint8_t type, std::span<const Attribute> attributes)
      __attribute__((always_inline)) {
    const unsigned length = *at++;
    std::uint64_t id = 0xffffffff;

    if (length == 1) [[likely]] {  // the next record is found without waiting for the length
      id = *at++;
    } else if (length == 2) {
      id = load<Big>(at, 2);
      at += 2;
    } else if (length <= 4) {
      id = load<Big>(at, length);
      at += length;
    } else if (length != wire::all_bits) {
      return false;
    }

    if (at > limit) [[unlikely]]
      return false;

    ++records;
    const auto region =
        static_cast<std::uint32_t>(id < regions.size() ? regions[id] : region_map.find(id));
    if (type == wire::record_type(Enter))
      sink.enter(time, region, attributes);
    else
      sink.leave(time, region, attributes);

    return true;
  };

  bool has_attributes = !event.attributes.empty();
  for (;;) {
    auto type = next_type();

    if (!has_attributes) {
      for (; is_call(type); type = next_type())
        if (!decode_call(type, {})) [[unlikely]]
          return save_state(ChunkEnd::damage);
    } else if (is_call(type)) {
      if (!all_differ(event.attributes) || !decode_call(type, event.attributes))
        return save_state(ChunkEnd::damage);
      event.attributes.clear();
      has_attributes = false;
      continue;
    }

    if (at > end)
      return save_state(ChunkEnd::damage);
    if (has_attributes && type != wire::attribute_list && !all_differ(event.attributes))
      return save_state(ChunkEnd::damage);
    if (type == wire::chunk_end || type == wire::file_end) {
      const bool is_file_end = type == wire::file_end;
      const bool is_sound = has_all_records<Big>(chunk, records) &&
                            (!is_file_end || is_padding({at, std::max(at, end)}));
      return save_state(!is_sound     ? ChunkEnd::damage
                        : is_file_end ? ChunkEnd::file
                                      : ChunkEnd::chunk);
    }

    at = decode_other<Big>(type, at, limit, time, local, clock, event, sink);
    if (!at)
      return save_state(ChunkEnd::damage);

    has_attributes = !event.attributes.empty();
    records += type != wire::attribute_list;
  }
}

// The same for files in the other byte order.
ChunkEnd decode_foreign_records(const Chunk& chunk, const LocalDefinitions& local,
                                DecodeState& state, EventReceiver& receiver);

}  // namespace detail

// The time stamp before the first record of a chunk, not yet corrected. None where the chunk does
// not begin with one.
std::optional<std::uint64_t> find_first_stamp(const Chunk& chunk);

// Decodes a chunk for the sink. `state` is that of the chunk before, or a new one for the first
// chunk.
template <EventSink Sink>
ChunkEnd decode_chunk(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state,
                      Sink& sink) {
  if (chunk.bytes.size() < wire::header_size || chunk.bytes[0] != wire::chunk_header)
    return ChunkEnd::damage;

  auto end = ChunkEnd::damage;
  if (chunk.bytes[1] == wire::native_order) {
    end = detail::decode_records<wire::native_order == wire::big_endian>(chunk, local, state, sink);
  } else if (chunk.bytes[1] == wire::foreign_order) {
    SinkReceiver receiver(sink);
    end = detail::decode_foreign_records(chunk, local, state, receiver);
  }

  return chunk.has_failed ? ChunkEnd::damage : end;
}

}  // namespace tracefold
