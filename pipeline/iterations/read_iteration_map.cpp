#include "pipeline/iterations/read_iteration_map.hpp"

#include "base/ranges.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/profile/series_sums.hpp"
#include "pipeline/profile/stored_aggregates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

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

// None where there is no such metric.
std::optional<ShownMetric> look_up_metric(const MetricColumns& columns, const std::string& name) {
  if (const auto found = find_entry(CondensedForm(columns).entries(), name))
    return ShownMetric{*found};

  auto computation = make_computation_time(columns);
  if (find_entry({computation.entry}, name))
    return computation;
  return std::nullopt;
}

// `listed` are the columns that are named where there is no such metric.
ShownMetric find_metric(const MetricColumns& columns, const std::string& name,
                        const MetricColumns& listed) {
  if (auto found = look_up_metric(columns, name))
    return std::move(*found);

  auto metrics = CondensedForm(listed).entries();
  metrics.push_back(make_computation_time(listed).entry);
  throw Error(ErrorKind::usage, fmt::format("`map` '{}': the trace has no such metric", name))
      .hint(fmt::format("one of: {}", fmt::join(list_names(metrics), ", ")));
}

// The times of waiting that a map takes: the metric itself, or none.
std::vector<Metric> find_wanted_waits(const MetricColumns& columns, const std::string& name) {
  const auto found = look_up_metric(columns, name);
  for (auto wait : waiting_metrics)
    if (found && found->entry.kind == MetricKind::time && found->entry.name == get_entry(wait).name)
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

// The processes that have the loop; no cells yet.
IterationMap list_map_rows(const std::vector<std::size_t>& members,
                           const std::vector<ProcessLoops>& loops, const MapOptions& options) {
  IterationMap map;
  map.loop = options.loop.value_or(find_main_loop(members, loops));
  map.call_path = options.call_path;
  for (auto m : members)
    if (map.loop < loops[m].loops.size()) {
      map.processes.push_back(m);
      map.iterations = std::max(map.iterations, loops[m].loops[map.loop].iterations.size());
    }

  if (map.processes.empty())
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", map.loop + 1))
        .hint("see them all with 'tracefold iterations'");

  return map;
}

void check_path_was_met(const IterationMap& map, const std::vector<PathFilter>& filters) {
  if (!map.call_path.empty() &&
      std::none_of(filters.begin(), filters.end(), [](const auto& filter) { return filter.any(); }))
    throw Error(ErrorKind::usage,
                fmt::format("`call_path` '{}': no call path of the loop matches", map.call_path))
        .hint("call paths are as in 'main > solve > MPI_Wait'; * is any text");
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

// The whole that a metric is a part of, and its parts: what is measured, but not what is part of
// something measured, too. Of execution time, the rest is computation.
struct WholeMetric {
  std::string name;
  MetricKind kind = MetricKind::count;
  std::vector<ShownMetric> parts;  // empty where there are less than two
};

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

// In how many iterations of a column a kept iteration stands.
struct ColumnUse {
  std::size_t column = 0;
  std::uint64_t times = 0;
};

// By kept iteration where it stands, ascending by columns.
using IterationUses = std::vector<std::vector<ColumnUse>>;

IterationUses list_uses(const KeptIterations& choice, std::size_t per_column) {
  IterationUses uses(choice.kept.size());
  for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
    auto& of_kept = uses[choice.kept_of[i]];
    if (of_kept.empty() || of_kept.back().column != i / per_column)
      of_kept.push_back({i / per_column, 0});
    ++of_kept.back().times;
  }

  return uses;
}

// How one loop is folded: the choice, and where what stays stands in the map and in layers.
struct LoopUses {
  const KeptIterations* choice = nullptr;
  IterationUses in_map, in_layers;

  // The place of an iteration among those that stay.
  std::optional<std::size_t> find_kept(std::size_t iteration) const {
    const auto& kept = choice->kept;
    const auto found = std::lower_bound(kept.begin(), kept.end(), iteration);
    if (found == kept.end() || *found != iteration)
      return std::nullopt;
    return static_cast<std::size_t>(found - kept.begin());
  }
};

// Who stands for the rows of a map.
struct RowFold {
  std::optional<std::size_t> stand_in;  // row; none: it is not in the map
  std::uint64_t rows = 0;               // that this one stands for
  const LoopUses* folded = nullptr;     // where it stands for others: how its iterations are folded
};

// The section's loop that begins where the map's does.
const FoldedLoop* find_folded_loop(const IterationSection& section, const AlignedProcess& aligned,
                                   const Loop& loop) {
  const auto& folded = aligned.loops.loops;
  for (std::size_t l = 0; l < folded.size(); ++l)
    if (folded[l].iterations == loop.iterations)
      return &section.loops[l];

  return nullptr;
}

class MapFolds {
 public:
  MapFolds(const Plan& plan, const std::vector<ProcessLoops>& loops, const IterationMap& map,
           std::size_t per_layer_column)
      : rows_(map.processes.size()) {
    std::vector<std::optional<std::size_t>> row_of(plan.processes.size());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      row_of[map.processes[r]] = r;

    find_stand_ins(plan, map, row_of);
    if (!plan.iterations)
      return;

    for (const auto& aligned : plan.iterations->processes) {
      const auto row = row_of[aligned.process];
      if (!row || rows_[*row].rows == 0)
        continue;
      const auto* loop =
          find_folded_loop(*plan.iterations, aligned, loops[aligned.process].loops[map.loop]);
      if (loop && loop->choice.kept.size() < loop->choice.kept_of.size())
        rows_[*row].folded = add_uses(loop->choice, map.per_column, per_layer_column);
    }
  }

  const RowFold& row(std::size_t r) const { return rows_[r]; }
  bool is_kept(std::size_t r) const { return rows_[r].stand_in == r; }
  // None: all stay.
  const KeptIterations* choice() const { return uses_.empty() ? nullptr : uses_.begin()->first; }
  bool any() const {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!is_kept(r))
        return true;
    return !uses_.empty();
  }

 private:
  void find_stand_ins(const Plan& plan, const IterationMap& map,
                      const std::vector<std::optional<std::size_t>>& row_of) {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      rows_[r].stand_in = r;

    if (plan.representatives)
      for (const auto& representative : *plan.representatives)
        for (auto m : representative.members)
          if (row_of[m])
            rows_[*row_of[m]].stand_in = row_of[representative.process];

    for (std::size_t r = 0; r < map.processes.size(); ++r)
      if (rows_[r].stand_in)
        ++rows_[*rows_[r].stand_in].rows;
  }

  const LoopUses* add_uses(const KeptIterations& choice, std::size_t per_column,
                           std::size_t per_layer_column) {
    auto& uses = uses_[&choice];
    if (!uses.choice)
      uses = {&choice, list_uses(choice, per_column), list_uses(choice, per_layer_column)};
    return &uses;
  }

  std::vector<RowFold> rows_;
  std::map<const KeptIterations*, LoopUses> uses_;
};

