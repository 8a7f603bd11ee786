// Shared by all readers of maps: which metric is shown, of which call paths, and on which
// processes. Values are sums over call paths: times in ticks, bytes, counts, or the units of a
// recorded metric.
//
// One thread for each object. Memory: that of a SeriesPass, and a byte for each call path of a
// process.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/iterations/known_loops.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class Team;

// What is shown: the sum of some columns, minus the sum of others.
struct ShownMetric {
  CondensedForm::Entry entry;
  std::vector<std::size_t> less = {};
};

// The time in calls of the program itself: execution time without its parts.
ShownMetric make_computation_time(const MetricColumns& columns);

// The metric with this name in `columns`, for a trace with these definitions. Throws Error(usage)
// that lists those of `listed` if there is none.
ShownMetric find_metric(const Definitions& definitions, const MetricColumns& columns,
                        const std::string& name, const MetricColumns& listed);

// The whole that a metric is a part of, and its parts: measured metrics that are not part of
// another measured one. The rest of execution time is computation.
struct WholeMetric {
  std::string name;
  MetricKind kind = MetricKind::count;
  std::vector<ShownMetric> parts;  // empty if there are less than two
};
WholeMetric divide_whole(const MetricColumns& columns, const ShownMetric& shown);

// The times of waiting that a map needs: the metric itself, or none.
std::vector<Metric> find_wanted_waits(const MetricColumns& columns, const std::string& name);

// Decides which call paths of one process count, once for each. `glob` and `functions` must outlive
// it.
class PathFilter {
 public:
  PathFilter(const std::string& glob, const std::vector<Function>& functions)
      : glob_(&glob), functions_(&functions) {}

  bool counts(PathIndex path, std::span<const CallPath> paths);
  bool any() const { return any_; }

 private:
  const std::string* glob_;
  const std::vector<Function>* functions_;
  std::vector<signed char> known_;  // by path: -1 not decided yet
  bool any_ = false;
};

// A tree as PathFilter and series need it: path 0 is without a call.
std::vector<CallPath> add_root(const std::vector<CallPath>& paths);

// The sum of the metric over the call paths that count.
double add_values(const SeriesProfile& it, const ShownMetric& metric, PathFilter& filter);

// The loop that was asked for, otherwise the main loop, with its place in each member. Throws
// Error(usage) if no member has it.
SeriesLoop choose_map_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops, const MapOptions& options);

// A map of the members that have the loop, without cells.
IterationMap list_map_rows(const std::vector<std::size_t>& members, const SeriesLoop& loop,
                           const MapOptions& options);

// The first member with so many loops. Throws Error(usage) if there is none.
std::size_t find_first_with_loop(const std::vector<std::size_t>& members, const KnownLoops& loops,
                                 std::size_t number);

// By process of the plan: which of its loops is the same as loop `number` of that first member.
// Throws Error(usage) if there is none.
std::vector<std::optional<std::size_t>> find_same_loops(const std::vector<std::size_t>& members,
                                                        const KnownLoops& loops,
                                                        std::size_t number);

// Which rows of a map have any recorded value. Different rows at the same time.
class RecordedRows {
 public:
  explicit RecordedRows(std::size_t rows) : any_(rows) {}

  void add(const SeriesProfile& of) {
    if (!any_[of.member])
      any_[of.member] = has_values(of.profile);
  }
  void mark(std::size_t row) { any_[row] = true; }
  // Shares what the members of a team found for their own rows.
  void share(Team* team, const std::vector<std::size_t>& own);
  // The other rows, such as idle threads or streams without kernels.
  std::vector<bool> list_empty() const;

 private:
  static bool has_values(const CallPathProfile& profile);

  std::vector<char> any_;  // by row; separate bytes for different threads
};

// Throws Error(usage) if no call path has counted at any member of a team.
void check_path_was_met(const IterationMap& map, const std::vector<PathFilter>& filters,
                        Team* team);

// Shares the rows of a map, of which each member of a team has its own.
void share_rows(Team* team, const std::vector<std::size_t>& own, IterationMap& map);

// A pass over the iterations of the processes of a map, and what is shown of them. Sets the map's
// metric. Throws Error(usage) if there is no such metric, or it is not known. All arguments must
// outlive this.
struct MapPass {
  MapPass(const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops,
          IterationMap& map, const MapOptions& options, const ReadOptions& reading,
          Diagnostics& diagnostics);

  std::vector<MapRow> list_rows(IterationMap& map) const;
  Team* team() const { return pass.trace().options().team; }

  SeriesPass pass;
  ShownMetric metric;
  std::vector<PathFilter> filters;  // by row
};

}  // namespace tracefold
