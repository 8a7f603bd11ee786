// What each location of an archive records, in terms that are the same in an archive and in what
// it was reduced to, so that rules can compare them.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

// The Enter or the Leave of a call that does not stand for iterations.
struct CallMark {
  std::uint64_t time = 0;
  std::uint64_t hash = 0;  // of time, kind and function
};

struct Recorded {
  std::uint64_t calls = 14695981039346656037u;  // FNV-1a over the hashes of all calls
  std::array<std::uint64_t, event_kinds> kinds{};
  std::map<std::array<std::uint64_t, 4>, std::int64_t> sent, received;  // from, to, tag, length
  std::uint64_t dangling = 0;  // ids that are not defined, ranks beyond their communicator
  std::map<Function, std::uint64_t> exclusive;  // ticks

  // Filled only for a location of a reduced trace whose iterations are collapsed:
  std::vector<CallMark> marks;      // the calls that stay
  std::vector<Interval> stand_ins;  // the calls that stand for iterations, by time

  // Filled only for a location of the original that such a location was made from: calls that are
  // missing in the reduced trace outside of collapsed iterations, and calls that only it has.
  std::uint64_t lost = 0;
};

// The first original's id of each location of a reduced archive; empty of an original.
using Sources = std::unordered_map<std::uint64_t, std::uint64_t>;

// Reads all locations, in parallel; the result is by location. `collapsed` holds what locations of
// the reduced archive with collapsed iterations record, by source: the calls of the source are
// compared with it. Memory: 16 bytes for each call of a location with collapsed iterations. Throws
// Error(input).
std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const Sources& sources,
                                         const std::map<std::uint64_t, const Recorded*>& collapsed,
                                         const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
