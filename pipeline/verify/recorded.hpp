// What each location of an archive records, in terms that are the same in an archive
// and in what it was reduced to.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "model/plan.hpp"
#include "otf2/otf2_archive.hpp"
#include "otf2/read_options.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Enter or Leave of a call that is no stand-in.
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
  // Of a location with collapsed iterations:
  std::vector<CallMark> marks;      // what stays of its calls
  std::vector<Interval> stand_ins;  // by time
  // Of a location of the original that such a one was made from:
  std::uint64_t lost = 0;  // calls that are gone, but not in a stand-in; and calls that are in the
                           // reduced trace only
};

// The first original's id of each location of a reduced archive; empty of an original.
using Sources = std::unordered_map<std::uint64_t, std::uint64_t>;

// By location. Of those named in `collapsed`, which is of the reduced archive, by source,
// calls are compared with what stayed. Memory: 16 bytes for each call of a location
// with collapsed iterations. Throws Error(input).
std::map<std::uint64_t, Recorded> record(const Archive& archive,
                                         const std::vector<FilterSection>& filters,
                                         const Sources& sources,
                                         const std::map<std::uint64_t, const Recorded*>& collapsed,
                                         const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
