// Lists of locations as people type them: ids, ranks in MPI and groups of a plan, as in "0-6:2,9",
// "rank:0-7" or "group:3". Pure and thread-safe.
//
// Parts stand between commas, each an id or a range of base/ranges.hpp. A word before a part says
// what its numbers are, and what those of the next parts are as far as these have no word:
// "4,rank:0-3,7" is location 4 and the ranks 0 to 3 and 7. Without a word they are location ids,
// which "location:" says as well. A rank means all locations of its process, and of the
// accelerators that this created; a group means all of its members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tracefold {

struct Plan;
struct Process;

struct LocationList {
  std::vector<std::uint64_t> locations, ranks, groups;  // ascending

  bool empty() const { return locations.empty() && ranks.empty() && groups.empty(); }
  bool operator==(const LocationList&) const = default;
};

// Throws Error(usage) that names the part that is wrong.
LocationList parse_location_list(std::string_view text);

// A location that a list may mean.
struct ListedLocation {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> rank = {}, group = {};
};

// Whether there are groups where a list is read.
enum class KnownGroups : std::uint8_t { no, yes };

// The ids of the locations that a list means among all that there are, ascending. Ids are as the
// list has them, also where there is no such location. Throws Error(usage) that names the ranks or
// groups that none has.
std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<ListedLocation>& all, KnownGroups groups);

// The processes of a trace, without groups.
std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<Process>& processes);
// The processes of a plan, and its groups where it has some.
std::vector<std::uint64_t> find_listed(const LocationList& list, const Plan& plan);

}  // namespace tracefold
