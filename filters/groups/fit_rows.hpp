// Which processes are kept where the number of rows is given, so that least is lost.
//
// A row is a process that is kept, for itself and for others. What a choice loses is the sum of
// - |t - t(row)| over all processes and call paths, of exclusive times over the whole run, and
// - the time of all calls (pairs of caller and callee) that no row shows any more.
//
// It begins with one row for each group: the medoid, of which this sum is the least. For more rows,
// the cluster is divided, again and again, whose division into two lowers the sum most; for fewer
// rows, the two clusters are merged that raise it least. So of as many rows as groups, or more, no
// call is lost.
//
// Example: four processes of one group compute 10, 10, 11 and 30 s. One row is that of 10 s, and
// loses 0 + 0 + 1 + 20 s; of two rows, the second one is that of 30 s, and 1 s is lost.
//
// Deterministic. A division takes O(n · paths · log n) time for n processes. Merging compares all
// pairs of at most 512 groups, exactly up to 64; of more groups each is compared with 16 others
// that have nearly the same calls.
//
// Source: docs/science.md, "Which rows stay"; structural VIII.B (greedy merging).
#pragma once

#include "base/packed_values.hpp"
#include "base/wide.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// A call path of a process, and how long it was there, without callees: ticks.
struct PathTime {
  std::uint32_t path = 0;
  std::uint64_t ticks = 0;
};

auto list_members(Like<PathTime> auto& time) {
  return std::tie(time.path, time.ticks);
}

struct FittedTimes {
  std::vector<std::vector<PathTime>> processes;  // ascending by path
  std::vector<std::uint32_t> calls;  // by path: its call, numbered from 0; paths may share one
  std::vector<bool> ends_early;      // by process: it stands only for others that do
};

// Processes that one row may stand for: those of a group. Groups of different kinds are not merged.
struct RowGroup {
  std::vector<std::size_t> members;  // ascending, not empty
  std::size_t kind = 0;
};

struct FittedRow {
  std::size_t process = 0;
  std::vector<std::size_t> members;  // ascending
  std::vector<std::size_t> groups;   // that it is made of, ascending
};

class RowFitter {
 public:
  // No process is in two groups.
  RowFitter(FittedTimes times, std::vector<RowGroup> groups);

  std::size_t least() const { return kinds_; }           // one row for each kind
  std::size_t groups() const { return groups_.size(); }  // one row for each group
  std::size_t most() const { return processes_; }

  // From least() to most() rows, in the order of their first members. Fewer than asked for where
  // more lower nothing: equal processes need one row.
  std::vector<FittedRow> fit(std::size_t rows);

  // Of these candidates, which are some of the members, the one that is nearest to all of them.
  std::size_t choose(const std::vector<std::size_t>& members,
                     const std::vector<std::size_t>& candidates) const;

  // The calls of any process that none of these shows, and their time in all processes, in ticks.
  struct Lost {
    std::size_t calls = 0;
    Wide ticks = 0;
  };
  Lost find_lost(const std::vector<std::size_t>& rows) const;

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Cluster {
    std::vector<std::size_t> members;
    std::size_t row = 0;
    Wide cost = 0;                            // distances of all members from the row
    std::size_t first = none, second = none;  // in clusters_: what its division makes
    Wide gain = 0;                            // of that; 0: it is not divided
  };
  using Halves = std::optional<std::pair<Cluster, Cluster>>;
  friend class RowMerger;

  Cluster make_cluster(std::vector<std::size_t> members) const;
  Halves find_halves(const Cluster& cluster) const;
  void open(const std::vector<std::size_t>& clusters);
  bool divide_once();
  std::vector<std::size_t> list_candidates(const std::vector<std::size_t>& members) const;
  std::uint64_t measure_distance(std::size_t a, std::size_t b) const;
  Wide add_distances(std::size_t row, const std::vector<std::size_t>& members) const;
  std::vector<std::uint32_t> list_calls(std::size_t process) const;
  FittedRow make_row(const Cluster& cluster) const;

  FittedTimes times_;
  std::vector<RowGroup> groups_;
  std::size_t kinds_ = 0, processes_ = 0;
  std::vector<std::size_t> group_of_;  // by process
  std::vector<Wide> call_ticks_;       // by call, of all processes
  std::vector<Cluster> clusters_;      // the groups, then what divisions made of them
  std::vector<std::size_t> divided_;   // in the order in which they were divided
  std::vector<std::size_t> open_;      // those that are not divided yet
  bool is_open_ = false;               // divisions have begun
};

}  // namespace tracefold
