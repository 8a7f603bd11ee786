// Lists of locations as people type them: ids, ranks in MPI and groups of a plan, as in "0-6:2,9",
// "rank:0-7" or "group:3". Pure and thread-safe.
//
// Parts are separated by commas; each is an id or a range as in base/ranges.hpp. A prefix says what
// the numbers of this part, and of the following parts without a prefix, are: "4,rank:0-3,7" is
// location 4 and ranks 0 to 3 and 7. Without a prefix they are location ids, as with "location:". A
// rank means all locations of its process, and those of the accelerators that the process created;
// a group means all of its members.
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

// Throws Error(usage) that names the wrong part.
LocationList parse_location_list(std::string_view text);

// A location that a list may refer to.
struct ListedLocation {
  std::uint64_t id = 0;
  std::optional<std::uint64_t> rank = {}, group = {};
};

// Whether the list may refer to groups.
enum class KnownGroups : std::uint8_t { no, yes };

// The location ids that a list refers to, ascending. Ids are returned even if no such location
// exists. Throws Error(usage) that names ranks or groups that do not exist.
std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<ListedLocation>& all, KnownGroups groups);

// For the processes of a trace, without groups.
std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<Process>& processes);
// For the processes and groups of a plan.
std::vector<std::uint64_t> find_listed(const LocationList& list, const Plan& plan);

}  // namespace tracefold
