#include "otf2/event_decoder.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

std::optional<std::uint64_t> find_first_stamp(const Chunk& chunk) {
  const auto& bytes = chunk.bytes;
  if (bytes.size() < wire::header_size + 9 || bytes[wire::header_size] != wire::time_stamp)
    return std::nullopt;
  const auto* at = bytes.data() + wire::header_size + 1;
  return bytes[1] == wire::big_endian ? load<true>(at, 8) : load<false>(at, 8);
}

}  // namespace tracefold

namespace tracefold::detail {

bool is_padding(std::span<const std::uint8_t> bytes) {
  if (!bytes.empty() && bytes.front() == wire::buffer_end)
    bytes = bytes.subspan(1);
  return std::all_of(bytes.begin(), bytes.end(),
                     [](auto byte) { return byte == 0 || byte == '\n' || byte == '\r'; });
}

namespace {

// The lowest `width` bytes of a number, as the field that it goes to can hold.
std::uint64_t narrow(std::uint64_t value, unsigned width) {
  return width == 8 ? value : value & ((std::uint64_t{1} << (8 * width)) - 1);
}

template <bool Big>
std::uint64_t decode_value(ByteReader<Big>& cursor, unsigned width) {
  return width == 1 ? cursor.u8() : cursor.number(width);
}

// What is damaged is told by the cursor, which is looked at once after all fields: it may come a
// few numbers too far (ChunkBuffer::slack), and never comes back.
template <EventKind Kind, std::size_t I, bool Big>
void decode_field(ByteReader<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local,
                  ClockCorrection& clock, Event& event, std::uint64_t& length) {
  constexpr Field field = get_row(Kind).fields[I];
  auto& slot = event.fields[I];

  if constexpr (field.role == FieldRole::list) {
    slot = 0;  // decoded with the first list, see below
  } else if constexpr (field.role == FieldRole::time_stamp) {
    slot = clock(cursor.fixed(8));
  } else if constexpr (field.role == FieldRole::ref_list) {
    slot = 0;
    for (std::uint64_t k = 0; k < length && !cursor.bad && cursor.at <= end; ++k)
      event.list.push_back(
          narrow(local.global(field.target, decode_value(cursor, field.width)), field.width));
  } else {
    slot = decode_value(cursor, field.width);
    if constexpr (field.role == FieldRole::ref)
      slot = narrow(local.global(field.target, slot), field.width);
  }

  if constexpr (field.role == FieldRole::count) {
    if (cursor.bad || cursor.at > end || slot > static_cast<std::uint64_t>(end - cursor.at)) {
      cursor.bad = true;
      return;
    }
    length = slot;

    // Lists of values are interleaved in the file. In the event they stand one behind the other.
    constexpr std::size_t lists = get_row(Kind).size - I - 1;

    if constexpr (get_row(Kind).fields[I + 1].role == FieldRole::list) {
      event.list.resize(lists * length);
      for (std::uint64_t k = 0; k < length; ++k) {
        for (std::size_t l = 0; l < lists; ++l)
          event.list[l * length + k] = decode_value(cursor, get_row(Kind).fields[I + 1 + l].width);
        if (cursor.bad || cursor.at > end) {
          cursor.bad = true;
          return;
        }
      }
    }
  }
}

template <EventKind Kind, bool Big>
bool decode_kind(ByteReader<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local,
                 ClockCorrection& clock, Event& event) {
  [[maybe_unused]] std::uint64_t length = 0;
  auto fields = cursor;  // in registers
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (decode_field<Kind, I>(fields, end, local, clock, event, length), ...);
  }
  (std::make_index_sequence<get_row(Kind).size>());
  cursor = fields;

  return !fields.bad && fields.at <= end;
}

}  // namespace

bool all_differ(std::span<const Attribute> attributes) {
  if (attributes.size() <= 16) {
    for (std::size_t i = 1; i < attributes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (attributes[i].id == attributes[k].id)
          return false;
    return true;
  }

  std::vector<std::uint64_t> ids;
  for (const auto& a : attributes)
    ids.push_back(a.id);

  std::sort(ids.begin(), ids.end());

  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

template <bool Big>
bool decode_attributes(ByteReader<Big>& cursor, const std::uint8_t* end, std::uint64_t length,
                       const LocalDefinitions& local, Event& event) {
  const auto count = cursor.number(4);
  if (cursor.bad || cursor.at > end ||
      length > static_cast<std::uint32_t>(count * wire::longest_attribute + wire::longest_count))
    return false;

  for (std::uint64_t k = 0; k < count; ++k) {
    Attribute a;
    a.id = static_cast<std::uint32_t>(local.global(Ref::attribute, cursor.number(4)));
    a.type = cursor.u8();
    const auto shape = wire::value_encoding(a.type);
    a.value = shape.compressed ? cursor.number(shape.width) : cursor.fixed(shape.width);
    if (cursor.bad || cursor.at > end)
      return false;
    if (auto kind = ref_from_type(a.type))
      a.value = narrow(local.global(*kind, a.value), shape.width);

    event.attributes.push_back(a);
  }

  return true;
}

template <bool Big>
bool decode_fields(ByteReader<Big>& cursor, const std::uint8_t* end, const LocalDefinitions& local,
                   ClockCorrection& clock, Event& event) {
  event.list.clear();
  switch (event.kind) {
#define TRACEFOLD_CASE(name, ...) \
  case EventKind::name: return decode_kind<EventKind::name>(cursor, end, local, clock, event);
    TRACEFOLD_EVENTS(TRACEFOLD_CASE)
#undef TRACEFOLD_CASE
  }
  return false;
}

ChunkEnd decode_foreign_records(const Chunk& chunk, const LocalDefinitions& local,
                                DecodeState& state, EventReceiver& receiver) {
  return decode_records<wire::foreign_order == wire::big_endian>(chunk, local, state, receiver);
}

template bool decode_attributes<false>(ByteReader<false>&, const std::uint8_t*, std::uint64_t,
                                       const LocalDefinitions&, Event&);
template bool decode_attributes<true>(ByteReader<true>&, const std::uint8_t*, std::uint64_t,
                                      const LocalDefinitions&, Event&);
template bool decode_fields<false>(ByteReader<false>&, const std::uint8_t*, const LocalDefinitions&,
                                   ClockCorrection&, Event&);
template bool decode_fields<true>(ByteReader<true>&, const std::uint8_t*, const LocalDefinitions&,
                                  ClockCorrection&, Event&);

}  // namespace tracefold::detail
