// Returns the events of one location one by one, for code that goes through two archives in
// parallel.
//
// One thread. Memory: the events of one chunk, or of the whole file where libotf2 has to read it.
#pragma once

#include "otf2/event_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class EventCursor {
 public:
  // An Enter or Leave has only these members; for other records, `event` has the rest. A record of
  // a kind that this version of OTF2 does not know is not `is_known`.
  struct Record {
    std::uint64_t time = 0;    // ticks
    std::uint64_t region = 0;  // of an Enter or Leave
    EventKind kind = EventKind::Enter;
    bool is_known = true;
    std::span<const Attribute> attributes;
    const Event* event = nullptr;  // null for an Enter or Leave
  };

  // `archive` and `diagnostics` must outlive this. Reads nothing yet.
  EventCursor(const Archive& archive, std::uint64_t location, const ReadOptions& options,
              Diagnostics& diagnostics);
  EventCursor(const EventCursor&) = delete;
  EventCursor& operator=(const EventCursor&) = delete;

  // The next event, or null after the last one. It is valid until the next call. Throws
  // Error(input) where the file is missing or damaged.
  const Record* next() {
    if (at_ == buffer_.records.size() && !read_more())
      return nullptr;

    return &(current_ = buffer_.get(at_++));
  }

 private:
  // A sink that stores the events of a chunk.
  struct Buffer {
    static constexpr std::uint32_t no_event = 0xffffffff, unknown_event = no_event - 1;

    struct Short {
      std::uint64_t time;
      std::uint32_t region;
      std::uint32_t event;  // its place in `events`, or one of the above
      bool is_enter;
    };

    void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
      add_call(EventKind::Enter, time, region, attributes);
    }
    void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
      add_call(EventKind::Leave, time, region, attributes);
    }
    void other(const Event& event) { make_event(event.time) = event; }
    void unknown(std::uint64_t time) { records.push_back({time, 0, unknown_event, false}); }

    void add_call(EventKind kind, std::uint64_t time, std::uint64_t region,
                  std::span<const Attribute> attributes);
    Event& make_event(std::uint64_t time);
    Record get(std::size_t place) const;
    void clear();

    std::vector<Short> records;
    std::vector<Event> events;  // of which the first `used` are those of this chunk
    std::size_t used = 0;
  };

  bool read_more();

  EventReader reader_;
  std::uint64_t location_;
  Buffer buffer_;
  std::size_t at_ = 0;  // the place of the next record in the buffer
  DecodeState state_;
  std::size_t chunk_ = 0;  // the next one
  bool ended_ = false;
  Record current_;
};

}  // namespace tracefold
