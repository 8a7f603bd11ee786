// info: what a trace holds.
#pragma once

#include "pipeline/profile/profile_pass.hpp"

#include <array>
#include <map>
#include <string>

namespace tracefold {

struct TraceInfo {
  std::string creator, machine;
  std::map<std::uint64_t, std::uint64_t> locations;  // OTF2_LocationType to number
  std::uint64_t regions = 0, functions = 0, communicators = 0;
  std::array<std::uint64_t, event_kinds> records{};
  std::uint64_t unknown_records = 0, events = 0;
  std::uint64_t first_time = 0, last_time = 0;  // ticks
  std::uint64_t ticks_per_second = 0;
  std::uint64_t bytes = 0;
};

// Reads all events. Throws Error(input).
TraceInfo info(const Archive& archive, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
