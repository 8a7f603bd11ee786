// Puts archives together to one: a run of which each process has written an archive of its own.
//
// All ids are of one space then. What several archives define alike is one: functions, counters,
// hosts, attributes. Where one archive defines the same twice, as two communicators of one name and
// the same processes, the first is the first of all archives, and so on. Locations and location
// groups stay apart, archive after archive; so do handles of files.
//
// Each paradigm has one list of locations that ranks mean. Where archives have the same list, each
// with some of its locations, that is a list over all archives; a communicator that they define
// alike is one, and so messages find their partners in other archives. What such a list names and
// no archive has stays without a location. Where lists differ, each names locations of its own
// archive alone.
//
// Files of events stay where they are: their ids and times are changed while they are read.
// Thread-safe, since it only reads.
#pragma once

#include "otf2/archive.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ArchiveInRun {
  std::shared_ptr<const Archive> archive;
  TracePart name;  // without its identity
};

// The property of an archive whose communicators join processes with clocks that are not in step.
inline constexpr const char* loose_clocks_property = "TRACEFOLD::LOOSE_CLOCKS";

struct MergedArchive {
  std::shared_ptr<const Archive> archive;
  // Communicators with processes that are in none of the archives.
  std::uint64_t incomplete_communicators = 0;
};

// The archives are in the order of their ranks, one at least, and named from `folder`. None was put
// together itself; either all say how long their ticks are, or none does. Throws Error(input) where
// the files of one are packed or compressed.
MergedArchive merge_archives(const std::vector<ArchiveInRun>& archives, const std::string& folder,
                             std::uint64_t ticks_per_second);

// What ClockProperties say.
struct ClockFacts {
  std::uint64_t ticks_per_second = 0;   // not known
  std::uint64_t begin = 0, length = 0;  // ticks
  std::optional<std::uint64_t> wall;    // nanoseconds since 1970, at `begin`
};
ClockFacts read_clock_facts(const Definitions& definitions);

// Whether lists of locations that MPI's ranks mean are those of one run: the same in all archives
// that have one, each of which has some of its locations, and none has one of another.
bool share_ranks(const std::vector<const Definitions*>& archives, std::uint64_t paradigm);

}  // namespace tracefold
