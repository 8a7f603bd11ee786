// The metrics of a call path: trees, with general metrics above specific ones. A new metric is a
// line in `Metric` and one in `metric_table`; metric_columns.hpp chooses the metrics of a trace,
// and pipeline/facts/ measures them.
//
// Measured metrics are recorded for each call path, without its callees. A derived metric is the
// sum of its children. Times are in ticks of the trace's clock, bytes in bytes, counts in events.
// Plain data, immutable.
//
// Times of waiting are parts of their parents; pipeline/messages/wait_matcher.hpp defines them.
// They are measured only on request, since they need a pass over all processes.
//
// Source: dynamics Table 1.1. It lacks total time with measurement overhead, which traces do not
// separate, and the kinds of one-sided synchronization. It adds times of waiting (dynamics 1.5,
// 3.3: only from traces) and file I/O outside of MPI.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class Metric : std::uint8_t {
  // Measured. Parts of execution time do not overlap, nor do times of waiting, each of which is a
  // part of the metric above it.
  execution_time,
  mpi_management_time,  // init, exit, and all of MPI that is in none of the following
  mpi_collective_synchronization_time,
  mpi_wait_at_barrier_time,
  mpi_one_sided_synchronization_time,
  mpi_wait_at_fence_time,
  mpi_point_to_point_time,
  mpi_late_sender_time,
  mpi_late_receiver_time,
  mpi_collective_time,
  mpi_wait_at_nxn_time,
  mpi_late_broadcast_time,
  mpi_early_reduce_time,
  mpi_one_sided_time,
  mpi_individual_file_time,
  mpi_collective_file_time,
  other_file_time,
  openmp_flush_time,
  openmp_management_time,  // forks and joins, tasks that are created, and all in none of the others
  openmp_synchronization_time,  // barriers, critical sections, locks, waiting for tasks
  visits,
  send_synchronizations,  // messages without bytes
  receive_synchronizations,
  collective_synchronizations,
  one_sided_synchronizations,
  sends,
  receives,
  collectives,
  collectives_as_source,  // a rank may be both source and destination, or neither
  collectives_as_destination,
  puts,
  gets,
  bytes_sent,
  bytes_received,
  collective_bytes_outgoing,
  collective_bytes_incoming,
  one_sided_bytes_sent,
  one_sided_bytes_received,
  individual_file_reads,
  individual_file_writes,
  collective_file_reads,
  collective_file_writes,
  // Derived.
  mpi_time,
  openmp_time,
  mpi_synchronization_time,
  mpi_communication_time,
  mpi_file_time,
  synchronizations,
  point_to_point_synchronizations,
  communications,
  point_to_point_communications,
  one_sided_communications,
  bytes,
  point_to_point_bytes,
  collective_bytes,
  one_sided_bytes,
  file_operations,
  individual_file_operations,
  collective_file_operations,
  none,  // the parent of a root
};

inline constexpr std::size_t metric_count = static_cast<std::size_t>(Metric::none);
inline constexpr std::size_t measured_metric_count = static_cast<std::size_t>(Metric::mpi_time);

constexpr bool is_measured(Metric metric) {
  return static_cast<std::size_t>(metric) < measured_metric_count;
}

// Times in which a process waits for another one, ascending.
inline constexpr std::array waiting_metrics{
    Metric::mpi_wait_at_barrier_time, Metric::mpi_wait_at_fence_time,
    Metric::mpi_late_sender_time,     Metric::mpi_late_receiver_time,
    Metric::mpi_wait_at_nxn_time,     Metric::mpi_late_broadcast_time,
    Metric::mpi_early_reduce_time};

constexpr bool is_waiting(Metric metric) {
  return std::find(waiting_metrics.begin(), waiting_metrics.end(), metric) != waiting_metrics.end();
}

// A counter is a recorded metric in its own unit, and not a Metric.
enum class MetricKind : std::uint8_t { time, count, bytes, counter };

// Bytes count as a count, too.
constexpr bool is_count(MetricKind kind) {
  return kind == MetricKind::count || kind == MetricKind::bytes;
}

