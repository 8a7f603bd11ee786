// Call-path profiles of single processes with all metrics, for people and programs. Plain data.
// Values do not include callees; times are in ticks.
//
// Source: dynamics 3 (call-path profiles), Table 1.1 (metrics).
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/metric_ratio.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ProcessMetric {
  std::string name;
  MetricKind kind = MetricKind::count;
  std::vector<std::size_t> columns;  // of the profiles; their sum is the metric
  std::uint64_t steps_per_unit = 1;  // steps of these columns in a unit
  std::string recorded_unit;         // of a counter
  bool is_unknown_in_calls = false;  // a counter that only locations without calls record
};

struct ProcessProfiles {
  std::vector<std::size_t> members;       // indexes of the plan's processes, ascending
  std::vector<ProcessMetric> metrics;     // execution time is the first one
  CallPathProfiles calls;                 // by member
  std::optional<MetricRatio> ratio = {};  // that was asked for

  std::uint64_t value(std::size_t member, std::size_t place, std::size_t metric) const {
    std::uint64_t sum = 0;
    for (auto column : metrics[metric].columns)
      sum += calls.value(member, place, column);
    return sum;
  }
};

}  // namespace tracefold
