// Decodes the records of event files and hands them to an event sink (see
// event_reader.hpp).
//
// What libotf2 reads is read alike, and what it refuses is refused, but for
// three things: the library goes on beyond the end of a file that was cut short
// with what its memory happened to hold; it takes fields from behind the end of
// their record, so that each of many short ones may claim the whole chunk; and
// where time stamps step back over the border of two clock intervals without a
// record between them, it stays in the earlier one. Damage is told by ChunkEnd; what a sink throws
// passes through. One thread per DecodeState. The bytes: model/wire.hpp.
#pragma once

#include "otf2/byte_cursor.hpp"
#include "otf2/chunk_file.hpp"
#include "otf2/event.hpp"
#include "otf2/local_definitions.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tracefold {

// What one chunk of a location leaves for the next.
struct DecodeState {
  std::uint64_t raw = 0;      // the last time stamp, before correction
  std::size_t interval = 0;   // of LocalDefinitions::clock
  std::uint64_t records = 0;  // so far
  Event event;                // its attributes belong to the next event; reused
};

enum class ChunkEnd { chunk, file, damage };

namespace detail {

// An event has an attribute once.
bool all_differ(std::span<const Attribute> attributes);

// Reads the attributes of a list and adds them to those of the event. False where they are damaged.
template <bool Big>
bool decode_attributes(ByteCursor<Big>& cursor, const std::uint8_t* end, std::uint64_t length,
                       const LocalDefinitions& local, Event& event);

// Reads the fields of an event other than Enter and Leave. False where they are damaged.
template <bool Big>
bool decode_fields(ByteCursor<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local,
                   ClockCorrection& clock, Event& event);

// Decodes a record other than a call, whose type stands before `at`, and gives it
// to the sink; an attribute list goes to the event. Where the next record
// begins, null where this one is damaged.
template <bool Big, class Sink>
const std::uint8_t* decode_other(std::uint8_t type, const std::uint8_t* at,
                                 const std::uint8_t* limit, std::uint64_t time,
                                 const LocalDefinitions& local, ClockCorrection& clock,
                                 Event& event, Sink& sink) {
  const auto kind = static_cast<EventKind>(type - wire::first_event_type);
  const bool known = type >= wire::first_event_type && type < wire::first_event_type + event_kinds;
  const bool bare = known && wire::is_bare(kind);
  ByteCursor<Big> cursor{at};
  std::uint64_t length = 0;
  if (!bare) {
    length = cursor.record_length();
    if (cursor.at > limit || length > static_cast<std::uint64_t>(limit - cursor.at))
      return nullptr;
  }

  const auto* const next = cursor.at + length;
  if (type == wire::attribute_list)
    return decode_attributes<Big>(cursor, next, length, local, event) ? next : nullptr;

  if (known) {
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

// Bytes that the memory is asked for before they are decoded: farther than the
// processor does by itself, which stops at the end of a page.
inline constexpr std::ptrdiff_t prefetch_distance = 2048;

template <bool Big, class Sink>
ChunkEnd decode_records(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state,
                        Sink& sink) {
  using enum EventKind;
  const auto* at = chunk.bytes.data() + wire::header_size;
  const auto* const end = chunk.bytes.data() + chunk.bytes.size();
  const auto* const limit =
      chunk.whole ? end - 1 : end;  // in a whole chunk a mark follows the last record
  const IdMap& region_map = local.maps[static_cast<std::size_t>(Ref::region)];
  const auto regions = region_map.dense();
  auto& event = state.event;
  ClockCorrection clock(local.clock, state.interval);
  std::uint64_t raw = state.raw, time = 0, records = 0;

  const auto leave_state = [&](ChunkEnd how) {
    state.raw = raw;
    state.records += records;
    state.interval = clock.interval();
    return how;
  };

  // What stands behind the end may be read but does not count: each way through
  // the loop looks once whether it has come too far.
  // Whether a record has a time stamp is hard to guess, and a processor that branches
  // on it also guesses the calls that follow badly: there is no branch here.
  const auto next_type = [&] {
    __builtin_prefetch(at + prefetch_distance);
    const auto stamped = -std::uint64_t{*at == wire::time_stamp};  // all bits or none
    raw = (load<Big>(at + 1, 8) & stamped) | (raw & ~stamped);
    at += 9 & stamped;
    time = clock(raw);  // anew, as the stop time of a BufferFlush may have advanced the clock

    return *at++;
  };

  const auto is_call = [](std::uint8_t type) {
    return type == wire::record_type(Enter) || type == wire::record_type(Leave);
  };

  // False where the record is damaged.
  const auto call = [&](std::uint8_t type, std::span<const Attribute> attributes)
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
    const auto type = next_type();

    if (is_call(type)) [[likely]] {
      if (has_attributes) [[unlikely]] {
        if (!all_differ(event.attributes) || !call(type, event.attributes))
          return leave_state(ChunkEnd::damage);
        event.attributes.clear();
        has_attributes = false;
      } else if (!call(type, {})) {
        return leave_state(ChunkEnd::damage);
      }

      continue;
    }

    if (at > end)
      return leave_state(ChunkEnd::damage);
    if (has_attributes && type != wire::attribute_list && !all_differ(event.attributes))
      return leave_state(ChunkEnd::damage);
    if (type == wire::chunk_end)
      return leave_state(ChunkEnd::chunk);
    if (type == wire::file_end)
      return leave_state(ChunkEnd::file);

    at = decode_other<Big>(type, at, limit, time, local, clock, event, sink);
    if (!at)
      return leave_state(ChunkEnd::damage);

    has_attributes = !event.attributes.empty();
    records += type != wire::attribute_list;
  }
}

}  // namespace detail

// The time stamp that a chunk begins with, before correction, if it does.
std::optional<std::uint64_t> first_stamp(const Chunk& chunk);

// Feeds the events of a chunk, which this thread has read last, to the sink. `state` comes from the
// chunk before, or is new for the first.
template <class Sink>
ChunkEnd decode_chunk(const Chunk& chunk, const LocalDefinitions& local, DecodeState& state,
                      Sink& sink) {
  if (chunk.bytes.size() < wire::header_size || chunk.bytes[0] != wire::chunk_header)
    return ChunkEnd::damage;

  auto end = ChunkEnd::damage;
  switch (chunk.bytes[1]) {
    case wire::little_endian: end = detail::decode_records<false>(chunk, local, state, sink); break;
    case wire::big_endian: end = detail::decode_records<true>(chunk, local, state, sink); break;
    default: break;
  }

  return ChunkBuffer::failed() ? ChunkEnd::damage : end;
}

}  // namespace tracefold
