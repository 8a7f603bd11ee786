#include "otf2/event_cursor.hpp"

namespace tracefold {

EventCursor::EventCursor(const Archive& archive, std::uint64_t location, const ReadOptions& options,
                         Diagnostics& diagnostics)
    : reader_(archive, std::span(&location, 1), options, diagnostics), location_(location) {}

bool EventCursor::read_more() {
  at_ = 0;
  buffer_.clear();

  while (!ended_ && buffer_.records.empty()) {
    const auto end = reader_.read_chunk(location_, chunk_++, state_, buffer_);
    if (!end) {  // the reader can only read the whole location
      reader_.read(location_, buffer_);
      ended_ = true;
    } else {
      ended_ = *end != ChunkEnd::chunk;
    }
  }

  return !buffer_.records.empty();
}

void EventCursor::Buffer::add_call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
  if (attributes.empty()) [[likely]] {
    records.push_back(
        {time, static_cast<std::uint32_t>(region), no_event, kind == EventKind::Enter});
    return;
  }

  auto& event = make_event(time);
  event.kind = kind;
  event.time = time;
  event.fields[0] = region;
  event.list.clear();
  event.attributes.assign(attributes.begin(), attributes.end());
}

Event& EventCursor::Buffer::make_event(std::uint64_t time) {
  records.push_back({time, 0, static_cast<std::uint32_t>(used), false});
  if (used == events.size())
    events.emplace_back();

  return events[used++];
}

EventCursor::Record EventCursor::Buffer::get(std::size_t place) const {
  const auto& one = records[place];
  Record record;
  record.time = one.time;

  if (one.event == no_event) [[likely]] {
    record.region = one.region;
    record.kind = one.is_enter ? EventKind::Enter : EventKind::Leave;
  } else if (one.event == unknown_event) {
    record.is_known = false;
  } else {
    const auto& event = events[one.event];
    const bool is_call = event.kind == EventKind::Enter || event.kind == EventKind::Leave;
    record.kind = event.kind;
    record.region = is_call ? event.region() : 0;
    record.attributes = event.attributes;
    record.event = is_call ? nullptr : &event;
  }

  return record;
}

void EventCursor::Buffer::clear() {
  records.clear();
  used = 0;
}

}  // namespace tracefold
