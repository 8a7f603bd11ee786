#include "pipeline/iterations/map_pass.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "base/team.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/profile/metric_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

// None where there is no such metric.
std::optional<ShownMetric> look_up_metric(const MetricColumns& columns, const std::string& name) {
  if (const auto found = find_entry(CondensedForm(columns).entries(), name))
    return ShownMetric{*found};

  auto computation = make_computation_time(columns);
  if (find_entry({computation.entry}, name))
    return computation;
  return std::nullopt;
}

// Who waits for whom takes all processes, and all that they communicate.
void check_is_known(const SeriesPass& pass, const std::vector<Metric>& waits) {
  for (auto wait : waits)
    if (const auto* reason = pass.find_unknown(wait))
      throw Error(ErrorKind::usage,
                  fmt::format("`map` '{}': is not known, since {}", get_entry(wait).name, *reason))
          .hint("it takes an original trace, and no filter of locations");
}

// 'main > solve > MPI_Wait', with the names that are shown, or those that the trace defines.
std::string join_path(std::size_t path, std::span<const CallPath> paths,
                      const std::vector<Function>& functions, bool uses_shown_names) {
  std::vector<std::string_view> names;  // the innermost first
  for (auto p = path; p != 0; p = paths[p].caller) {
    const auto& function = functions[paths[p].function];
    names.emplace_back(uses_shown_names ? function.shown_name() : function.name);
  }

  return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
}

std::optional<Metric> find_named_metric(const std::string& name) {
  for (std::size_t m = 0; m < metric_count; ++m)
    if (metric_table[m].name == name)
      return static_cast<Metric>(m);
  return std::nullopt;
}

Metric find_root(Metric metric) {
  while (get_entry(metric).parent != Metric::none)
    metric = get_entry(metric).parent;
  return metric;
}

}  // namespace

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

WholeMetric divide_whole(const MetricColumns& columns, const ShownMetric& shown) {
  const auto computation = make_computation_time(columns);
  const bool is_computation = shown.entry.name == computation.entry.name;
  const auto metric = is_computation ? Metric::execution_time : find_named_metric(shown.entry.name);
  if (!metric || shown.entry.kind == MetricKind::counter)
    return {};

  const auto root = find_root(*metric);
  WholeMetric whole{std::string(get_entry(root).name), get_entry(root).kind, {}};
  if (root == Metric::execution_time)
    whole.parts.push_back(computation);

  for (std::size_t c = 0; c < columns.measured.size(); ++c) {
    const auto part = columns.measured[c];
    const auto parent = get_entry(part).parent;
    const bool is_own = parent != Metric::none && find_root(part) == root &&
                        (parent == root || !is_measured(parent)) &&
                        (root != Metric::execution_time || !is_waiting(part));
    if (is_own)
      whole.parts.push_back({{std::string(get_entry(part).name), get_entry(part).kind, {c}}});
  }

  if (whole.parts.size() < 2)
    whole.parts.clear();

  return whole;
}

bool PathFilter::counts(PathIndex path, std::span<const CallPath> paths) {
  if (glob_->empty())
    return true;

  const auto p = static_cast<std::size_t>(path);
  if (p >= known_.size())
    known_.resize(paths.size(), -1);
  if (known_[p] < 0)
    known_[p] = matches_glob(*glob_, join_path(p, paths, *functions_, true)) ||
                matches_glob(*glob_, join_path(p, paths, *functions_, false));

  any_ |= known_[p] > 0;

  return known_[p] > 0;
}

ShownMetric find_metric(const Definitions& definitions, const MetricColumns& columns,
                        const std::string& name, const MetricColumns& listed) {
  if (auto found = look_up_metric(columns, name))
    return std::move(*found);

  auto metrics = CondensedForm(listed).entries();
  metrics.push_back(make_computation_time(listed).entry);
  // Nothing but this message names the counters of a trace.
  std::stable_partition(metrics.begin(), metrics.end(), [](const CondensedForm::Entry& entry) {
    return entry.kind == MetricKind::counter;
  });
  const auto metric = find_named_metric(name);
  const auto names = list_names(metrics);
  std::vector<std::string> longer;  // names that the given one is a part of
  std::copy_if(names.begin(), names.end(), std::back_inserter(longer), [&](const auto& known) {
    return !name.empty() && known.find(name) != std::string::npos;
  });
  constexpr std::size_t most_alike = 8;
  const auto otherwise = longer.empty() ? fmt::format("one of: {}", fmt::join(names, ", "))
                                        : "did you mean: " + list_some(longer, most_alike);
  throw Error(ErrorKind::usage,
              fmt::format("`map` '{}': {}", name, explain_absence(definitions, columns, name)))
      .hint(metric && columns.is_cut(*metric) ? "it takes the original trace"
                                              : suggest_name(name, names, otherwise));
}

std::vector<Metric> find_wanted_waits(const MetricColumns& columns, const std::string& name) {
  const auto found = look_up_metric(columns, name);
  for (auto wait : waiting_metrics)
    if (found && found->entry.kind == MetricKind::time && found->entry.name == get_entry(wait).name)
      return {wait};
  return {};
}

std::vector<CallPath> add_root(const std::vector<CallPath>& paths) {
  std::vector<CallPath> tree(1);
  for (const auto& path : paths)
    tree.push_back({path.caller == no_path ? 0 : path.caller + 1, path.function});
  return tree;
}

