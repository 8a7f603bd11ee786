#include "pipeline/iterations/program_map.hpp"

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/iterations/map_rows.hpp"
#include "pipeline/iterations/stored_folds.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

namespace {

ShownMetric find_stored_metric(const Archive& archive, const StoredProgram& stored,
                               const std::string& name) {
  return find_metric(archive.definitions(), stored.columns(), name, stored.columns());
}

std::vector<PathIndex> list_asked_paths(const WholeProgram& program, const std::string& glob) {
  const auto tree = add_root(program.calls.profiles.paths);
  PathFilter filter(glob, program.plan.functions);
  std::vector<PathIndex> asked;
  for (PathIndex path = 0; path + 1 < tree.size(); ++path)
    if (filter.counts(path + 1, tree))
      asked.push_back(path);
  return asked;
}

// By call path whether any process has time of it in a loop. Empty where that is not stored.
std::vector<bool> find_paths_in_loop(const StoredProgram& stored, std::size_t loop) {
  const auto scope = stored.find_scope(name_loop_scope(loop));
  if (!scope)
    return {};
  const auto calls = stored.read_scope(*scope, StoredColumns::time_and_visits);
  const auto& profiles = calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  std::vector<bool> is_there(profiles.paths.size());
  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const auto& own = profiles.shape(p).paths;
    for (std::size_t k = 0; k < own.size(); ++k)
      if (profiles.value(p, k, time) > 0)
        is_there[own[k]] = true;
  }

  return is_there;
}

// Whether all of some call paths that are in a loop have series of it.
bool has_all_series(const StoredProgram& stored, std::size_t loop,
                    const std::vector<PathIndex>& paths) {
  const auto is_there = find_paths_in_loop(stored, loop);
  return std::all_of(paths.begin(), paths.end(), [&](PathIndex path) {
    return stored.has_path_series(loop, path) || (!is_there.empty() && !is_there[path]);
  });
}

IterationMap make_stored_map(const StoredLoop& loop, const ShownMetric& metric,
                             const MapOptions& options) {
  IterationMap map;
  map.metric = metric.entry.name;
  map.kind = metric.entry.kind;
  map.loop = loop.number();
  map.processes = loop.list_processes();
  for (auto process : map.processes)
    map.iterations = std::max(map.iterations, loop.count_iterations(process));
  choose_iterations(options, map);
  make_cells(map, options.most_cells);

  return map;
}

IterationMap make_map(const Archive& archive, const StoredLoop& loop, const ShownMetric& metric,
                      const MapOptions& options) {
  auto map = make_stored_map(loop, metric, options);
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  return map;
}

// The stored fold that is of the n-th loop, by the lengths of a process's loops: not all of these
// are folded.
const LoopFold* find_fold(const std::vector<LoopFold>& folds, const StoredProgram& stored,
                          std::size_t process, std::size_t loop) {
  std::size_t next = 0;
  for (std::size_t l = 0; l <= loop && next < folds.size(); ++l) {
    if (folds[next].kept_of.size() != stored.iterations(l)[process])
      continue;
    if (l == loop)
      return &folds[next];
    ++next;
  }
  return nullptr;
}

// By process of the program; none: nothing in the trace stands for it. `folds` must stay.
RowSources find_stored_sources(const Archive& archive, const WholeProgram& program,
                               const StoredLoop& loop, const std::optional<KeptFolds>& folds) {
  const auto& processes = program.plan.processes;
  std::unordered_map<std::uint64_t, std::size_t> number;  // by location of the original
  for (std::size_t p = 0; p < processes.size(); ++p)
    number.emplace(processes[p].id, p);

  const auto earlier = find_earlier_reductions(archive.definitions());
  RowSources out(processes.size());
  for (auto location : list_process_locations(archive.definitions())) {
    const auto found = earlier.find(location);
    const auto source = find_first_original(earlier, location);
    const auto kept = number.find(source);
    if (kept == number.end())
      continue;

    const auto place = loop.find_place(kept->second);
    RowSource row_source{kept->second};
    if (place && !loop.is_only_of_map(*place) && folds && folds->series.contains(source))
      if (const auto* fold = find_fold(folds->loops, loop.stored(), kept->second, *place))
        row_source = {kept->second, fold->kept, fold->kept_of};
    out[kept->second] = row_source;
    if (found != earlier.end())
      for (auto member : found->second.members)
        if (const auto at = number.find(member); at != number.end())
          out[at->second] = row_source;
  }

  return out;
}

// The series must outlive it.
ReadValues read_from(const StoredLoop& loop, const StoredSeries& series) {
  return [&](std::size_t process) {
    std::vector<double> values(loop.count_iterations(process));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = series.get(process, i);
    return values;
  };
}