struct MetricEntry {
  std::string_view name;
  MetricKind kind = MetricKind::count;
  Metric parent = Metric::none;
};

// By Metric.
inline constexpr std::array<MetricEntry, metric_count> metric_table{{
    {"execution time", MetricKind::time, Metric::none},
    {"MPI management time", MetricKind::time, Metric::mpi_time},
    {"MPI collective synchronization time", MetricKind::time, Metric::mpi_synchronization_time},
    {"MPI wait-at-barrier time", MetricKind::time, Metric::mpi_collective_synchronization_time},
    {"MPI one-sided synchronization time", MetricKind::time, Metric::mpi_synchronization_time},
    {"MPI wait-at-fence time", MetricKind::time, Metric::mpi_one_sided_synchronization_time},
    {"MPI point-to-point time", MetricKind::time, Metric::mpi_communication_time},
    {"MPI late-sender time", MetricKind::time, Metric::mpi_point_to_point_time},
    {"MPI late-receiver time", MetricKind::time, Metric::mpi_point_to_point_time},
    {"MPI collective time", MetricKind::time, Metric::mpi_communication_time},
    {"MPI wait-at-NxN time", MetricKind::time, Metric::mpi_collective_time},
    {"MPI late-broadcast time", MetricKind::time, Metric::mpi_collective_time},
    {"MPI early-reduce time", MetricKind::time, Metric::mpi_collective_time},
    {"MPI one-sided time", MetricKind::time, Metric::mpi_communication_time},
    {"MPI individual file time", MetricKind::time, Metric::mpi_file_time},
    {"MPI collective file time", MetricKind::time, Metric::mpi_file_time},
    {"other file time", MetricKind::time, Metric::execution_time},
    {"OpenMP flush time", MetricKind::time, Metric::openmp_time},
    {"OpenMP thread management time", MetricKind::time, Metric::openmp_time},
    {"OpenMP thread synchronization time", MetricKind::time, Metric::openmp_time},
    {"visits", MetricKind::count, Metric::none},
    {"send synchronizations", MetricKind::count, Metric::point_to_point_synchronizations},
    {"receive synchronizations", MetricKind::count, Metric::point_to_point_synchronizations},
    {"collective synchronizations", MetricKind::count, Metric::synchronizations},
    {"one-sided synchronizations", MetricKind::count, Metric::synchronizations},
    {"sends", MetricKind::count, Metric::point_to_point_communications},
    {"receives", MetricKind::count, Metric::point_to_point_communications},
    {"collectives", MetricKind::count, Metric::communications},
    {"collectives as source", MetricKind::count, Metric::collectives},
    {"collectives as destination", MetricKind::count, Metric::collectives},
    {"puts", MetricKind::count, Metric::one_sided_communications},
    {"gets", MetricKind::count, Metric::one_sided_communications},
    {"bytes sent", MetricKind::bytes, Metric::point_to_point_bytes},
    {"bytes received", MetricKind::bytes, Metric::point_to_point_bytes},
    {"collective bytes outgoing", MetricKind::bytes, Metric::collective_bytes},
    {"collective bytes incoming", MetricKind::bytes, Metric::collective_bytes},
    {"one-sided bytes sent", MetricKind::bytes, Metric::one_sided_bytes},
    {"one-sided bytes received", MetricKind::bytes, Metric::one_sided_bytes},
    {"individual file reads", MetricKind::count, Metric::individual_file_operations},
    {"individual file writes", MetricKind::count, Metric::individual_file_operations},
    {"collective file reads", MetricKind::count, Metric::collective_file_operations},
    {"collective file writes", MetricKind::count, Metric::collective_file_operations},
    {"MPI time", MetricKind::time, Metric::execution_time},
    {"OpenMP time", MetricKind::time, Metric::execution_time},
    {"MPI synchronization time", MetricKind::time, Metric::mpi_time},
    {"MPI communication time", MetricKind::time, Metric::mpi_time},
    {"MPI file time", MetricKind::time, Metric::mpi_time},
    {"synchronizations", MetricKind::count, Metric::none},
    {"point-to-point synchronizations", MetricKind::count, Metric::synchronizations},
    {"communications", MetricKind::count, Metric::none},
    {"point-to-point communications", MetricKind::count, Metric::communications},
    {"one-sided communications", MetricKind::count, Metric::communications},
    {"bytes", MetricKind::bytes, Metric::none},
    {"point-to-point bytes", MetricKind::bytes, Metric::bytes},
    {"collective bytes", MetricKind::bytes, Metric::bytes},
    {"one-sided bytes", MetricKind::bytes, Metric::bytes},
    {"file operations", MetricKind::count, Metric::none},
    {"individual file operations", MetricKind::count, Metric::file_operations},
    {"collective file operations", MetricKind::count, Metric::file_operations},
}};

