// The profile of a group of processes: how the visits and times of each function, call path
// or call pair are spread over the processes. Plain data. Times are ticks of the trace's
// clock.
//
// Source: thesis 4.4.2: "the second, 25th, 50th, 75th and 98th percentile, plus
// optionally outliers", as in box plots (McGill, Tukey, Larsen 1978).
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::array<unsigned, 5> shown_percentiles{2, 25, 50, 75, 98};

// One quantity over the processes of a group. A process that stands for others
// counts as often; one that has none of it counts with 0.
struct Spread {
  std::array<std::uint64_t, shown_percentiles.size()> at{};  // nearest rank
  double total = 0;                                          // over all processes
  // Processes further outside the box (25 % to 75 %) than 1.5 times its height.
  std::uint64_t outliers = 0;
  // At most 8 of them, as indexes of processes; the furthest first.
  std::vector<std::size_t> furthest;
  std::vector<std::uint64_t> furthest_values = {};  // of each of these
};

enum class Quantity { exclusive, inclusive, visits };

// The processes of each quarter of a row, as indexes that ascend: those up to the 25 % percentile,
// from there up to 50 %, up to 75 %, and above. Equal values are in one quarter.
using Quarters = std::array<std::vector<std::size_t>, 4>;

// What a row is, seen from the function that it is listed with.
enum class Relation { self, caller, callee };

struct ProfileRow {
  PathIndex path = no_path;  // only where rows are call paths
  // The virtual root is the caller of what nobody calls. Where rows are groups of functions, the
  // index of the group.
  FunctionIndex function = virtual_root;
  Relation relation = Relation::self;
  FunctionIndex subject = virtual_root;  // whose caller or callee `function` is
  Spread visits, inclusive, exclusive;
  double variation = 0;               // of the exclusive time: 98 % less 2 %, over the mean
  std::vector<Spread> counters = {};  // without callees, in steps; as ProfileReport::counters
  std::optional<Quarters> quarters = {};

  // Exclusive time × variation for each process of the group: the mean cancels, and 98 % less 2 %
  // is left. Ticks.
  std::uint64_t exclusive_width() const { return exclusive.at.back() - exclusive.at.front(); }
};

inline constexpr std::size_t all_groups = static_cast<std::size_t>(-1);

struct GroupProfile {
  std::size_t group = 0;         // or all_groups: the processes of all groups together
  std::uint64_t processes = 0;   // with those that kept ones stand for
  std::vector<ProfileRow> rows;  // those that any process of the group has
  std::size_t left_out = 0;      // rows that were too many
  double time = 0;               // of all calls of its processes, in ticks
};

// A metric that the trace records.
struct RecordedCounter {
  std::string name;
  std::uint64_t steps_per_unit = 1;
  std::string unit;  // empty: not known
};

struct ProfileReport {
  enum class View { functions, call_paths, neighbours, function_groups };
  View view = View::functions;
  std::vector<CallPath> paths;  // the tree of call paths, where rows are such
  std::vector<GroupProfile> groups;
  std::optional<GroupProfile> all = {};  // of several groups; none where one is asked for
  std::vector<RecordedCounter> counters = {};
  std::vector<std::string> function_groups = {};  // their names, where rows are such
  std::optional<Quantity> quarters_of = {};       // by what processes are in quarters
};

}  // namespace tracefold
