#include "pipeline/iterations/map_pass.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "base/team.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/series_pass.hpp"

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

// The time of waiting that the metric is; none where it is something else.
std::vector<Metric> find_asked_waits(const ShownMetric& shown) {
  for (auto wait : waiting_metrics)
    if (shown.entry.kind == MetricKind::time && shown.entry.name == get_entry(wait).name)
      return {wait};
  return {};
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

// The columns of the waiting that is a part of a time.
std::vector<std::size_t> list_waits_in(Metric time, const MetricColumns& columns) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (is_waiting(columns.measured[c]) && get_entry(columns.measured[c]).parent == time)
      out.push_back(c);
  return out;
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
                        (parent == root || !is_measured(parent) ||
                         (root == Metric::execution_time && is_waiting(part)));
    if (!is_own)
      continue;
    ShownMetric own{{std::string(get_entry(part).name), get_entry(part).kind, {c}}};
    own.less = list_waits_in(part, columns);
    if (!own.less.empty())
      own.entry.name = "useful " + own.entry.name;
    whole.parts.push_back(std::move(own));
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

std::vector<CallPath> add_root(const std::vector<CallPath>& paths) {
  std::vector<CallPath> tree(1);
  for (const auto& path : paths)
    tree.push_back({path.caller == no_path ? 0 : path.caller + 1, path.function});
  return tree;
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

namespace {

// The sum of the metric over the call paths that count, in steps of its unit.
std::uint64_t add_values(const SeriesProfile& it, const ShownMetric& metric, PathFilter& filter) {
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < it.profile.rows.size(); ++r) {
    if (!filter.counts(it.profile.rows[r].path, it.paths))
      continue;
    for (auto c : metric.entry.columns)
      sum += it.profile.value(r, c);
    for (auto c : metric.less)
      sum -= it.profile.value(r, c);
  }

  return sum;
}

bool has_values(const CallPathProfile& profile) {
  return std::any_of(profile.values.begin(), profile.values.end(),
                     [](const PathValue& held) { return held.value != 0; });
}

void check_path_was_met(const std::string& call_path, const std::vector<PathFilter>& filters,
                        Team* team) {
  if (call_path.empty())
    return;
  const auto met = share(team, std::any_of(filters.begin(), filters.end(),
                                           [](const auto& filter) { return filter.any(); }));
  if (std::find(met.begin(), met.end(), true) == met.end())
    throw Error(ErrorKind::usage,
                fmt::format("`call_path` '{}': no call path of the loop matches", call_path))
        .hint("call paths are as in 'main > solve > MPI_Wait'; * is any text");
}

}  // namespace

MapPass::MapPass(const Archive& archive, const Plan& plan, const SeriesLoop& loop,
                 const MapOptions& options, WantLayers layers, const ReadOptions& reading,
                 Diagnostics& diagnostics, IterationMap& map)
    : members_(map.processes), rows_(map.processes.size()) {
  const auto columns = choose_metric_columns(archive.definitions());
  const auto shown = look_up_metric(columns, options.metric);
  const auto asked = shown ? find_asked_waits(*shown) : std::vector<Metric>();
  const bool needs_all =
      shown && layers == WantLayers::yes &&
      divide_whole(columns, *shown).name == get_entry(Metric::execution_time).name;
  const SeriesPass pass(
      {archive, plan, reading, diagnostics}, loop.loops, members_,
      needs_all ? std::vector<Metric>(waiting_metrics.begin(), waiting_metrics.end()) : asked);
  check_is_known(pass, asked);
  const auto& metric =
      metrics_.emplace_back(find_metric(archive.definitions(), pass.columns(), options.metric,
                                        is_whole(archive.facts()) ? columns : pass.columns()));
  map.metric = metric.entry.name;
  map.kind = metric.entry.kind;
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  if (layers == WantLayers::yes)
    whole_ = divide_whole(pass.columns(), metric);
  metrics_.insert(metrics_.end(), whole_.parts.begin(), whole_.parts.end());

  read(pass, loop, map);
}

void MapPass::read(const SeriesPass& pass, const SeriesLoop& loop, IterationMap& map) {
  std::vector<PathFilter> filters(members_.size(), PathFilter(map.call_path, pass.functions()));
  std::vector<char> has_any(members_.size());  // separate bytes for different threads
  const auto own = read_own_series(pass, loop, [&](const SeriesProfile& of) {
    if (!has_any[of.member])
      has_any[of.member] = has_values(of.profile);
    std::vector<std::uint64_t> values;
    for (const auto& metric : metrics_)
      values.push_back(add_values(of, metric, filters[of.member]));
    rows_[of.member].add(values);
  });
  for (auto member : own)
    rows_[member].finish();
  auto* team = pass.trace().options().team;
  share_found(team, rows_, own);
  share_found(team, has_any, own);

  check_path_was_met(map.call_path, filters, team);
  if (std::find(has_any.begin(), has_any.end(), true) == has_any.end())
    return;
  std::size_t member = 0;
  std::erase_if(map.processes, [&](auto) { return !has_any[member++]; });
}

ReadValues MapPass::read_metric(std::size_t number) const {
  return [this, number](std::size_t process) {
    std::vector<double> out;
    const auto at = std::lower_bound(members_.begin(), members_.end(), process);
    if (at == members_.end() || *at != process)
      return out;

    const auto& metric = metrics_[number];
    for (auto steps : rows_[static_cast<std::size_t>(at - members_.begin())].read(number)) {
      // A damaged trace may bring a difference below 0.
      const auto value = metric.less.empty()
                             ? static_cast<double>(steps)
                             : static_cast<double>(static_cast<std::int64_t>(steps));
      out.push_back(value / static_cast<double>(metric.entry.steps_per_unit));
    }
    return out;
  };
}

}  // namespace tracefold
