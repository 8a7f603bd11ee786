// All that an archive holds, so that a test can change it and write it again.
#pragma once

#include "otf2/archive.hpp"
#include "tests/support/event_collector.hpp"
#include "tests/support/every_record.hpp"

namespace tracefold::testing {

inline TraceContent read_content(const Archive& archive) {
  const auto& facts = archive.facts();
  TraceContent content;
  content.definitions = archive.definitions().all();
  for (auto id : archive.definitions().locations())
    content.events[id] = read_events(archive, id);

  content.marker_kinds = facts.marker_kinds;
  content.markers = facts.markers;
  content.properties = facts.properties;
  content.machine = facts.machine;
  content.creator = facts.creator;
  content.description = facts.description;
  content.trace_id = facts.trace_id;

  return content;
}

}  // namespace tracefold::testing
