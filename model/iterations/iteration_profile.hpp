// What one process did in one iteration: a row for each call path that it visited,
// a column for each metric that is measured. Plain data, one owner at a time.
//
// Values are unsigned integers, so that any sums of them are exact and do not depend
// on order: ticks, events, bytes, or a counter's increments. Which columns there are
// is said once for a whole run (MetricColumns), and best holds only metrics that the
// trace records at all: a column of zeros changes nothing but takes its memory.
//
// Source: dynamics 3 (time-series call-path profiles), 2.2 (kinds of call paths).
#pragma once

#include "model/iterations/iteration_metric.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

// Of one process; the same in all of its iterations. A caller's is below those of its callees.
enum class CallPathId : std::uint32_t {};

// Names are as in dynamics 2.2: a call of MPI; what calls MPI, also through others;
// what does not. Asked for in sampled traces only. Whether `com` is what calls MPI in
// this iteration or in any is the reader's choice.
enum class PathKind : std::uint8_t { usr, com, mpi };

struct PathRow {
  CallPathId path{};
  PathKind kind = PathKind::usr;

  bool operator==(const PathRow&) const = default;
};

struct MetricColumns {
  std::vector<Metric> measured;       // ascending, with `visits`, without derived ones
  std::vector<std::string> counters;  // names; their columns follow

  std::size_t size() const { return measured.size() + counters.size(); }

  MetricKind kind(std::size_t column) const {
    return column < measured.size() ? get_entry(measured[column]).kind : MetricKind::counter;
  }

  std::optional<std::size_t> find(Metric metric) const {
    const auto found = std::lower_bound(measured.begin(), measured.end(), metric);
    if (found == measured.end() || *found != metric)
      return std::nullopt;
    return static_cast<std::size_t>(found - measured.begin());
  }
};

struct IterationProfile {
  std::vector<PathRow> rows;          // ascending by path, each once
  std::vector<std::uint64_t> values;  // row by row: of the call path alone, without its callees

  std::span<const std::uint64_t> row(std::size_t k) const {
    return std::span(values).subspan(k * columns(), columns());
  }
  std::size_t columns() const { return rows.empty() ? 0 : values.size() / rows.size(); }
};

// How far an ever-growing counter came, also where it wrapped around once.
constexpr std::uint64_t counter_increment(std::uint64_t before, std::uint64_t after) {
  return after - before;
}

// Of each row the column's value with all callees, modulo 2^64. callers[path] is the
// caller of a path; one without a row is above the iteration, and counts as no caller.
inline std::vector<std::uint64_t> inclusive_values(const IterationProfile& profile,
                                                   std::size_t column,
                                                   std::span<const CallPathId> callers) {
  std::vector<std::uint64_t> inclusive(profile.rows.size());
  for (auto k = inclusive.size(); k-- > 0;) {
    inclusive[k] += profile.row(k)[column];
    const auto caller = callers[static_cast<std::size_t>(profile.rows[k].path)];
    const auto end = profile.rows.begin() + static_cast<std::ptrdiff_t>(k);
    const auto found =
        std::lower_bound(profile.rows.begin(), end, caller,
                         [](const PathRow& row, CallPathId path) { return row.path < path; });
    if (found != end && found->path == caller)
      inclusive[static_cast<std::size_t>(found - profile.rows.begin())] += inclusive[k];
  }

  return inclusive;
}

}  // namespace tracefold
