// Reads the locations of a pass in parallel, as clean events.
#pragma once

#include "base/function_ref.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/clean_event_receiver.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/shares.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

struct Plan;

// The locations of some processes, given as indexes of the plan, in their order. Throws
// Error(input) if the trace lacks one of them.
std::vector<std::uint64_t> find_locations(const Archive& archive, const Plan& plan,
                                          std::span<const std::size_t> processes);

using LocationStep = FunctionRef<void(EventReader&, std::size_t)>;

// Calls step(EventReader&, index into locations) for each location, in batches of neighbours with
// one reader each, so that a thread has at most two open event files. Large batches reduce the
// library's cost for each location; small ones keep all threads busy until the end.
void for_each_location(const Archive& archive, const std::vector<std::uint64_t>& locations,
                       const ReadOptions& options, Diagnostics& diagnostics, LocationStep step);

// The same for the locations that this member of a team reads; all without a team. Returns their
// indexes, with which base/team.hpp shares the results.
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const Shares& shares, const ReadOptions& options,
                                               Diagnostics& diagnostics, LocationStep step);
// The same with the shares that are equal in all passes.
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const ReadOptions& options, Diagnostics& diagnostics,
                                               LocationStep step);

// The result of reading a location, besides its events.
struct LocationRead {
  bool whole = true;             // false if the event file is damaged and a part is enough
  std::uint64_t records = 0;     // of all kinds, before any are dropped
  std::uint64_t first_time = 0;  // ticks, 0 without records
  std::uint64_t last_time = 0;
  CallOddities oddities = {};
  SetAsideTimes set_aside = {};

  std::uint64_t count_recording_off() const {  // ticks
    return set_aside.off.count_inside({first_time, last_time});
  }
};

namespace detail {

// The result of a location whose records were all passed to `events`: CleanEvents or ContextCalls.
template <class Events>
LocationRead finish_reading(const EventReader& reader, bool whole, Events& events) {
  events.finish();
  return {whole,
          reader.records(),
          events.first_time(),
          events.last_time(),
          events.oddities(),
          events.set_aside()};
}

LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, CleanEventReceiver& receiver);
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        CleanEventReceiver& receiver);
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        SampleReceiver& receiver);
LocationRead read_stream(EventReader& reader, std::uint64_t location,
                         const FunctionTable& functions, CleanEventReceiver& receiver);

}  // namespace detail

// A sink that needs calls in the order of their records, also those of accelerators, says so by
//
//   static constexpr bool keeps_order = true;
template <class Sink>
concept OrderedSink = requires {
  requires Sink::keeps_order;
};

// Passes the clean events of a location, as far as the filters keep them, to the sink. Calls are
// Enter and Leave records, as recorded. With a window, irregularities of the location are only in
// the result. Throws what EventReader and the sink throw.
template <CleanEventSink Sink>
LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, Sink& sink) {
  if constexpr (HotSink<Sink>)
    if (!functions.window()) {
      CleanEvents<Sink> events(functions, sink);
      const bool whole = reader.read(location, events);
      return detail::finish_reading(reader, whole, events);
    }

  CleanSinkReceiver<Sink> receiver(sink);
  return detail::read_clean_events(reader, location, functions, receiver);
}

// The same with all known calls, also those from calling contexts (context_calls.hpp), and with
// calls of accelerators one after the other (stream_calls.hpp) if the sink does not keep order.
template <CleanEventSink Sink>
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        Sink& sink) {
  if (functions.contexts().empty()) {
    if constexpr (!OrderedSink<Sink>)
      if (functions.is_stream(location)) {
        CleanSinkReceiver<Sink> receiver(sink);
        return detail::read_stream(reader, location, functions, receiver);
      }
    return read_clean_events(reader, location, functions, sink);
  }

  if constexpr (SampleSink<Sink>) {
    SampleSinkReceiver<Sink> receiver(sink);
    return detail::read_calls(reader, location, functions, receiver);
  } else {
    CleanSinkReceiver<Sink> receiver(sink);
    return detail::read_calls(reader, location, functions, receiver);
  }
}

// Warns of irregularities of a location. Call it once for each location, in the pass that reads the
// trace first. `unknown_records` are those of kinds that later versions of OTF2 add.
void warn_of_oddities(const Definitions& definitions, std::uint64_t location,
                      const LocationRead& read, std::uint64_t unknown_records,
                      Diagnostics& diagnostics);

}  // namespace tracefold
