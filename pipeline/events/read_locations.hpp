// Reads the locations of a pass in parallel, as clean events.
#pragma once

#include "base/for_each_index.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/context_calls.hpp"
#include "pipeline/events/shares.hpp"
#include "pipeline/events/window_reader.hpp"

#include <algorithm>
#include <atomic>
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

// Calls step(EventReader&, index into locations) for each location, in batches of neighbours with
// one reader each, so that a thread has at most two open event files. Large batches reduce the
// library's cost for each location; small ones keep all threads busy until the end.
template <class Step>
void for_each_location(const Archive& archive, const std::vector<std::uint64_t>& locations,
                       const ReadOptions& options, Diagnostics& diagnostics, Step&& step) {
  const std::size_t batch = std::clamp<std::size_t>(locations.size() / 32, 1, 64);
  std::atomic<std::size_t> done{0};
  if (options.progress)
    options.progress(0, locations.size());

  for_each_index((locations.size() + batch - 1) / batch, [&](std::size_t b) {
    const auto first = b * batch;
    const auto last = std::min(locations.size(), first + batch);
    EventReader reader(archive, std::span(locations).subspan(first, last - first), options,
                       diagnostics);

    for (auto i = first; i < last; ++i) {
      check_stop();
      step(reader, i);
      if (options.progress)
        options.progress(++done, locations.size());
    }
  });
}

// The same for the locations that this member of a team reads; all without a team. Returns their
// indexes, with which base/team.hpp shares the results.
template <class Step>
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const Shares& shares, const ReadOptions& options,
                                               Diagnostics& diagnostics, Step&& step) {
  if (!options.team) {
    for_each_location(archive, locations, options, diagnostics, step);
    return {};
  }

  auto own = shares.list_own(locations);
  std::vector<std::uint64_t> ids;
  ids.reserve(own.size());
  for (auto i : own)
    ids.push_back(locations[i]);
  for_each_location(archive, ids, options, diagnostics,
                    [&](EventReader& reader, std::size_t k) { step(reader, own[k]); });
  return own;
}
// The same with the shares that are equal in all passes.
template <class Step>
std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const ReadOptions& options, Diagnostics& diagnostics,
                                               Step&& step) {
  return for_each_own_location(archive, locations, Shares(archive.definitions(), options.team),
                               options, diagnostics, step);
}

// The result of reading a location, besides its events.
struct LocationRead {
  bool whole = true;             // false if the event file is damaged and a part is enough
  std::uint64_t records = 0;     // of all kinds, before any are dropped
  std::uint64_t first_time = 0;  // ticks, 0 without records
  std::uint64_t last_time = 0;
  CallOddities oddities;
};

// Passes the records of a location that the filters keep to the sink. With a window, irregularities
// of the location are in `oddities`, and the sink gets none of them.
template <EventSink Sink>
bool read_records(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                  Sink& sink, CallOddities& oddities) {
  if (!functions.window())
    return reader.read(location, sink);

  SinkReceiver receiver(sink);
  const auto read = functions.window()->read(reader, location, receiver);
  oddities = read.oddities;
  return read.whole;
}

// Passes the clean events of a location to the sink as they are recorded: calls are Enter and Leave
// records. Throws what EventReader and the sink throw.
template <CleanEventSink Sink>
LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, Sink& sink) {
  CleanEvents<Sink> events(functions, sink);
  CallOddities oddities;
  const bool whole = read_records(reader, location, functions, events, oddities);
  events.finish();
  if (!functions.window())
    oddities = events.oddities();

  return {whole, reader.records(), events.first_time(), events.last_time(), oddities};
}

// The same with all known calls, also those from calling contexts (context_calls.hpp).
template <CleanEventSink Sink>
LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        Sink& sink) {
  if (functions.contexts().empty())
    return read_clean_events(reader, location, functions, sink);

  ContextCalls<Sink> calls(functions, sink);
  CallOddities oddities;
  const bool whole = read_records(reader, location, functions, calls, oddities);
  calls.finish();
  if (!functions.window())
    oddities = calls.oddities();

  return {whole, reader.records(), calls.first_time(), calls.last_time(), oddities};
}

// Warns of irregularities of a location. Call it once for each location, in the pass that reads the
// trace first. `unknown_records` are those of kinds that later versions of OTF2 add.
void warn_of_oddities(const Definitions& definitions, std::uint64_t location,
                      const LocationRead& read, std::uint64_t unknown_records,
                      Diagnostics& diagnostics);

}  // namespace tracefold