// The sums of all processes in each column of layers. Integers, so that they do not depend on the
// order in which processes are read. Thread-safe.
class LayerSums {
 public:
  LayerSums(std::size_t parts, std::size_t columns)
      : parts_(parts), sums_((parts + 1) * columns), columns_(columns) {}

  // Of an iteration: the values of the parts, this often.
  void add(std::size_t column, std::span<const std::uint64_t> values, std::uint64_t times) {
    for (std::size_t p = 0; p < parts_; ++p)
      sums_[p * columns_ + column].fetch_add(values[p] * times, std::memory_order_relaxed);
    sums_[parts_ * columns_ + column].fetch_add(times, std::memory_order_relaxed);
  }

  std::vector<double> list_means(std::size_t part) const {
    std::vector<double> means;
    for (std::size_t c = 0; c < columns_; ++c) {
      const auto times = sums_[parts_ * columns_ + c].load();
      // Computation time is a difference, which a damaged trace may bring below 0.
      const auto sum = static_cast<std::int64_t>(sums_[part * columns_ + c].load());
      means.push_back(times > 0 ? static_cast<double>(sum) / static_cast<double>(times)
                                : std::numeric_limits<double>::quiet_NaN());
    }

    return means;
  }

 private:
  std::size_t parts_;
  std::vector<std::atomic<std::uint64_t>> sums_;  // part by part, and then numbers of iterations
  std::size_t columns_;
};

