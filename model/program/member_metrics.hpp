// The metrics of members in a reduced trace: in each iteration, how long the processes that a kept
// one stands for computed and waited. They do not describe the process that records them.
//
// Source: docs/design.md, the rule "metrics of members".
#pragma once

#include "base/packed_values.hpp"
#include "otf2/definitions.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace tracefold {

inline constexpr std::string_view member_metric_begin = "members: ";

// The members of the metric class, in order. Only the first three where waiting is not known.
inline constexpr std::array<std::string_view, 6> member_metric_names{
    "members: computation min", "members: computation mean", "members: computation max",
    "members: waiting min",     "members: waiting mean",     "members: waiting max"};

// In seconds, over the members that have this iteration.
struct TimeSpread {
  double minimum = 0, mean = 0, maximum = 0;

  bool operator==(const TimeSpread&) const = default;
};

// One record of these metrics.
struct MemberTimes {
  std::uint64_t time = 0;  // ticks, when the iteration begins
  TimeSpread computation, waiting;

  bool operator==(const MemberTimes&) const = default;
};

auto list_members(Like<TimeSpread> auto& spread) {
  return std::tie(spread.minimum, spread.mean, spread.maximum);
}
auto list_members(Like<MemberTimes> auto& times) {
  return std::tie(times.time, times.computation, times.waiting);
}

// Whether a definition is a MetricClass or MetricMember of such metrics.
bool is_of_members(const Definitions& definitions, const Definition& metric);

// The ids of the metric classes of such metrics.
std::unordered_set<std::uint64_t> find_member_metrics(const Definitions& definitions);

}  // namespace tracefold
