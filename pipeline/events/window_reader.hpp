// Reads what a location recorded in a window of time, for what stands behind: CleanEvents and
// others.
//
// Records outside go, and so do records inside of operations that cross a border. Calls, and
// instrumented calls of calling contexts, that are open where the window begins are entered there,
// but for those that end right there; those that are open where it ends are left there. Metrics
// that do not record increments have their last value before the window where it begins. Times
// stay.
//
// Immutable once made; any thread may ask. Source: DESIGN's rule 14 of rewriting.
#pragma once

#include "model/time_window.hpp"
#include "otf2/event_receiver.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/function_table.hpp"

#include <cstdint>
#include <span>
#include <unordered_set>

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
  bool has_increments(std::uint64_t metric) const { return increments_.contains(metric); }

 private:
  TimeWindow window_;
  FunctionTable functions_;                       // all of them
  std::unordered_set<std::uint64_t> increments_;  // metrics that record any
};

}  // namespace tracefold