// Sums of the values of one process's iterations, for the reconstruction of its row.
void put_kept_value(IterationMap& map, std::size_t row, std::span<const ColumnUse> uses,
                    double value) {
  for (const auto& use : uses) {
    auto& cell = map.values[row * map.columns + use.column];
    cell = (std::isnan(cell) ? 0 : cell) + value * static_cast<double>(use.times);
  }
}

void divide_by_iterations(IterationMap& map, std::size_t row, std::size_t iterations) {
  for (std::size_t c = 0; c < map.columns; ++c) {
    const auto first = c * map.per_column;
    if (first < iterations)
      map.values[row * map.columns + c] /=
          static_cast<double>(std::min(map.per_column, iterations - first));
  }
}

void copy_row(const IterationMap& from, std::size_t from_row, IterationMap& to,
              std::size_t to_row) {
  const auto values = from.row(from_row);
  std::copy(values.begin(), values.end(),
            to.values.begin() + static_cast<std::ptrdiff_t>(to_row * to.columns));
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
  auto map = list_map_rows(members, loops, options);
  const auto all_columns = choose_metric_columns(archive.definitions());
  const auto waits = find_wanted_waits(all_columns, options.metric);
  const SeriesPass pass(archive, plan, loops, map.processes, waits, reading, diagnostics);
  check_is_known(pass, waits);
  const auto metric = find_metric(pass.columns(), options.metric, all_columns);
  const auto& entry = metric.entry;
  map.metric = entry.name;
  map.kind = entry.kind;
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

  check_path_was_met(map, filters);

  return map;
}

namespace {

// The loop of a trace's first original that takes most of the time of the first process.
std::size_t find_main_series(const std::vector<KeptSeries>& series) {
  const auto measure = [](const KeptSeries& loop) {
    return loop.iterations.back().end - loop.iterations.front().begin;
  };
  return static_cast<std::size_t>(
      std::max_element(series.begin(), series.end(),
                       [&](const auto& a, const auto& b) { return measure(a) < measure(b); }) -
      series.begin());
}

// A metric in the columns that the reduced trace tells, and in those that are stored. What the
// trace has no column for is 0 in it.
struct StoredMetric {
  ShownMetric told;
  std::vector<std::size_t> stored;
};

StoredMetric divide_stored_metric(const ShownMetric& metric, const MetricColumns& stored,
                                  const MetricColumns& told) {
  StoredMetric out{{{metric.entry.name, metric.entry.kind, {}}, {}}, {}};
  const auto find_told = [&](std::size_t column, std::vector<std::size_t>& to) {
    if (column < stored.measured.size()) {
      if (const auto at = told.find(stored.measured[column]))
        to.push_back(*at);
      return;
    }
    const auto& name = stored.counters[column - stored.measured.size()];
    const auto at = std::find(told.counters.begin(), told.counters.end(), name);
    if (at != told.counters.end())
      to.push_back(told.measured.size() + static_cast<std::size_t>(at - told.counters.begin()));
  };

  for (auto column : metric.entry.columns)
    if (is_lost(stored, column))
      out.stored.push_back(column);
    else
      find_told(column, out.told.entry.columns);
  for (auto column : metric.less)
    find_told(column, out.told.less);

  return out;
}

// A tree as series have it: the first path stands for the virtual root.
std::vector<CallPath> add_root(const std::vector<CallPath>& paths) {
  std::vector<CallPath> tree(1);
  for (const auto& path : paths)
    tree.push_back({path.caller == no_path ? 0 : path.caller + 1, path.function});
  return tree;
}

}  // namespace

