// An archive that holds every kind of event and every kind of definition.
//
// Two MPI processes of two threads each, a stream and a metric location of
// each. Ids have gaps, so that a copy has to renumber them. One thread.
#pragma once

#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "otf2/wire.hpp"
#include "tests/support/test_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::testing {

struct TraceContent {
  std::vector<Definition> definitions;
  std::map<std::uint64_t, std::vector<Event>> events;  // by location
  std::vector<MarkerKind> marker_kinds;
  std::vector<Marker> markers;
  std::map<std::string, std::string> properties;
  std::string machine = "cluster", creator = "every_record";
  std::string description = "one record of each kind";
  std::optional<std::uint64_t> trace_id;  // none: random
};

// Locations of every_record(): master and other thread of each process.
inline constexpr std::uint64_t master_0 = 10, thread_0 = 11, master_1 = 20, thread_1 = 21;
inline constexpr std::uint64_t stream_0 = 0x100000005, stream_1 = 0x100000009, metric_0 = 70,
                               metric_1 = 71;

TraceContent every_record();

// Writes FOLDER/traces.otf2 by ArchiveWriter and returns the number of events.
// `chunk_size` in bytes, of event files.
std::uint64_t write_archive(const TraceContent& content, const std::filesystem::path& folder,
                            std::uint64_t chunk_size = wire::smallest_chunk);

}  // namespace tracefold::testing
