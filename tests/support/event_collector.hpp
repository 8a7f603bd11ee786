// Collects the events of a location, as a sink of the reader or of clean events; and all that an
// archive holds, so that a test can change it and write it again.
#pragma once

#include "base/error.hpp"
#include "otf2/event.hpp"
#include "otf2/event_reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold::testing {

class EventCollector {
 public:
  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    add_call(EventKind::Enter, time, region, attributes);
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    add_call(EventKind::Leave, time, region, attributes);
  }
  // Takes clean events: CallBegin and CallEnd.
  template <class Call>
  void enter(const Call& call, std::span<const Attribute> attributes) {
    enter(call.time, call.region, attributes);
  }
  template <class Call>
  void leave(const Call& call, std::span<const Attribute> attributes) {
    leave(call.time, call.region, attributes);
  }
  void other(Event& event) { events_.push_back(event); }
  void unknown(std::uint64_t) { ADD_FAILURE() << "a record that OTF2 does not know"; }

  std::vector<Event> take() { return std::move(events_); }

 private:
  void add_call(EventKind kind, std::uint64_t time, std::uint64_t region,
                std::span<const Attribute> attributes) {
    Event event;
    event.kind = kind;
    event.time = time;
    event.fields[0] = region;
    event.attributes.assign(attributes.begin(), attributes.end());
    events_.push_back(std::move(event));
  }

  std::vector<Event> events_;
};

// All events of a location of an archive, as recorded.
inline std::vector<Event> read_events(const Archive& archive, std::uint64_t location) {
  Diagnostics diagnostics;
  const std::vector<std::uint64_t> batch{location};
  EventReader reader(archive, batch, {}, diagnostics);
  EventCollector collector;
  EXPECT_TRUE(reader.read(location, collector));

  return collector.take();
}

}  // namespace tracefold::testing
