// What the definitions of a trace say of profiles of iterations: their columns, and
// which of them functions and recorded metrics fill. Made once, immutable, shared by
// all threads.
//
// Source: dynamics, Table 1.1 (the metrics of an iteration).
#pragma once

#include "model/iterations/iteration_profile.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/function_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

class SeriesForm {
 public:
  static constexpr std::uint32_t no_column = 0xffffffffu;

  // A recorded metric's member.
  struct Counter {
    std::uint32_t column = no_column;  // no_column: left out
    bool accumulates = false;          // else each value is an increment
  };

  SeriesForm(const Definitions& definitions, const FunctionTable& functions);

  const MetricColumns& columns() const { return columns_; }
  bool sampled() const { return sampled_; }
  // Of a measured metric; no_column where profiles do not have it.
  std::uint32_t column(Metric metric) const { return column_of_[static_cast<std::size_t>(metric)]; }
  // Of the times that are parts of execution time, and do not overlap.
  const std::vector<std::uint32_t>& execution_parts() const { return execution_parts_; }
  // Where a function's exclusive time goes: execution time, or one of its parts.
  std::uint32_t time_column(FunctionIndex function) const { return functions_[function].time; }
  Metric time_metric(FunctionIndex function) const {
    return columns_.measured[functions_[function].time];
  }
  // PathKind::mpi or PathKind::usr.
  PathKind kind(FunctionIndex function) const { return functions_[function].kind; }
  // By member of a metric class, or of an instance's class; empty where it is not defined.
  std::span<const Counter> counters(std::uint64_t metric) const;

 private:
  struct OfFunction {
    std::uint32_t time = no_column;
    PathKind kind = PathKind::usr;
  };
  void find_counters(const Definitions& definitions);

  MetricColumns columns_;
  bool sampled_;
  std::array<std::uint32_t, measured_metric_count> column_of_{};
  std::vector<std::uint32_t> execution_parts_;
  std::vector<OfFunction> functions_;
  std::unordered_map<std::uint64_t, std::vector<Counter>> counters_;  // by metric class or instance
};

}  // namespace tracefold
