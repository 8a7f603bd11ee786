// Reads what a location recorded in a window of time, for CleanEvents and others.
//
// Records outside are left out, and so are records inside of operations that cross a border. Calls
// (also instrumented ones of calling contexts) that are open at the begin of the window are entered
// there, unless they end right there; those that are open at its end are left there. Times do not
// change.
//
// At the begin of a window, before the calls, metrics get their last values, and increments are 0;
// at later spans of a window, they get the values that were recorded in between. The growth of an
// accumulating counter between spans is left out: its values continue from the last one inside.
// Since a counter's value covers the time before it, a record exactly at the begin of a span is
// before the span, and one at its end is inside.
//
// Immutable once made; any thread may ask. Source: docs/design.md, the rule "window in time".
#pragma once

#include "model/time_window.hpp"
#include "otf2/event_receiver.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/function_table.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

class EventReader;

class WindowReader {
 public:
  // The window must have its crossing records.
  WindowReader(const Definitions& definitions, TimeWindow window);

  struct Read {
    bool whole = true;  // as EventReader::read says
    CallOddities oddities;
  };
  // Throws what EventReader and the receiver do.
  Read read(EventReader& reader, std::uint64_t location, EventReceiver& receiver) const;

  const TimeWindow& window() const { return window_; }
  const FunctionTable& functions() const { return functions_; }
  std::span<const CrossingRecord> find_crossing(std::uint64_t location) const;

  // The kinds of values that members of a metric record.
  enum class MemberMode : std::uint8_t { level, accumulates, increment };
  struct MetricModes {
    std::vector<MemberMode> members;
    bool has_counters = false;  // any but levels
    bool has_values = false;    // any but increments
  };
  // Null for an undefined metric.
  const MetricModes* find_modes(std::uint64_t metric) const;

 private:
  TimeWindow window_;
  FunctionTable functions_;                               // all of them
  std::unordered_map<std::uint64_t, MetricModes> modes_;  // by metric class or instance
};

}  // namespace tracefold
