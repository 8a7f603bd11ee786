// The time of a call path or an iteration by kind (fold_errors.hpp). Plain data, in ticks.
#pragma once

#include "model/errors/fold_errors.hpp"
#include "model/profile/metric.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tracefold {

// By TimeKind.
using KindTimes = std::array<std::uint64_t, time_kinds>;

inline std::uint64_t add_up(const KindTimes& times) {
  return std::accumulate(times.begin(), times.end(), std::uint64_t{0});
}

// `in_mpi` includes `waiting`.
inline KindTimes split_time(std::uint64_t beside_mpi, std::uint64_t in_mpi, std::uint64_t waiting) {
  waiting = std::min(waiting, in_mpi);
  return {beside_mpi, in_mpi - waiting, waiting};
}

inline std::uint64_t measure_distance(std::uint64_t a, std::uint64_t b) {
  return a < b ? b - a : a - b;
}

// The columns of profiles that give the time of each kind.
struct TimeColumns {
  explicit TimeColumns(const MetricColumns& columns)
      : execution(*columns.find(Metric::execution_time)) {
    for (std::size_t c = 0; c < columns.measured.size(); ++c) {
      const auto metric = columns.measured[c];
      if (is_waiting(metric))
        waiting.push_back(c);
      else if (is_part_of_execution_time(metric))
        (is_mpi_time(metric) ? in_mpi : beside_mpi).push_back(c);
    }
  }
  // Whether times of waiting are known; otherwise all time in MPI counts as communication.
  bool know_waiting() const { return !waiting.empty() || in_mpi.empty(); }

  std::size_t execution;
  std::vector<std::size_t> in_mpi, beside_mpi, waiting;  // parts of execution time
};

}  // namespace tracefold