// A map whose cells are those of its processes, and their sums where these are known better.
void fill_own_values(IterationMap& map, const StoredLoop& loop, const StoredSeries& series) {
  fill_rows(map, list_themselves(loop.stored().size()), read_from(loop, series));
  std::size_t longest = 0;
  for (auto process : map.processes)
    longest = std::max(longest, loop.count_iterations(process));
  if (loop.stored().detail().iterations_per_column != 1 || map.per_column != 1 ||
      map.iterations < longest)
    return;
  map.exact_sums = series.list_sums(map.processes);
  // A process that recorded nothing may have had more iterations.
  if (auto& sums = map.exact_sums->of_column; sums.size() > map.iterations)
    sums.resize(map.iterations);
}

}  // namespace

IterationMap read_program_map(const Archive& archive, const WholeProgram& program,
                              const MapOptions& options) {
  const auto& stored = *program.stored;
  const auto metric = find_stored_metric(archive, stored, options.metric);
  const StoredLoop loop(stored, options.loop);
  auto map = make_map(archive, loop, metric, options);

  map.call_path = options.call_path;
  const auto series =
      options.call_path.empty()
          ? StoredSeries(loop, metric)
          : StoredSeries(loop, metric, program.calls, list_asked_paths(program, options.call_path));
  fill_own_values(map, loop, series);
  return map;
}

IterationMap read_program_map(const StoredLoop& loop, const ShownMetric& metric, std::size_t most) {
  MapOptions all;
  all.most_cells = most;
  auto map = make_stored_map(loop, metric, all);
  fill_own_values(map, loop, StoredSeries(loop, metric));
  return map;
}

ComparedMap compare_program_map(const Archive& archive, const WholeProgram& program,
                                const MapOptions& options, WantLayers layers) {
  auto halved = options;
  halved.most_cells /= 2;
  ComparedMap out;
  out.original = read_program_map(archive, program, halved);

  const StoredLoop loop(*program.stored, out.original.loop);
  const auto metric = find_stored_metric(archive, loop.stored(), options.metric);
  const auto folds = read_kept_folds(archive);
  const auto sources = find_stored_sources(archive, program, loop, folds);
  const StoredSeries values(loop, metric);
  add_reconstruction(sources, read_from(loop, values), out);

  if (layers == WantLayers::no)
    return out;
  const auto whole = divide_whole(loop.stored().columns(), metric);
  std::optional<StoredSeries> series;  // of one part
  const auto read_part = [&](std::size_t part) {
    return read_from(loop, series.emplace(loop, whole.parts[part]));
  };
  add_layers(whole, sources, read_part, out);

  return out;
}

ComparedMap compare_program_map(const StoredLoop& loop, const ShownMetric& metric, const Plan& plan,
                                const IterationSection& folded) {
  const auto& stored = loop.stored();
  auto sources = list_themselves(stored.size());
  for (const auto& [process, own] : folded.processes) {
    const auto place = loop.find_place(process);
    if (!place || loop.is_only_of_map(*place))
      continue;
    const auto same = std::find_if(own.loops.begin(), own.loops.end(), [&](const Loop& one) {
      return one.iterations.size() == stored.iterations(*place)[process];
    });
    if (same == own.loops.end())
      continue;
    const auto& choice = folded.loops[static_cast<std::size_t>(same - own.loops.begin())].choice;
    sources[process] = RowSource{process, choice.kept, choice.kept_of};
  }
  if (plan.representatives)
    for (const auto& representative : *plan.representatives)
      for (auto m : representative.members)
        sources[m] = sources[representative.process];

  ComparedMap out;
  out.original = read_program_map(loop, metric, most_cells / 2);
  const StoredSeries values(loop, metric);
  add_reconstruction(sources, read_from(loop, values), out);
  return out;
}

bool can_map(const Archive& archive, const WholeProgram& program, const MapOptions& options) {
  const auto& stored = *program.stored;
  if (!stored.has_iterations() || options.call_path.empty())
    return stored.has_iterations();
  const auto metric = find_stored_metric(archive, stored, options.metric);
  const auto paths = list_asked_paths(program, options.call_path);
  if (metric.entry.kind != MetricKind::time || paths.empty())
    return false;

  const StoredLoop loop(stored, options.loop);
  std::set<std::size_t> places;
  for (auto process : loop.list_processes())
    places.insert(*loop.find_place(process));
  return std::all_of(places.begin(), places.end(),
                     [&](std::size_t place) { return has_all_series(stored, place, paths); });
}

}  // namespace tracefold
