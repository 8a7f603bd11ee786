// A program that does in each of its iterations all that every_record() records.
#pragma once

#include "tests/support/every_record.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tracefold::testing {

inline constexpr const char* repeated_region = "time step";  // one call is one iteration
inline constexpr std::uint64_t iterations = 6;

inline std::uint64_t unused_id(const TraceContent& content, DefinitionKind kind) {
  std::uint64_t id = 0;
  for (const auto& d : content.definitions)
    if (d.kind == kind)
      id = std::max(id, d.id() + 1);
  return id;
}

// All that every_record() records, once in each iteration: a call of the region "time step".
inline TraceContent repeat_every_record() {
  auto content = every_record();
  Definition name, step;
  name.kind = DefinitionKind::String;
  name.fields[0] = unused_id(content, DefinitionKind::String);
  name.text = repeated_region;
  step.kind = DefinitionKind::Region;

  step.fields = {unused_id(content, DefinitionKind::Region),
                 name.id(),
                 name.id(),
                 name.id(),
                 0,
                 0,
                 0,
                 name.id()};

  content.definitions.push_back(name);
  content.definitions.push_back(step);
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const auto& [location, events] : content.events)
    for (const auto& e : events)
      first = std::min(first, e.time), last = std::max(last, e.time);

  const auto period = last - first + 10;

  for (auto& [location, events] : content.events) {
    const auto once = std::exchange(events, {});
    const bool calls = std::any_of(once.begin(), once.end(),
                                   [](const auto& e) { return e.kind == EventKind::Enter; });

    for (std::uint64_t i = 0; i < iterations; ++i) {
      Event border;
      border.kind = EventKind::Enter;
      border.fields[0] = step.id();
      border.time = first + i * period;
      if (calls)
        events.push_back(border);
      for (auto e : once) {
        e.time += i * period + 1;
        if (e.kind == EventKind::BufferFlush)
          get_field<"stopTime", EventKind::BufferFlush>(e) = e.time;
        events.push_back(std::move(e));
      }

      border.kind = EventKind::Leave;
      border.time = first + i * period + (last - first) + 2;
      if (calls)
        events.push_back(border);
    }
  }

  for (auto& d : content.definitions) {
    if (d.kind == DefinitionKind::Location)
      d.fields[3] = content.events[d.id()].size();
    if (d.kind == DefinitionKind::ClockProperties)
      d.fields[2] = iterations * period;
  }

  return content;
}

}  // namespace tracefold::testing
