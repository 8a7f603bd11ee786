// The columns of call-path profiles of a trace, and which of them functions and recorded metrics
// contribute to. Made from the definitions, immutable, shared by all threads.
//
// Source: dynamics, Table 1.1 (the metrics of an iteration).
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/time_metric.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/function_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

class ProfileColumns {
 public:
  static constexpr std::uint32_t no_column = 0xffffffffu;

  // The column of a member of a recorded metric.
  struct Counter {
    std::uint32_t column = no_column;  // no_column: left out
    bool accumulates = false;          // false: each value is an increment
    std::uint64_t steps_per_unit = 1;  // steps of the column in a unit
  };

  // `waits` are the times of waiting with a column, `cut` the metrics whose records are no longer
  // in the trace.
  ProfileColumns(const Definitions& definitions, const FunctionTable& functions,
                 std::span<const Metric> waits = {}, const std::vector<Metric>& cut = {});

  const MetricColumns& columns() const { return columns_; }
  // Whether call paths are sampled.
  bool sampled() const { return sampled_; }
  // The column of a measured metric; no_column if profiles do not have it.
  std::uint32_t column(Metric metric) const { return columns_by_metric_[index(metric)]; }
  // The columns of the parts of execution time, which do not overlap.
  const std::vector<std::uint32_t>& execution_parts() const { return execution_parts_; }

  // The column of a function's exclusive time: execution time, or one of its parts.
  std::uint32_t time_column(FunctionIndex function) const { return time_columns_[function]; }
  Metric time_metric(FunctionIndex function) const { return time_metrics_[function]; }
  const std::vector<Metric>& time_metrics() const { return time_metrics_; }  // by function
  // Whether a function may wait for the receivers of messages that it sends.
  bool may_wait_for_receiver(FunctionIndex function) const { return waits_for_receiver_[function]; }
  // Whether MPI can be used only after, or only before this function.
  MpiBound mpi_bound(FunctionIndex function) const { return mpi_bounds_[function]; }
  // PathKind::mpi or PathKind::usr.
  PathKind kind(FunctionIndex function) const;

  // By member of a metric class, or of the class of an instance; empty if not defined.
  std::span<const Counter> counters(std::uint64_t metric) const;

 private:
  static std::size_t index(Metric metric) { return static_cast<std::size_t>(metric); }
  void find_counters(const Definitions& definitions);

  MetricColumns columns_;
  bool sampled_;
  std::array<std::uint32_t, measured_metric_count> columns_by_metric_{};
  std::vector<std::uint32_t> execution_parts_;
  std::vector<Metric> time_metrics_;                                  // by function
  std::vector<std::uint32_t> time_columns_;                           // by function
  std::vector<bool> waits_for_receiver_;                              // by function
  std::vector<MpiBound> mpi_bounds_;                                  // by function
  std::unordered_map<std::uint64_t, std::vector<Counter>> counters_;  // by metric class or instance
};

}  // namespace tracefold
