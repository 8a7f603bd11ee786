// Call-path profiles: what processes did, by call path and metric. A CallPathProfile is that of one
// process, or of one of its iterations; CallPathProfiles has many processes over one merged tree of
// call paths. Plain data, one owner at a time.
//
// Values are unsigned integers (ticks, events, bytes, or steps of a counter), so that sums are
// exact and do not depend on their order. They do not include callees. The metrics of a run are
// stored once (MetricColumns), and should be those that the trace records: a column of zeros costs
// memory.
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

// Index into a list of call paths, or into a shape.
using PathIndex = std::uint32_t;
inline constexpr PathIndex no_path = 0xffffffffu;  // the caller of a path that nobody calls

// A node of a tree of call paths: a list in which callers precede callees.
struct CallPath {
  PathIndex caller = no_path;
  FunctionIndex function = virtual_root;

  bool operator==(const CallPath&) const = default;
};
auto list_members(Like<CallPath> auto& path) {
  return std::tie(path.caller, path.function);
}

// The kinds of dynamics 2.2: a call of MPI (mpi), a path that leads to such calls (com), and all
// others (usr). Only for sampled traces. Whether com refers to this iteration or to all of them is
// up to the reader.
enum class PathKind : std::uint8_t { usr, com, mpi };

struct PathRow {
  PathIndex path{};  // in the process's tree, which is the same for all iterations
  PathKind kind = PathKind::usr;

  bool operator==(const PathRow&) const = default;
};
auto list_members(Like<PathRow> auto& row) {
  return std::tie(row.path, row.kind);
}

// A non-zero value of a row.
struct PathValue {
  std::uint32_t column = 0;
  std::uint64_t value = 0;

  bool operator==(const PathValue&) const = default;
};

// A row for each visited call path. Only non-zero columns are stored: in one iteration, most are 0,
// since a call path usually only computes, or communicates in a single way.
struct CallPathProfile {
  std::vector<PathRow> rows;        // ascending by path, each once
  std::vector<std::uint32_t> ends;  // by row: end of its values
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

// The call paths of a process: with each path, also its callers.
struct CallShape {
  std::vector<PathIndex> paths;    // ascending
  std::vector<PathIndex> callers;  // of each path, as an index into `paths`

  bool operator==(const CallShape&) const = default;
};

// The profiles of many processes over one tree. A process has values only for its own paths; each
// distinct set of paths, a shape, is stored once, since most processes share them.
struct CallPathProfiles {
  struct Process {
    std::uint32_t shape = 0;            // index into `shapes`
    std::vector<std::uint64_t> values;  // by path of the shape and column
    // Values that were recorded outside of all calls, by column; empty where there are none.
    std::vector<std::uint64_t> outside = {};
  };
  std::vector<CallPath> paths;  // depth first; callees of one path ascending by function
  MetricColumns columns;
  std::vector<CallShape> shapes;  // distinct, in the order of the first processes that have them
  std::vector<Process> processes;

  const CallShape& shape(std::size_t process) const { return shapes[processes[process].shape]; }
  // The value of a path, given by its index in the process's shape.
  std::uint64_t value(std::size_t process, std::size_t place, std::size_t column) const {
    return processes[process].values[place * columns.size() + column];
  }
};

// The values of one column of a process, by path of its shape, including all callees.
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
