#include "filters/summary/know_waiting.hpp"

#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace tracefold {

namespace {

std::uint64_t count_all(const Aggregates& calls, std::initializer_list<Metric> metrics) {
  std::uint64_t sum = 0;
  const auto& profiles = calls.profiles;
  for (auto metric : metrics)
    if (const auto column = profiles.columns.find(metric))
      for (std::size_t p = 0; p < profiles.processes.size(); ++p)
        for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
          sum += profiles.value(p, k, *column);
  return sum;
}

// Whether time passed in a call that keeps one-sided communication in step and is no fence.
bool synchronises_otherwise(const Aggregates& calls) {
  const auto& profiles = calls.profiles;
  const auto column = profiles.columns.find(Metric::mpi_one_sided_synchronization_time);
  for (std::size_t p = 0; column && p < profiles.processes.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (profiles.value(p, k, *column) > 0 &&
          !is_fence(calls.functions[profiles.paths[paths[k]].function].name))
        return true;
  }
  return false;
}

}  // namespace

bool know_waiting(const Aggregates& calls, const std::array<double, paradigm_count>& in_mpi) {
  const auto& columns = calls.profiles.columns;
  const auto knows = [&](std::initializer_list<Metric> metrics) {
    return std::all_of(metrics.begin(), metrics.end(),
                       [&](Metric metric) { return columns.find(metric).has_value(); });
  };
  const auto takes = [&](Paradigm paradigm) {
    return in_mpi[static_cast<std::size_t>(paradigm)] > 0;
  };
  // Where records were cut, they are no longer all there.
  if (!columns.cut.empty())
    return false;
  if (takes(Paradigm::point_to_point) && count_all(calls, {Metric::mpi_point_to_point_time}) > 0 &&
      (!knows({Metric::mpi_late_sender_time}) ||
       count_all(calls, {Metric::sends, Metric::receives, Metric::send_synchronizations,
                         Metric::receive_synchronizations}) == 0))
    return false;
  if (takes(Paradigm::collective) && !knows({Metric::mpi_wait_at_nxn_time}))
    return false;
  if (takes(Paradigm::synchronisation) &&
      count_all(calls, {Metric::mpi_collective_synchronization_time}) > 0 &&
      !knows({Metric::mpi_wait_at_barrier_time}))
    return false;
  // How long calls such as MPI_Win_lock wait for each other is not measured.
  if (count_all(calls, {Metric::mpi_one_sided_synchronization_time}) > 0 &&
      (!knows({Metric::mpi_wait_at_fence_time}) || synchronises_otherwise(calls)))
    return false;
  if ((takes(Paradigm::collective) || takes(Paradigm::synchronisation)) &&
      count_all(calls, {Metric::mpi_collective_time, Metric::mpi_collective_synchronization_time}) >
          0 &&
      count_all(calls, {Metric::collectives, Metric::collective_synchronizations}) == 0)
    return false;
  return true;
}

}  // namespace tracefold
