#include "pipeline/events/read_locations.hpp"

#include "base/for_each_index.hpp"
#include "model/plan.hpp"
#include "pipeline/events/stream_calls.hpp"
#include "pipeline/events/window_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace tracefold {

namespace {

// Passes the records of a location, as far as the filters keep them, to `events`.
template <EventSink Events>
LocationRead read_records(EventReader& reader, std::uint64_t location,
                          const FunctionTable& functions, Events& events) {
  if (!functions.window()) {
    const bool whole = reader.read(location, events);
    return detail::finish_reading(reader, whole, events);
  }

  SinkReceiver receiver(events);
  const auto read = functions.window()->read(reader, location, receiver);
  auto out = detail::finish_reading(reader, read.whole, events);
  out.oddities = read.oddities;
  return out;
}

}  // namespace

std::vector<std::uint64_t> find_locations(const Archive& archive, const Plan& plan,
                                          std::span<const std::size_t> processes) {
  std::vector<std::uint64_t> locations;
  locations.reserve(processes.size());

  for (auto p : processes) {
    const auto id = plan.processes[p].id;
    if (!archive.definitions().find(Ref::location, id))
      throw Error(ErrorKind::input,
                  fmt::format("the plan names process {}, which the trace does not have", id))
          .in(plan.trace.anchor);
    locations.push_back(id);
  }

  return locations;
}

void for_each_location(const Archive& archive, const std::vector<std::uint64_t>& locations,
                       const ReadOptions& options, Diagnostics& diagnostics, LocationStep step) {
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

std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const Shares& shares, const ReadOptions& options,
                                               Diagnostics& diagnostics, LocationStep step) {
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

std::vector<std::size_t> for_each_own_location(const Archive& archive,
                                               const std::vector<std::uint64_t>& locations,
                                               const ReadOptions& options, Diagnostics& diagnostics,
                                               LocationStep step) {
  return for_each_own_location(archive, locations, Shares(archive.definitions(), options.team),
                               options, diagnostics, step);
}

namespace detail {

LocationRead read_clean_events(EventReader& reader, std::uint64_t location,
                               const FunctionTable& functions, CleanEventReceiver& receiver) {
  CleanEvents<CleanEventReceiver> events(functions, receiver);
  return read_records(reader, location, functions, events);
}

LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        CleanEventReceiver& receiver) {
  ContextCalls<CleanEventReceiver> calls(functions, receiver);
  return read_records(reader, location, functions, calls);
}

LocationRead read_calls(EventReader& reader, std::uint64_t location, const FunctionTable& functions,
                        SampleReceiver& receiver) {
  ContextCalls<SampleReceiver> calls(functions, receiver);
  return read_records(reader, location, functions, calls);
}

LocationRead read_stream(EventReader& reader, std::uint64_t location,
                         const FunctionTable& functions, CleanEventReceiver& receiver) {
  StreamCalls<CleanEventReceiver> calls(functions, receiver);
  return read_records(reader, location, functions, calls);
}

}  // namespace detail

void warn_of_oddities(const Definitions& definitions, std::uint64_t location,
                      const LocationRead& read, std::uint64_t unknown_records,
                      Diagnostics& diagnostics) {
  read.oddities.warn(diagnostics, location);

  const auto where = fmt::format("location {}", location);
  const auto& definition = *definitions.find(Ref::location, location);
  if (read.whole &&
      read.records != get_field<"numberOfEvents", DefinitionKind::Location>(definition))
    diagnostics.warn("the definitions declare another number of events than there are", where);

  if (unknown_records)
    diagnostics.warn("records of kinds that this version of OTF2 does not know are left out", where,
                     unknown_records);
}

}  // namespace tracefold
