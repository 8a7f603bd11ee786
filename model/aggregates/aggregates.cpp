#include "model/aggregates/aggregates.hpp"

#include "base/sort_and_unite.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

// Whether a column of a call that is dropped counts for the call around it.
std::vector<bool> find_inherited(const MetricColumns& columns) {
  std::vector<bool> is_inherited(columns.size(), true);
  for (std::size_t c = 0; c < columns.measured.size(); ++c) {
    const auto metric = columns.measured[c];
    is_inherited[c] =
        metric != Metric::visits && !is_waiting(metric) && !is_part_of_execution_time(metric);
  }

  return is_inherited;
}

// The tree without some paths, and by old path the new one that has what was in it.
struct PrunedTree {
  std::vector<CallPath> paths;
  std::vector<PathIndex> new_path;  // no_path: none
};

PrunedTree prune(const std::vector<CallPath>& paths, const std::vector<bool>& is_dropped) {
  PrunedTree out;
  std::map<std::pair<PathIndex, FunctionIndex>, PathIndex> known;

  for (std::size_t p = 0; p < paths.size(); ++p) {
    const auto& path = paths[p];
    const auto caller = path.caller == no_path ? no_path : out.new_path[path.caller];
    if (is_dropped[p]) {
      out.new_path.push_back(caller);
      continue;
    }

    const auto next = static_cast<PathIndex>(out.paths.size());
    const auto [at, is_new] = known.try_emplace({caller, path.function}, next);
    if (is_new)
      out.paths.push_back({caller, path.function});
    out.new_path.push_back(at->second);
  }

  return out;
}

CallShape make_shape(const std::vector<PathIndex>& paths, const std::vector<CallPath>& tree) {
  CallShape shape;
  for (auto path : paths) {
    const auto caller = tree[path].caller;
    const auto at = std::lower_bound(paths.begin(), paths.end(), caller);
    shape.callers.push_back(caller == no_path ? no_path
                                              : static_cast<PathIndex>(at - paths.begin()));
  }
  shape.paths = paths;

  return shape;
}

}  // namespace

std::optional<std::size_t> Aggregates::find(std::uint64_t location) const {
  const auto at = std::lower_bound(locations.begin(), locations.end(), location);
  if (at == locations.end() || *at != location)
    return std::nullopt;
  return static_cast<std::size_t>(at - locations.begin());
}

Aggregates make_aggregates(const std::vector<Function>& functions,
                           const std::vector<Metric>& time_metrics,
                           std::vector<std::uint64_t> locations, CallPathProfiles profiles) {
  Aggregates out{{}, {}, std::move(locations), std::move(profiles)};
  std::map<FunctionIndex, FunctionIndex> indexes;  // new ones by old ones
  for (const auto& path : out.profiles.paths)
    indexes.try_emplace(path.function);

  for (auto& [old_index, new_index] : indexes) {
    new_index = static_cast<FunctionIndex>(out.functions.size());
    out.functions.push_back(functions[old_index]);
    out.time_metrics.push_back(time_metrics[old_index]);
  }
  for (auto& path : out.profiles.paths)
    path.function = indexes.at(path.function);

  return out;
}

Aggregates keep_locations(const Aggregates& all, const std::vector<std::uint64_t>& locations) {
  const auto& old = all.profiles;
  std::vector<std::size_t> kept;
  std::vector<bool> is_used(old.paths.size());
  for (std::size_t p = 0; p < old.processes.size(); ++p)
    if (std::binary_search(locations.begin(), locations.end(), all.locations[p])) {
      kept.push_back(p);
      for (auto path : old.shape(p).paths)
        is_used[path] = true;
    }

  CallPathProfiles profiles{{}, old.columns, {}, {}};
  std::vector<PathIndex> number(old.paths.size());
  for (std::size_t path = 0; path < old.paths.size(); ++path)
    if (is_used[path]) {
      const auto [caller, function] = old.paths[path];
      number[path] = static_cast<PathIndex>(profiles.paths.size());
      profiles.paths.push_back({caller == no_path ? no_path : number[caller], function});
    }

  std::map<std::uint32_t, std::uint32_t> shapes;  // new ones by old ones
  std::vector<std::uint64_t> ids;
  for (auto p : kept) {
    const auto next = static_cast<std::uint32_t>(profiles.shapes.size());
    const auto [shape, is_new] = shapes.try_emplace(old.processes[p].shape, next);
    if (is_new) {
      profiles.shapes.push_back(old.shape(p));
      for (auto& path : profiles.shapes.back().paths)
        path = number[path];
    }
    profiles.processes.push_back(
        {shape->second, old.processes[p].values, old.processes[p].outside});
    ids.push_back(all.locations[p]);
  }

  return make_aggregates(all.functions, all.time_metrics, std::move(ids), std::move(profiles));
}

Aggregates drop_paths(const Aggregates& all, const std::vector<bool>& is_dropped) {
  if (std::find(is_dropped.begin(), is_dropped.end(), true) == is_dropped.end())
    return all;

  const auto& old = all.profiles;
  const auto columns = old.columns.size();
  const auto is_inherited = find_inherited(old.columns);
  auto tree = prune(old.paths, is_dropped);
  CallPathProfiles profiles{tree.paths, old.columns, {}, {}};
  std::map<std::vector<PathIndex>, std::uint32_t> shapes;

  for (std::size_t p = 0; p < old.processes.size(); ++p) {
    const auto& before = old.shape(p).paths;
    std::vector<PathIndex> after;
    for (auto path : before)
      if (tree.new_path[path] != no_path)
        after.push_back(tree.new_path[path]);
    sort_and_unite(after);

    std::vector<std::uint64_t> values(after.size() * columns);
    auto outside = old.processes[p].outside;
    for (std::size_t k = 0; k < before.size(); ++k) {
      const auto to = tree.new_path[before[k]];
      if (to == no_path) {
        for (std::size_t c = 0; c < columns; ++c)
          if (const auto value = old.value(p, k, c);
              value != 0 && is_inherited[c] && old.columns.kind(c) != MetricKind::time) {
            outside.resize(columns);
            outside[c] += value;
          }
        continue;
      }

      const auto at = std::lower_bound(after.begin(), after.end(), to) - after.begin();
      auto* row = &values[static_cast<std::size_t>(at) * columns];
      const bool stays = !is_dropped[before[k]];
      for (std::size_t c = 0; c < columns; ++c)
        if (stays || is_inherited[c])
          row[c] += old.value(p, k, c);
    }

    const auto next = static_cast<std::uint32_t>(profiles.shapes.size());
    const auto [known, is_new] = shapes.try_emplace(after, next);
    if (is_new)
      profiles.shapes.push_back(make_shape(after, profiles.paths));
    profiles.processes.push_back({known->second, std::move(values), std::move(outside)});
  }

  fill_time_parts(all.time_metrics, profiles);
  return make_aggregates(all.functions, all.time_metrics, all.locations, std::move(profiles));
}

void fill_time_parts(const std::vector<Metric>& time_metrics, CallPathProfiles& profiles) {
  const auto& columns = profiles.columns;
  const auto time = *columns.find(Metric::execution_time);
  std::vector<std::size_t> parts;
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (is_part_of_execution_time(columns.measured[c]))
      parts.push_back(c);

  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto metric = time_metrics[profiles.paths[paths[k]].function];
      auto* row = &profiles.processes[p].values[k * columns.size()];
      for (auto part : parts)
        row[part] = columns.measured[part] == metric ? row[time] : 0;
    }
  }
}

}  // namespace tracefold
