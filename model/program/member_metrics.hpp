// The metrics of members in a reduced trace: how long the processes computed and waited that a kept
// one stands for, in each of its iterations. They say nothing of what the process that records them
// did itself.
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

// The members of the metric class, in its order. Where times of waiting are not known, it has only
// the first three.
inline constexpr std::array<std::string_view, 6> member_metric_names{
    "members: computation min", "members: computation mean", "members: computation max",
    "members: waiting min",     "members: waiting mean",     "members: waiting max"};

// Over the processes that a kept one stands for and that have this iteration: seconds.
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

// Whether a definition is a MetricClass of such metrics, or a MetricMember of one.
bool is_of_members(const Definitions& definitions, const Definition& metric);

// The ids of the metric classes that hold such metrics.
std::unordered_set<std::uint64_t> find_member_metrics(const Definitions& definitions);

}  // namespace tracefold
