#include "pipeline/iterations/read_iteration_map.hpp"

#include "base/ranges.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "model/iterations/iteration_map.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/series_sums.hpp"

#include <fmt/format.h>

namespace tracefold {

namespace {

// What is shown: the sum of some columns, less that of others.
struct ShownMetric {
  CondensedForm::Entry entry;
  std::vector<std::size_t> less = {};
};

// The time in calls of the program itself: execution time without its parts.
ShownMetric make_computation_time(const MetricColumns& columns) {
  ShownMetric out{{"computation time", MetricKind::time, {}}};
  for (std::size_t c = 0; c < columns.measured.size(); ++c) {
    const auto metric = columns.measured[c];
    if (metric == Metric::execution_time)
      out.entry.columns.push_back(c);
    else if (get_entry(metric).kind == MetricKind::time && !is_waiting(metric))
      out.less.push_back(c);
  }

  return out;
}

ShownMetric find_metric(const MetricColumns& columns, const std::string& name) {
  auto metrics = CondensedForm(columns).entries();
  if (const auto found = find_entry(metrics, name))
    return {*found};

  auto computation = make_computation_time(columns);
  if (find_entry({computation.entry}, name))
    return computation;

  metrics.push_back(computation.entry);
  throw Error(ErrorKind::usage, fmt::format("`map` '{}': the trace has no such metric", name))
      .hint(fmt::format("one of: {}", fmt::join(list_names(metrics), ", ")));
}

// Who waits for whom takes all processes, and all of their messages.
void check_all_are_there(const Archive& archive, const Plan& plan, const std::string& metric) {
  const bool waits = metric == get_entry(Metric::mpi_late_sender_time).name;
  const bool is_part =
      std::any_of(plan.filters.begin(), plan.filters.end(),
                  [](const FilterSection& filter) { return !filter.locations.empty(); });
  if (waits && (is_part || was_reduced(archive)))
    throw Error(ErrorKind::usage,
                fmt::format("`map` '{}': is not known where processes are left out", metric))
        .hint("take the original trace, and no filter of locations");
}

// Which call paths of one process count; told once for each.
class PathFilter {
 public:
  PathFilter(const std::string& glob, const std::vector<Function>& functions)
      : glob_(glob), functions_(functions) {}
  bool counts(PathIndex path, std::span<const CallPath> paths) {
    if (glob_.empty())
      return true;

    const auto p = static_cast<std::size_t>(path);
    if (p >= known_.size())
      known_.resize(paths.size(), -1);
    if (known_[p] < 0)
      known_[p] = matches_glob(glob_, text(p, paths));

    any_ |= known_[p] > 0;

    return known_[p] > 0;
  }
  bool any() const { return any_; }

 private:
  std::string text(std::size_t path, std::span<const CallPath> paths) const {
    std::vector<std::string_view> names;  // the innermost first
    for (auto p = path; p != 0; p = paths[p].caller)
      names.emplace_back(functions_[paths[p].function].name);
    return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
  }
  const std::string& glob_;
  const std::vector<Function>& functions_;
  std::vector<signed char> known_;  // by path: -1 not told yet
  bool any_ = false;
};

double add_values(const SeriesProfile& it, const ShownMetric& metric, PathFilter& filter) {
  double sum = 0;
  for (std::size_t r = 0; r < it.profile.rows.size(); ++r) {
    if (!filter.counts(it.profile.rows[r].path, it.paths))
      continue;
    for (auto c : metric.entry.columns)
      sum += static_cast<double>(it.profile.row(r)[c]);
    for (auto c : metric.less)
      sum -= static_cast<double>(it.profile.row(r)[c]);
  }

  return sum;
}

}  // namespace

std::size_t find_main_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops) {
  for (auto m : members) {
    const auto& here = loops[m].loops;
    if (!here.empty())
      return static_cast<std::size_t>(
          std::max_element(here.begin(), here.end(),
                           [](const Loop& a, const Loop& b) { return a.ticks < b.ticks; }) -
          here.begin());
  }

  throw Error(ErrorKind::usage, "no loop was found")
      .hint("say what the iterations are with `region`");
}

IterationMap read_iteration_map(const Archive& archive, const Plan& plan,
                                const std::vector<std::size_t>& members,
                                const std::vector<ProcessLoops>& loops, const MapOptions& options,
                                const ReadOptions& reading, Diagnostics& diagnostics) {
  IterationMap map;
  map.loop = options.loop.value_or(find_main_loop(members, loops));
  for (auto m : members)
    if (map.loop < loops[m].loops.size()) {
      map.processes.push_back(m);
      map.iterations = std::max(map.iterations, loops[m].loops[map.loop].iterations.size());
    }

  if (map.processes.empty())
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", map.loop + 1))
        .hint("see them all with 'tracefold iterations'");

  const SeriesPass pass(archive, plan, loops, map.processes, reading, diagnostics);
  const auto metric = find_metric(pass.columns(), options.metric);
  const auto& entry = metric.entry;
  check_all_are_there(archive, plan, entry.name);
  map.metric = entry.name;
  map.kind = entry.kind;
  map.call_path = options.call_path;
  make_cells(map, std::min<std::uint64_t>(most_cells, reading.memory / 4 / sizeof(double)));
  std::vector<MapRow> rows;
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    rows.emplace_back(map, r);
  std::vector<PathFilter> filters(map.processes.size(),
                                  PathFilter(map.call_path, pass.functions()));

  read_series(pass, SeriesLoop{loops, map.loop}, [&](const SeriesProfile& of) {
    rows[of.member].add(of.iteration, add_values(of, metric, filters[of.member]));
  });
  for (auto& row : rows)
    row.finish();

  if (!map.call_path.empty() &&
      std::none_of(filters.begin(), filters.end(), [](const auto& filter) { return filter.any(); }))
    throw Error(ErrorKind::usage,
                fmt::format("`call_path` '{}': no call path of the loop matches", map.call_path))
        .hint("call paths are as in 'main > solve > MPI_Wait'; * is any text");

  return map;
}

}  // namespace tracefold
