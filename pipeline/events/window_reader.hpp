// Reads what a location recorded in a window of time, for what stands behind: CleanEvents and
// others.
//
// Records outside go, and so do records inside of operations that cross a border. Calls, and
// instrumented calls of calling contexts, that are open where the window begins are entered there,
// but for those that end right there; those that are open where it ends are left there. Times stay.
//
// Metrics have their last values before the window where it begins, in front of the calls, and
// increments of 0; where a window has several spans, those that were recorded between them. What a
// counter that accumulates grew by between spans is left out: its values go on from the last one
// inside. A counter tells what was counted up to its time: so a record of it right at the begin of
// a span is before that, and one right at its end inside.
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
  // The crossing records of the window are known.
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

  // What the members of a metric record.
  enum class MemberMode : std::uint8_t { level, accumulates, increment };
  struct MetricModes {
    std::vector<MemberMode> members;
    bool has_counters = false;  // any that are no levels
    bool has_values = false;    // any that are no increments
  };
  // Null where nothing defines the metric.
  const MetricModes* find_modes(std::uint64_t metric) const;

 private:
  TimeWindow window_;
  FunctionTable functions_;                               // all of them
  std::unordered_map<std::uint64_t, MetricModes> modes_;  // by metric class or instance
};

}  // namespace tracefold
