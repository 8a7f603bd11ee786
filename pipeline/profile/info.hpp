// What a trace has, in numbers. Halo locations are not processes; they and their records are
// counted separately.
#pragma once

#include "pipeline/facts/stored_program.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace tracefold {

struct TraceInfo {
  std::string creator;
  std::string machine;
  // If tracefold wrote the trace: its version, the number of locations of the original that the
  // locations stand for, and the number of halo locations.
  std::optional<std::string> written_by;
  std::uint64_t represented = 0, halo = 0;
  bool is_expanded = false;                          // expanded from a reduced trace
  std::shared_ptr<const StoredProgram> profiles;     // of all processes; null: not known
  std::map<std::uint64_t, std::uint64_t> locations;  // number by OTF2_LocationType
  std::uint64_t ranks = 0;                           // in MPI
  std::uint64_t nodes = 0;                           // that these run on; 0: not known
  std::optional<std::uint64_t> date;  // when recording began, in seconds since 1970, UTC
  std::uint64_t regions = 0;
  std::uint64_t functions = 0;
  std::uint64_t communicators = 0;
  std::array<std::uint64_t, event_kinds> records{};
  std::uint64_t unknown_records = 0;
  std::uint64_t events = 0;
  // The same for halo locations. Unknown kinds are only in the sum.
  std::array<std::uint64_t, event_kinds> halo_records{};
  std::uint64_t halo_events = 0;
  // Ticks from the first to the last record, of the original where its profiles are known; and in
  // which recording is off.
  std::uint64_t run_ticks = 0;
  double recording_off = 0;
  std::uint64_t ticks_per_second = 0;
  std::uint64_t bytes = 0;  // of all files of the archive, and those beside a reduced one
};

// Bytes of the plan beside a trace and of its other files; 0 if there is none.
std::uint64_t measure_files_beside(const Archive& archive);

// Reads all events. Throws Error(input).
TraceInfo read_info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
