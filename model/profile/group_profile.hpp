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
};

// What a row is, seen from the function that it is listed with.
enum class Relation { self, caller, callee };

struct ProfileRow {
  PathIndex path = no_path;               // only where rows are call paths
  FunctionIndex function = virtual_root;  // the virtual root is the caller of what nobody calls
  Relation relation = Relation::self;
  FunctionIndex subject = virtual_root;  // whose caller or callee `function` is
  Spread visits, inclusive, exclusive;
  double variation = 0;  // of the exclusive time: 98 % less 2 %, over the mean

  // Exclusive time × variation for each process of the group: the mean cancels, and 98 % less 2 %
  // is left. Ticks.
  std::uint64_t exclusive_width() const { return exclusive.at.back() - exclusive.at.front(); }
};

struct GroupProfile {
  std::size_t group = 0;
  std::uint64_t processes = 0;   // with those that kept ones stand for
  std::vector<ProfileRow> rows;  // those that any process of the group has
  std::size_t left_out = 0;      // rows that were too many
};

struct ProfileReport {
  enum class View { functions, call_paths, neighbours };
  View view = View::functions;
  std::vector<CallPath> paths;  // the tree of call paths, where rows are such
  std::vector<GroupProfile> groups;
};

}  // namespace tracefold
