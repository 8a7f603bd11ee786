// What each location of an archive records, described without the archive's ids, so that rules can
// compare an archive with the one that it was reduced to.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/verify/operation_rules.hpp"
#include "pipeline/verify/record_rules.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

struct FilterSection;

struct Recorded {
  // Without calls that stand for iterations, and without metrics of members.
  std::array<std::uint64_t, event_kinds> kinds{};
  std::uint64_t records = 0;                                            // of all kinds
  std::map<std::array<std::uint64_t, 4>, std::int64_t> sent, received;  // from, to, tag, length
  std::uint64_t dangling = 0;  // ids that are not defined, ranks beyond their communicator
  // Counted over all calls, also those that only calling contexts tell.
  std::uint64_t visits = 0;
  std::vector<std::pair<FunctionIndex, std::uint64_t>> exclusive;  // ticks that are not 0
  std::shared_ptr<const std::vector<Function>> functions;          // that these are of
  // A hash of the location's type and of all its call pairs; 0 without calls.
  std::uint64_t work = 0;

  // In a reduced archive: the calls that stand for iterations, by time, and their regions.
  std::vector<Interval> stand_ins;
  std::vector<std::uint64_t> stand_in_regions;

  // Its records of metrics of members, and those of them that no reduction would write.
  std::uint64_t of_members = 0, wrong_of_members = 0;

  // What record_rules.hpp finds in a location of the original that is kept.
  std::vector<std::string> violations;
  std::set<MissingMessage> missing_messages;
  LocationParts operations;  // where some location has collapsed iterations
};

// The first original's id of each location of a reduced archive; empty of an original.
using Sources = std::unordered_map<std::uint64_t, std::uint64_t>;

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
                                         const Sources& sources, const StandInIds& stand_ins,
                                         const ReducedRecords* reduced, const ReadOptions& options,
                                         Diagnostics& diagnostics);

}  // namespace tracefold
