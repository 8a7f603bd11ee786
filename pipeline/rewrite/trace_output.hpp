// What a rewrite writes to, as C++20 concepts. OTF2 is one output (otf2_output.hpp); other trace
// formats can be others.
//
// begin() gets the size of the largest record. Each location then has its own LocationOutput: any
// number at once, each used by one thread. When all are closed, one thread writes the metadata. Ids
// and times are those of the new trace. Failures of the system are thrown as Error(output).
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "base/packed_values.hpp"
#include "model/plan_files.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "otf2/read_options.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Records that were written for one location.
struct WrittenLocation {
  std::uint64_t id = 0;
  std::uint64_t records = 0;
  std::array<std::uint64_t, event_kinds> others{};  // by kind, without Enter and Leave
};

auto list_members(Like<WrittenLocation> auto& location) {
  return std::tie(location.id, location.records, location.others);
}

// What a trace holds besides the events of its locations.
struct TraceMetadata {
  std::string machine, creator, description;
  std::uint64_t trace_id = 0;           // equal for equal trace and plan
  std::vector<Definition> definitions;  // each refers only to earlier ones
  std::vector<MarkerKind> marker_kinds;
  std::vector<Marker> markers;                                  // by time
  std::vector<std::pair<std::string, std::string>> properties;  // names and values
  PlanFiles plan;  // explains the trace; empty if it was made without one
};

// Takes the events of one location in order of time. `close` ends the location and returns its
// number of records.
template <class Output>
concept LocationOutput = requires(Output& output, std::uint64_t time, std::uint64_t region,
                                  std::span<const Attribute> attributes, const Event& event) {
  output.enter(time, region, attributes);
  output.leave(time, region, attributes);
  output.write(event);  // any kind but Enter and Leave
  { output.close() } -> std::same_as<std::uint64_t>;
};

// `begin` gets the encoded_size() of the largest record, in bytes. A second call discards what was
// written so far. `check_metadata` and `check_events` read what was written, and throw
// Error(output) if it is wrong.
template <class Output>
concept TraceOutput = requires(Output& output, std::size_t largest_record, std::uint64_t location,
                               const TraceMetadata& metadata,
                               const std::vector<WrittenLocation>& written,
                               const ReadOptions& options) {
  output.begin(largest_record);
  { output.open_location(location) } -> LocationOutput;
  output.write(metadata);
  output.check_metadata(metadata);
  output.check_events(written, options);
};

}  // namespace tracefold