constexpr const MetricEntry& get_entry(Metric metric) {
  return metric_table[static_cast<std::size_t>(metric)];
}

// Whether a metric is `of`, or is added up in it.
constexpr bool is_summand(Metric metric, Metric of) {
  while (metric != of) {
    metric = get_entry(metric).parent;
    if (metric == Metric::none || is_measured(metric))
      return false;  // that one has its own value
  }
  return true;
}

// Whether a metric is the execution time in some functions. Such parts do not overlap.
constexpr bool is_part_of_execution_time(Metric metric) {
  return get_entry(metric).kind == MetricKind::time && metric != Metric::execution_time &&
         !is_waiting(metric);
}

// A recorded metric. Profiles store it as a whole number of steps, so that sums are exact.
struct Counter {
  std::string name;
  std::uint64_t steps_per_unit = 1;

  // Converts to whole steps of `other`; wraps around on overflow.
  std::uint64_t convert(std::uint64_t steps, const Counter& other) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{steps} * other.steps_per_unit / steps_per_unit);
  }

  bool operator==(const Counter&) const = default;
};

// The columns of profiles: measured metrics, then recorded counters.
struct MetricColumns {
  std::vector<Metric> measured;   // ascending, with `visits`; no derived ones
  std::vector<Counter> counters;  // with unique names
  // Metrics without a column, since the records for them were cut from the trace; ascending. Sums
  // that include them are not known either.
  std::vector<Metric> cut = {};

  std::size_t size() const { return measured.size() + counters.size(); }

  MetricKind kind(std::size_t column) const {
    return column < measured.size() ? get_entry(measured[column]).kind : MetricKind::counter;
  }

  // Null for a measured metric.
  const Counter* counter(std::size_t column) const {
    return column < measured.size() ? nullptr : &counters[column - measured.size()];
  }

  std::optional<std::size_t> find(Metric metric) const {
    const auto found = std::lower_bound(measured.begin(), measured.end(), metric);
    if (found == measured.end() || *found != metric)
      return std::nullopt;
    return static_cast<std::size_t>(found - measured.begin());
  }

  std::vector<Metric> list_waits() const {
    std::vector<Metric> waits;
    std::copy_if(measured.begin(), measured.end(), std::back_inserter(waits), is_waiting);
    return waits;
  }

  bool is_cut(Metric metric) const {
    return std::any_of(cut.begin(), cut.end(), [&](Metric one) { return is_summand(one, metric); });
  }

  // Removes the columns of metrics whose records were cut.
  void cut_off(const std::vector<Metric>& metrics) {
    for (auto metric : metrics)
      if (const auto at = std::find(measured.begin(), measured.end(), metric);
          at != measured.end()) {
        measured.erase(at);
        cut.insert(std::lower_bound(cut.begin(), cut.end(), metric), metric);
      }
  }

  // The column of a counter.
  std::optional<std::size_t> find(std::string_view counter) const {
    for (std::size_t k = 0; k < counters.size(); ++k)
      if (counters[k].name == counter)
        return measured.size() + k;
    return std::nullopt;
  }
};

}  // namespace tracefold
