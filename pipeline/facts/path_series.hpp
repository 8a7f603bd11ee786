// Series of iterations for the call paths of some functions: the values of some columns in each
// iteration of a process's loops.
//
// One process, one thread. Memory: about 2 bytes for each iteration, call path and column that is
// not 0 in all of them.
//
// Source: dynamics 3 (time series of call-path profiles).
#pragma once

#include "model/plan.hpp"
#include "model/profile/call_path_profile.hpp"
#include "model/profile/metric.hpp"
#include "model/program/packed_rows.hpp"

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

// By function of `functions`: whether it is one of the few with the most time over all processes of
// the plan (which must have profiles) that may be called in loops.
std::vector<bool> find_large_functions(const Plan& plan, const std::vector<Function>& functions);

// The columns of the series: execution time, which in a call path belongs to a single metric, and
// times of waiting.
std::vector<std::size_t> list_time_columns(const MetricColumns& columns);

// There may be very many loops, each with all call paths; only the first ones have series of call
// paths.
inline constexpr std::size_t most_loops_by_path = 16;

class PathSeries {
 public:
  // The series of a call path. Loops in which it was not called have no rows.
  struct OfPath {
    PathIndex path = 0;             // of the process
    std::vector<PackedRows> loops;  // by iteration and column
  };
  friend auto list_members(Like<OfPath> auto& series) {
    return std::tie(series.path, series.loops);
  }

  // Both must outlive this.
  PathSeries(const std::vector<bool>& functions, const std::vector<std::size_t>& columns)
      : functions_(functions), columns_(columns) {}
  // A process has at most so many call paths with series: the first that it visits.
  static constexpr std::size_t most_paths = 16;

  // Loops and their iterations are ascending.
  void add(std::size_t loop, std::size_t iteration, const CallPathProfile& profile,
           std::span<const CallPath> paths);
  // `lengths` has the number of iterations of each loop. Call it last.
  std::vector<OfPath> finish(std::span<const std::size_t> lengths);

 private:
  static constexpr std::size_t no_slot = static_cast<std::size_t>(-1);
  std::size_t find_slot(PathIndex path, std::span<const CallPath> paths);

  const std::vector<bool>& functions_;
  const std::vector<std::size_t>& columns_;
  std::vector<std::size_t> slots_;  // by path: index into series_
  std::vector<OfPath> series_;
  std::vector<std::uint64_t> values_;  // of one row
};

}  // namespace tracefold