double add_values(const SeriesProfile& it, const ShownMetric& metric, PathFilter& filter) {
  double sum = 0;
  for (std::size_t r = 0; r < it.profile.rows.size(); ++r) {
    if (!filter.counts(it.profile.rows[r].path, it.paths))
      continue;
    for (auto c : metric.entry.columns)
      sum += static_cast<double>(it.profile.value(r, c));
    for (auto c : metric.less)
      sum -= static_cast<double>(it.profile.value(r, c));
  }

  return sum / static_cast<double>(metric.entry.steps_per_unit);
}

std::size_t find_first_with_loop(const std::vector<std::size_t>& members, const KnownLoops& loops,
                                 std::size_t number) {
  const auto first = std::find_if(members.begin(), members.end(),
                                  [&](auto m) { return number < loops[m].loops.size(); });
  if (first == members.end())
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", number + 1))
        .hint("see them all with 'tracefold iterations'");
  return *first;
}

std::vector<std::optional<std::size_t>> find_same_loops(const std::vector<std::size_t>& members,
                                                        const KnownLoops& loops,
                                                        std::size_t number) {
  const auto& first = loops[find_first_with_loop(members, loops, number)].loops;
  std::vector<std::optional<std::size_t>> places(loops.size());
  for (auto m : members)
    if (loops.are_own(m))
      places[m] = find_same_loop(loops[m].loops, first, number);
  // Many may make the calls of one process, which need not be a member.
  std::map<std::size_t, std::optional<std::size_t>> of_sources;
  for (auto m : members)
    if (const auto source = loops.find_source(m); source != m) {
      const auto [at, is_new] = of_sources.try_emplace(source);
      if (is_new)
        at->second = find_same_loop(loops[source].loops, first, number);
      places[m] = at->second;
    }

  return places;
}

SeriesLoop choose_map_loop(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops, const MapOptions& options) {
  const auto number = options.loop.value_or(find_main_loop(members, loops));
  return {loops, number, find_same_loops(members, loops, number)};
}

IterationMap list_map_rows(const std::vector<std::size_t>& members, const SeriesLoop& loop,
                           const MapOptions& options) {
  IterationMap map;
  map.loop = loop.loop;
  map.call_path = options.call_path;
  for (auto m : members)
    if (const auto iterations = loop.count_iterations(m)) {
      map.processes.push_back(m);
      map.iterations = std::max(map.iterations, iterations);
    }

  return map;
}

std::vector<bool> RecordedRows::list_empty() const {
  std::vector<bool> out;
  for (const auto any : any_)
    out.push_back(!any);
  return out;
}

bool RecordedRows::has_values(const CallPathProfile& profile) {
  return std::any_of(profile.values.begin(), profile.values.end(),
                     [](const PathValue& held) { return held.value != 0; });
}

void RecordedRows::share(Team* team, const std::vector<std::size_t>& own) {
  share_found(team, any_, own);
}

void check_path_was_met(const IterationMap& map, const std::vector<PathFilter>& filters,
                        Team* team) {
  if (map.call_path.empty())
    return;
  const auto met = share(team, std::any_of(filters.begin(), filters.end(),
                                           [](const auto& filter) { return filter.any(); }));
  if (std::find(met.begin(), met.end(), true) == met.end())
    throw Error(ErrorKind::usage,
                fmt::format("`call_path` '{}': no call path of the loop matches", map.call_path))
        .hint("call paths are as in 'main > solve > MPI_Wait'; * is any text");
}

void share_rows(Team* team, const std::vector<std::size_t>& own, IterationMap& map) {
  if (!team)
    return;

  // Some rows at a time, since what is sent takes memory beside the map.
  constexpr std::size_t cells_together = std::size_t{1} << 22;
  const auto all = map.processes.size();
  const auto together =
      std::max<std::size_t>(cells_together / std::max<std::size_t>(map.columns, 1), 1);
  for (std::size_t first = 0; first < all; first += together) {
    std::vector<std::vector<double>> rows(std::min(together, all - first));
    std::vector<std::size_t> own_here;
    for (auto r : own)
      if (r >= first && r - first < rows.size()) {
        rows[r - first].assign(map.row(r).begin(), map.row(r).end());
        own_here.push_back(r - first);
      }
    share_found(team, rows, own_here);
    for (std::size_t k = 0; k < rows.size(); ++k)
      std::copy(rows[k].begin(), rows[k].end(),
                map.values.begin() + static_cast<std::ptrdiff_t>((first + k) * map.columns));
  }
}

MapPass::MapPass(const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops,
                 IterationMap& map, const MapOptions& options, const ReadOptions& reading,
                 Diagnostics& diagnostics)
    : pass({archive, plan, reading, diagnostics}, loops, map.processes,
           find_wanted_waits(choose_metric_columns(archive.definitions()), options.metric)) {
  const auto columns = choose_metric_columns(archive.definitions());
  check_is_known(pass, find_wanted_waits(columns, options.metric));
  metric = find_metric(archive.definitions(), pass.columns(), options.metric, columns);
  map.metric = metric.entry.name;
  map.kind = metric.entry.kind;
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  filters.assign(map.processes.size(), PathFilter(map.call_path, pass.functions()));
}

std::vector<MapRow> MapPass::list_rows(IterationMap& map) const {
  std::vector<MapRow> rows;
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    rows.emplace_back(map, r);

  return rows;
}

}  // namespace tracefold
