// What each location of an archive records, described without the archive's ids, so that rules can
// compare an archive with the one that it was reduced to.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "tests/pipeline/verify/rules/operation_rules.hpp"
#include "tests/pipeline/verify/rules/record_rules.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tracefold {

struct FilterSection;

struct Recorded {
  // Without calls that stand for iterations, and without metrics of members.
  std::array<std::uint64_t, event_kinds> kinds{};
  std::uint64_t records = 0;  // of all kinds

  // In a reduced archive: the calls that stand for iterations, by time, and their regions.
  std::vector<Interval> stand_ins;
  std::vector<std::uint64_t> stand_in_regions;

  // What record_rules.hpp finds in a location of the original that is kept.
  std::vector<std::string> violations;
  std::set<MissingMessage> missing_messages;
  LocationParts operations;  // where some location has collapsed iterations
};

// What the locations of an original are compared with.
struct ReducedLocation {
  std::uint64_t id = 0;
  const Recorded* recorded = nullptr;
  bool is_halo = false;
};

struct ReducedRecords {
  const Archive& archive;
  const RecordRulesContext& context;
  std::map<std::uint64_t, ReducedLocation> by_source;
};

// Reads all locations, also those of an earlier halo, in parallel; the result is by location.
// `stand_ins` are those of a reduced archive. With `reduced` the kept locations are compared with
// it. Throws Error(input).
std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const StandInIds& stand_ins, const ReducedRecords* reduced,
                                         const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
