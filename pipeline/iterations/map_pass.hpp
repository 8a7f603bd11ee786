// What all readers of maps share: which metric is shown, of which call paths, on which processes.
// Values are sums over call paths: times in ticks, bytes, numbers, or the units of a recorded
// metric.
//
// One thread for each object. Memory: that of a SeriesPass, and a byte for each call path of a
// process.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/iterations/known_loops.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/series/series_sums.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class Team;

// What is shown: the sum of some columns, less that of others.
struct ShownMetric {
  CondensedForm::Entry entry;
  std::vector<std::size_t> less = {};
};

// The time in calls of the program itself: execution time without its parts.
ShownMetric make_computation_time(const MetricColumns& columns);

// The metric of this name, in `columns` of a trace with these definitions; where there is none,
// those of `listed` are named in Error(usage).
ShownMetric find_metric(const Definitions& definitions, const MetricColumns& columns,
                        const std::string& name, const MetricColumns& listed);

// The whole that a metric is a part of, and its parts: what is measured, but not what is part of
// something measured, too. Of execution time, the rest is computation.
struct WholeMetric {
  std::string name;
  MetricKind kind = MetricKind::count;
  std::vector<ShownMetric> parts;  // empty where there are less than two
};
WholeMetric divide_whole(const MetricColumns& columns, const ShownMetric& shown);

// The times of waiting that a map takes: the metric itself, or none.
std::vector<Metric> find_wanted_waits(const MetricColumns& columns, const std::string& name);

// Which call paths of one process count; told once for each. `glob` and `functions` must stay.
class PathFilter {
 public:
  PathFilter(const std::string& glob, const std::vector<Function>& functions)
      : glob_(&glob), functions_(&functions) {}

  bool counts(PathIndex path, std::span<const CallPath> paths);
  bool any() const { return any_; }

 private:
  const std::string* glob_;
  const std::vector<Function>* functions_;
  std::vector<signed char> known_;  // by path: -1 not told yet
  bool any_ = false;
};

// A tree as PathFilter and series have it: the first path stands for no call.
std::vector<CallPath> add_root(const std::vector<CallPath>& paths);

// The sum of the metric over the call paths that count.
double add_values(const SeriesProfile& it, const ShownMetric& metric, PathFilter& filter);

// The loop that is asked for, or else the main one, where each of the members has it. Throws
// Error(usage) where none has.
SeriesLoop choose_map_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops, const MapOptions& options);

// The members that have the loop; no cells yet.
IterationMap list_map_rows(const std::vector<std::size_t>& members, const SeriesLoop& loop,
                           const MapOptions& options);

// The first of the members that has so many loops. Throws Error(usage) where none has.
std::size_t find_first_with_loop(const std::vector<std::size_t>& members, const KnownLoops& loops,
                                 std::size_t number);

// By process of the plan: which loop of the members is the same as the one with this number of that
// first member. Throws Error(usage) where there is none.
std::vector<std::optional<std::size_t>> find_same_loops(const std::vector<std::size_t>& members,
                                                        const KnownLoops& loops,
                                                        std::size_t number);

// Which rows of a map recorded anything in any iteration. Different rows at the same time.
class RecordedRows {
 public:
  explicit RecordedRows(std::size_t rows) : any_(rows) {}

  void add(const SeriesProfile& of) {
    if (!any_[of.member])
      any_[of.member] = has_values(of.profile);
  }
  void mark(std::size_t row) { any_[row] = true; }
  // What the members of a team have recorded of their own rows is known to all of them then.
  void share(Team* team, const std::vector<std::size_t>& own);
  // The others, as an idle thread or a stream without kernels.
  std::vector<bool> list_empty() const;

 private:
  static bool has_values(const CallPathProfile& profile);

  std::vector<char> any_;  // by row; different bytes, so that threads do not meet
};

// Throws Error(usage) where no call path has counted, at any member of a team.
void check_path_was_met(const IterationMap& map, const std::vector<PathFilter>& filters,
                        Team* team);

// The rows of a map, of which each member of a team has its own, are known to all of them then.
void share_rows(Team* team, const std::vector<std::size_t>& own, IterationMap& map);

// A pass over the iterations of the processes of a map, and what is shown of them. Names the map's
// metric. Throws Error(usage) where there is no such metric, or it is not known. All that is handed
// in must stay.
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