std::optional<IterationMap> read_stored_map(const Archive& archive, const Plan& plan,
                                            const std::vector<std::size_t>& members,
                                            const MapOptions& options, const ReadOptions& reading,
                                            Diagnostics& diagnostics) {
  const auto found = StoredAggregates::read(archive, plan.filters);
  IterationMap map;
  std::vector<const std::vector<KeptSeries>*> series;  // by row
  for (auto m : members)
    if (const auto* one = found ? found->find_series(plan.processes[m].id) : nullptr) {
      map.processes.push_back(m);
      series.push_back(one);
    }
  if (map.processes.empty())
    return std::nullopt;

  const auto& stored = found->aggregates();
  map.loop = options.loop.value_or(find_main_series(*series.front()));
  map.call_path = options.call_path;
  if (map.loop >= stored.loops.size())
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", map.loop + 1))
        .hint(fmt::format("the original has {} that were folded", stored.loops.size()));

  const auto& fold = stored.loops[map.loop];
  map.iterations = fold.kept_of.size();
  std::vector<ProcessLoops> loops(plan.processes.size());
  std::vector<std::optional<std::size_t>> kept_at;
  for (std::size_t r = 0; r < series.size(); ++r) {
    const auto& mine = (*series[r])[map.loop];
    auto& process = loops[map.processes[r]];
    kept_at.clear();
    process.loops.push_back(make_kept_loop(mine, fold, kept_at));
    if (mine.is_taken)
      process.taken_from = map.processes[r];
  }

  // Who waits cannot be told from what is left of the trace.
  for (auto wait : find_wanted_waits(choose_metric_columns(archive.definitions()), options.metric))
    if (!stored.profiles.columns.find(wait))
      throw Error(ErrorKind::usage,
                  fmt::format("`map` '{}': was not stored when the trace was reduced",
                              get_entry(wait).name))
          .hint("it takes the original trace");

  const SeriesPass pass(archive, plan, loops, map.processes, {}, reading, diagnostics);
  const auto shown = find_metric(stored.profiles.columns, options.metric, stored.profiles.columns);
  const auto metric = divide_stored_metric(shown, stored.profiles.columns, pass.columns());
  map.metric = shown.entry.name;
  map.kind = shown.entry.kind;
  make_cells(map, std::min<std::uint64_t>(most_cells, reading.memory / 4 / sizeof(double)));

  std::vector<std::vector<double>> values(series.size(), std::vector<double>(fold.kept.size()));
  std::vector<PathFilter> filters(series.size(), PathFilter(map.call_path, pass.functions()));
  read_series(pass, SeriesLoop{loops, 0}, [&](const SeriesProfile& of) {
    if (const auto kept = kept_at[of.iteration])
      values[of.member][*kept] = add_values(of, metric.told, filters[of.member]);
  });

  const auto tree = add_root(stored.profiles.paths);
  filters.emplace_back(map.call_path, stored.functions);
  for (std::size_t r = 0; r < series.size(); ++r)
    for (const auto& amounts : (*series[r])[map.loop].amounts)
      if (std::find(metric.stored.begin(), metric.stored.end(), amounts.column) !=
              metric.stored.end() &&
          filters.back().counts(amounts.path + 1, tree))
        for (std::size_t k = 0; k < fold.kept.size(); ++k)
          values[r][k] += static_cast<double>(amounts.values[k]);

  for (std::size_t r = 0; r < series.size(); ++r) {
    MapRow row(map, r);
    for (std::size_t i = 0; i < fold.kept_of.size(); ++i)
      row.add(i, values[r][fold.kept_of[i]]);
    row.finish();
  }

  check_path_was_met(map, filters);
  if (fold.kept.size() < fold.kept_of.size())
    diagnostics.note(
        fmt::format("of {} iterations {} were kept, and stand for the others as it was stored",
                    fold.kept_of.size(), fold.kept.size()));

  return map;
}

