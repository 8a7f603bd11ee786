// Call-path profiles: what processes did, by call path and metric. A profile holds one
// process, or one iteration of it; a set of profiles holds many processes over one merged
// tree of call paths. Both hold any metrics. Plain data, one owner at a time.
//
// Values are unsigned integers, so that any sums of them are exact and do not depend on
// order: ticks, events, bytes, or a counter's increments. Each value is of the call path
// alone, without its callees. Which metrics there are is kept once for a whole run
// (MetricColumns), and best holds only metrics that the trace records at all: in a set of
// profiles, a column of zeros changes nothing but takes its memory.
//
// Source: dynamics 3 (call-path profiles, and time series of them), 2.2 (kinds of call
// paths), 1.4.3 (call paths as a tree); thesis 4.4.2 (the profile viewer).
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/intent.hpp"
#include "model/profile/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// Index into a list of call paths, or of a place in a shape.
using PathIndex = std::uint32_t;
inline constexpr PathIndex no_path = 0xffffffffu;  // the caller of what nobody calls

// One node of a tree of call paths, which is a list in which callers stand before their callees.
struct CallPath {
  PathIndex caller = no_path;
  FunctionIndex function = virtual_root;

  bool operator==(const CallPath&) const = default;
};
auto list_members(Like<CallPath> auto& path) {
  return std::tie(path.caller, path.function);
}

// Names are as in dynamics 2.2: a call of MPI; what calls MPI, also through others;
// what does not. Used in sampled traces only. Whether `com` is what calls MPI in
// this iteration or in any is the reader's choice.
enum class PathKind : std::uint8_t { usr, com, mpi };

struct PathRow {
  PathIndex path{};  // in the process's tree, the same in all of its iterations
  PathKind kind = PathKind::usr;

  bool operator==(const PathRow&) const = default;
};
auto list_members(Like<PathRow> auto& row) {
  return std::tie(row.path, row.kind);
}

// A value of a row that is not 0.
struct PathValue {
  std::uint32_t column = 0;
  std::uint64_t value = 0;

  bool operator==(const PathValue&) const = default;
};

// A row for each call path that was visited. Of the columns, one for each metric, only those are
// held that are not 0: in one iteration most are 0, since a call path seldom does more than to
// compute, or to communicate in one way.
struct CallPathProfile {
  std::vector<PathRow> rows;        // ascending by path, each once
  std::vector<std::uint32_t> ends;  // by row: where its values end
  std::vector<PathValue> values;    // row by row, ascending by column

  std::span<const PathValue> row(std::size_t k) const {
    const std::size_t first = k == 0 ? 0 : ends[k - 1];
    return std::span(values).subspan(first, ends[k] - first);
  }
  std::uint64_t value(std::size_t k, std::size_t column) const {
    for (const auto& held : row(k))
      if (held.column == column)
        return held.value;
    return 0;
  }

  void clear() {
    rows.clear();
    ends.clear();
    values.clear();
  }
};

// The call paths that a process has. With a path it has all that lead to it.
struct CallShape {
  std::vector<PathIndex> paths;    // ascending
  std::vector<PathIndex> callers;  // of each path, as a place in `paths`

  bool operator==(const CallShape&) const = default;
};

// The profiles of many processes over one tree. A process holds only values for the paths
// that it has, and few processes differ in which ones these are: each such set, a shape, is
// held once.
struct CallPathProfiles {
  struct Process {
    std::uint32_t shape = 0;            // index into `shapes`
    std::vector<std::uint64_t> values;  // path by path of the shape, one for each column
    // What was recorded while no call was open, by column; empty where nothing was.
    std::vector<std::uint64_t> outside = {};
  };
  std::vector<CallPath> paths;  // depth first, callees of one path ascending by function
  MetricColumns columns;
  std::vector<CallShape> shapes;  // distinct, by the first process that has them
  std::vector<Process> processes;

  const CallShape& shape(std::size_t process) const { return shapes[processes[process].shape]; }
  // The value of a path, given as its place in the process's shape.
  std::uint64_t value(std::size_t process, std::size_t place, std::size_t column) const {
    return processes[process].values[place * columns.size() + column];
  }
};

// One column of a process: each value with those of all callees, path by path of its shape.
inline std::vector<std::uint64_t> sum_with_callees(const CallPathProfiles& profiles,
                                                   std::size_t process, std::size_t column) {
  const auto& callers = profiles.shape(process).callers;
  std::vector<std::uint64_t> sums(callers.size());

  for (auto place = sums.size(); place-- > 0;) {
    sums[place] += profiles.value(process, place, column);
    if (callers[place] != no_path)
      sums[callers[place]] += sums[place];
  }

  return sums;
}

}  // namespace tracefold
