// The quotient of two metrics of call-path profiles, as instructions per cycle or bytes per second:
// of sums, never a mean of quotients. Plain data; pure functions.
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct MetricRatio {
  // One of the two: a sum of columns of the profiles.
  struct Part {
    std::vector<std::size_t> columns;
    bool is_counter = false;

    std::uint64_t sum(const CallPathProfiles& profiles, std::size_t process,
                      std::size_t place) const {
      std::uint64_t sum = 0;
      for (auto column : columns)
        sum += profiles.value(process, place, column);
      return sum;
    }

    std::uint64_t sum_outside(const CallPathProfiles& profiles, std::size_t process) const {
      const auto& outside = profiles.processes[process].outside;
      std::uint64_t sum = 0;
      if (!outside.empty())
        for (auto column : columns)
          sum += outside[column];
      return sum;
    }

    // A counter that is 0 in all that a process did was not recorded there.
    bool is_recorded(const CallPathProfiles& profiles, std::size_t process) const {
      if (!is_counter || sum_outside(profiles, process) > 0)
        return true;
      const auto places = profiles.shape(process).paths.size();
      for (std::size_t place = 0; place < places; ++place)
        if (sum(profiles, process, place) > 0)
          return true;
      return false;
    }
  };

  std::string name;  // "A/B", as the metrics are called
  std::string unit;  // "J/s"; empty: none
  Part above, below;
  double factor = 1;                 // of the quotient of the columns' steps
  bool is_unknown_in_calls = false;  // only locations without calls record one of the two

  // `unknown`: by counter, as find_unknown_counters() has it.
  void mark_unknown(const MetricColumns& columns, const std::vector<bool>& unknown) {
    for (const auto* part : {&above, &below})
      if (part->is_counter)
        is_unknown_in_calls |= unknown[part->columns.front() - columns.measured.size()];
  }

  // Only such processes count: what others do in the time of B would make A too small.
  bool is_recorded(const CallPathProfiles& profiles, std::size_t process) const {
    return above.is_recorded(profiles, process) && below.is_recorded(profiles, process);
  }

  // None where it is not known.
  std::optional<double> divide(double above_sum, double below_sum) const {
    if (below_sum == 0)
      return std::nullopt;
    return factor * above_sum / below_sum;
  }
};

}  // namespace tracefold
