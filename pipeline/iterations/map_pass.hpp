// Shared by all readers of maps: which metric is shown, of which call paths, and on which
// processes. Values are sums over call paths: times in ticks, bytes, counts, or the units of a
// recorded metric.
//
// One thread for each object. Memory: that of a SeriesPass, a byte for each call path of a process,
// and about 2 bytes for each value that is not 0.
//
// Source: dynamics 3.2 (iteration × process maps).
#pragma once

#include "filters/iterations/iteration_features.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/profile/metric_columns.hpp"
#include "model/program/packed_rows.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/iterations/known_loops.hpp"
#include "pipeline/iterations/map_rows.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

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
// another measured one. The rest of execution time is computation; times of waiting are parts of
// their own, and what is left of the time that they are in is "useful".
struct WholeMetric {
  std::string name;
  MetricKind kind = MetricKind::count;
  std::vector<ShownMetric> parts;  // empty if there are less than two
};
WholeMetric divide_whole(const MetricColumns& columns, const ShownMetric& shown);

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

// The first member with so many loops. Throws Error(usage) if there is none.
std::size_t find_first_with_loop(const std::vector<std::size_t>& members, const KnownLoops& loops,
                                 std::size_t number);

// By process of the plan: which of its loops is the same as loop `number` of that first member.
// Throws Error(usage) if there is none.
std::vector<std::optional<std::size_t>> find_same_loops(const std::vector<std::size_t>& members,
                                                        const KnownLoops& loops,
                                                        std::size_t number);

// A pass over the iterations of the processes of a map, and what it read: the values of the map's
// metric, and, for layers, of the parts of the whole.
class MapPass {
 public:
  // Sets the map's metric, and leaves out processes that recorded nothing in the loop, such as idle
  // threads or streams without kernels, unless all are such. Throws Error(usage) if there is no
  // such metric or call path, or the metric is not known.
  MapPass(const Archive& archive, const Plan& plan, const SeriesLoop& loop,
          const MapOptions& options, WantLayers layers, const ReadOptions& reading,
          Diagnostics& diagnostics, IterationMap& map);

  const WholeMetric& whole() const { return whole_; }  // without parts: no layers
  // The values of the map, and those of a part of the whole. This must outlive them.
  ReadValues read_values() const { return read_metric(0); }
  ReadValues read_part(std::size_t part) const { return read_metric(1 + part); }

 private:
  void read(const SeriesPass& pass, const SeriesLoop& loop, IterationMap& map);
  ReadValues read_metric(std::size_t number) const;

  std::vector<std::size_t> members_;  // of the pass
  std::vector<ShownMetric> metrics_;
  WholeMetric whole_;
  std::vector<PackedRows> rows_;  // by member: of each iteration its metrics, in steps
};

}  // namespace tracefold
