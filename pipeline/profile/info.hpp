// What a trace holds, in numbers. Locations in the halo are no processes: how many there are, and
// their records, are counted apart.
#pragma once

#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/program/stored_program.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tracefold {

struct TraceInfo {
  std::string creator;
  std::string machine;
  // Where tracefold wrote the trace: its version, how many locations of the original the locations
  // stand for, and how many of them stand for none: they are the other end of messages.
  std::optional<std::string> written_by;
  std::uint64_t represented = 0, halo = 0;
  bool is_expanded = false;                          // not reduced: it was made up again
  std::shared_ptr<const StoredProgram> profiles;     // of all processes; null: not known
  std::map<std::uint64_t, std::uint64_t> locations;  // how many, by OTF2_LocationType
  std::uint64_t regions = 0;
  std::uint64_t functions = 0;
  std::uint64_t communicators = 0;
  std::array<std::uint64_t, event_kinds> records{};
  std::uint64_t unknown_records = 0;
  std::uint64_t events = 0;
  // The same of the locations in the halo; of unknown kinds only in the sum.
  std::array<std::uint64_t, event_kinds> halo_records{};
  std::uint64_t halo_events = 0;
  std::uint64_t first_time = 0;  // ticks
  std::uint64_t last_time = 0;
  std::uint64_t ticks_per_second = 0;
  std::uint64_t bytes = 0;  // of all files of the archive, and of the plan beside a reduced one
};

// Bytes of the plan beside a trace, with its other files; 0 where there is none.
std::uint64_t measure_files_beside(const Archive& archive);

// Reads all events. Throws Error(input).
TraceInfo read_info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