ComparedMap read_compared_map(const Archive& archive, const Plan& plan,
                              const std::vector<ProcessLoops>& loops, const MapOptions& options,
                              const ReadOptions& reading, Diagnostics& diagnostics) {
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  ComparedMap out;
  auto& map = out.original;
  map = list_map_rows(members, loops, options);

  const auto all_columns = choose_metric_columns(archive.definitions());
  const auto waits = find_wanted_waits(all_columns, options.metric);
  const SeriesPass pass(archive, plan, loops, map.processes, waits, reading, diagnostics);
  check_is_known(pass, waits);
  const auto metric = find_metric(pass.columns(), options.metric, all_columns);
  map.metric = metric.entry.name;
  map.kind = metric.entry.kind;
  make_cells(map, std::min<std::uint64_t>(most_cells, reading.memory / 4 / sizeof(double)) / 2);

  const auto whole = divide_whole(pass.columns(), metric);
  out.layers.whole = whole.name;
  out.layers.kind = whole.kind;
  out.layers.per_column = (map.iterations + most_layer_columns - 1) / most_layer_columns;
  const auto layer_columns = (map.iterations + out.layers.per_column - 1) / out.layers.per_column;

  const MapFolds folds(plan, loops, map, out.layers.per_column);
  if (folds.any())
    out.reconstruction = map;

  LayerSums original_layers(whole.parts.size(), layer_columns);
  LayerSums kept_layers(whole.parts.size(), layer_columns);
  std::vector<MapRow> rows;
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    rows.emplace_back(map, r);
  std::vector<PathFilter> filters(map.processes.size(),
                                  PathFilter(map.call_path, pass.functions()));

  read_series(pass, SeriesLoop{loops, map.loop}, [&](const SeriesProfile& of) {
    const auto value = add_values(of, metric, filters[of.member]);
    rows[of.member].add(of.iteration, value);
    std::vector<std::uint64_t> parts;
    for (const auto& part : whole.parts)
      parts.push_back(static_cast<std::uint64_t>(
          static_cast<std::int64_t>(add_values(of, part, filters[of.member]))));
    original_layers.add(of.iteration / out.layers.per_column, parts, 1);

    const auto& fold = folds.row(of.member);
    if (!out.reconstruction || fold.rows == 0)
      return;
    if (!fold.folded) {
      kept_layers.add(of.iteration / out.layers.per_column, parts, fold.rows);
      return;
    }
    if (const auto kept = fold.folded->find_kept(of.iteration)) {
      put_kept_value(*out.reconstruction, of.member, fold.folded->in_map[*kept], value);
      for (const auto& use : fold.folded->in_layers[*kept])
        kept_layers.add(use.column, parts, use.times * fold.rows);
    }
  });
  for (auto& row : rows)
    row.finish();

  check_path_was_met(map, filters);
  for (std::size_t p = 0; p < whole.parts.size(); ++p)
    out.layers.layers.push_back(
        {whole.parts[p].entry.name, original_layers.list_means(p),
         out.reconstruction ? kept_layers.list_means(p) : std::vector<double>()});

  for (std::size_t r = 0; r < map.processes.size(); ++r)
    if (folds.is_kept(r))
      out.kept_rows.push_back(r);
  if (const auto* choice = folds.choice())
    out.kept_iterations = choice->kept;
  if (!out.reconstruction)
    return out;

  // The rows that stay, and then those that they stand for.
  for (auto r : out.kept_rows)
    if (const auto* folded = folds.row(r).folded)
      divide_by_iterations(*out.reconstruction, r, folded->choice->kept_of.size());
    else
      copy_row(map, r, *out.reconstruction, r);
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    if (const auto stand_in = folds.row(r).stand_in; stand_in && *stand_in != r)
      copy_row(*out.reconstruction, *stand_in, *out.reconstruction, r);

  return out;
}

}  // namespace tracefold
