// Series of iterations by call path, for the call paths of some functions: what a process did in
// each of them in each iteration of its loops, in some columns.
//
// One process, one thread. Memory: 8 bytes for each iteration, call path and column until
// finish(), and about 2 bytes for those that are not 0 after it.
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

// By function of `functions`: whether it is one of the few that have the most time of all processes
// of the plan, which were profiled, and may be called in loops.
std::vector<bool> find_large_functions(const Plan& plan, const std::vector<Function>& functions);
// A few more, among which these are likely to be: by the times of some processes, by function.
std::vector<bool> guess_large_functions(const std::vector<double>& times,
                                        const std::vector<Function>& functions);

// The columns of the series: execution time, all of which is of one metric in a call path, and
// times of waiting.
std::vector<std::size_t> list_time_columns(const MetricColumns& columns);

// There may be very many loops, each with all call paths: only so many are told by call path.
inline constexpr std::size_t most_loops_by_path = 16;

class PathSeries {
 public:
  // The series of a call path; of loops in which it was not called they have no rows.
  struct OfPath {
    PathIndex path = 0;             // of the process
    std::vector<PackedRows> loops;  // by iteration and column
  };
  friend auto list_members(Like<OfPath> auto& series) {
    return std::tie(series.path, series.loops);
  }

  // Both must stay. There are no more than so many call paths for each process: those that it is in
  // first.
  PathSeries(const std::vector<bool>& functions, const std::vector<std::size_t>& columns,
             std::size_t most = most_paths)
      : functions_(functions), columns_(columns), most_(most) {}
  static constexpr std::size_t most_paths = 16;

  // Iterations of a loop ascend, and loops do.
  void add(std::size_t loop, std::size_t iteration, const CallPathProfile& profile,
           std::span<const CallPath> paths);
  // `lengths` are of loops. The series are of no use after it but here.
  std::vector<OfPath> finish(std::span<const std::size_t> lengths);

 private:
  static constexpr std::size_t no_slot = static_cast<std::size_t>(-1);
  std::size_t find_slot(PathIndex path, std::span<const CallPath> paths);

  const std::vector<bool>& functions_;
  const std::vector<std::size_t>& columns_;
  std::size_t most_;
  std::vector<std::size_t> slots_;  // by path: its place in series_
  std::vector<OfPath> series_;
  std::vector<std::uint64_t> values_;  // of one row
};

}  // namespace tracefold
