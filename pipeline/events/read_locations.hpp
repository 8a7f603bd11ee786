// How a pass reads locations: which ones, in parallel, and the clean events of each.
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

// The locations of some processes of a plan, in the order of `processes`, which are indexes
// into the plan's. Throws Error(input) where the trace does not have one of them.
std::vector<std::uint64_t> find_locations(const Archive& archive, const Plan& plan,
                                          std::span<const std::size_t> processes);

using LocationStep = FunctionRef<void(EventReader&, std::size_t)>;

// Calls `step(EventReader&, index into locations)` for each location, in batches of
// neighbours with one reader each: a thread has at most two event files open.
// The largest possible batch bounds the library's cost for each location, the
// smallest keeps all threads at work to the end.
void for_each_location(const Archive& archive, const std::vector<std::uint64_t>& locations,
                       const ReadOptions& options, Diagnostics& diagnostics, LocationStep step);

// The same for those of the locations that are this process's own, where a team reads them; all
// without one. Returns their indexes, by which base/team.hpp shares what was found.
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const Shares& shares, const ReadOptions& options,
                                               Diagnostics& diagnostics, LocationStep step);
// The same for what a member owns in all passes.
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const ReadOptions& options, Diagnostics& diagnostics,
                                               LocationStep step);

// What the reading of a location tells besides its events.
struct LocationRead {
  bool whole = true;             // false where the event file is damaged and a part is enough
  std::uint64_t records = 0;     // of all kinds, before anything is dropped
  std::uint64_t first_time = 0;  // ticks, 0 without records
  std::uint64_t last_time = 0;
  CallOddities oddities;
};

namespace detail {

// Passes all that comes between EventReader and `events`, which are CleanEvents or ContextCalls.
template <class Events>
LocationRead finish_reading(const EventReader& reader, bool whole, Events& events) {
  events.finish();
  return {whole, reader.records(), events.first_time(), events.last_time(), events.oddities()};
}

LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, CleanEventReceiver& receiver);
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        CleanEventReceiver& receiver);
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        SampleReceiver& receiver);

}  // namespace detail

// Hands the clean events of a location that the filters leave to the sink, as they are recorded:
// calls are Enter and Leave records. With a window, what is odd in the location is told by the
// result, and the sink gets none of it. Throws what EventReader and the sink do.
template <CleanEventSink Sink>
LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, Sink& sink) {
  if constexpr (HotSink<Sink>)
    if (!functions.window()) {
      CleanEvents<Sink> events(functions, sink);
      const bool whole = reader.read(location, events);
      return detail::finish_reading(reader, whole, events);
    }

  CallReceiverOf<Sink> receiver(sink);
  return detail::read_clean_events(reader, location, functions, receiver);
}

// The same with all calls that are known, also from calling contexts (context_calls.hpp).
template <CleanEventSink Sink>
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        Sink& sink) {
  if (functions.contexts().empty())
    return read_clean_events(reader, location, functions, sink);

  if constexpr (SampleSink<Sink>) {
    SampleReceiverOf<Sink> receiver(sink);
    return detail::read_calls(reader, location, functions, receiver);
  } else {
    CallReceiverOf<Sink> receiver(sink);
    return detail::read_calls(reader, location, functions, receiver);
  }
}

// Warns of what is odd about a location. Call it once for each location, in the pass that
// reads the trace first. `unknown_records` are of kinds that this version of OTF2 adds.
void warn_of_oddities(const Definitions& definitions, std::uint64_t location,
                      const LocationRead& read, std::uint64_t unknown_records,
                      Diagnostics& diagnostics);

}  // namespace tracefold
