#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/call_paths/stored_aggregates.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tracefold {

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

// A metric in the columns that the reduced trace tells, and in those that are stored, which may
// count in other steps. What the trace has no column for is 0 in it.
struct StoredMetric {
  ShownMetric told;
  std::vector<std::size_t> stored;
  std::uint64_t stored_steps = 1;
};

StoredMetric divide_stored_metric(const ShownMetric& metric, const MetricColumns& stored,
                                  const MetricColumns& told) {
  StoredMetric out{
      {{metric.entry.name, metric.entry.kind, {}}, {}}, {}, metric.entry.steps_per_unit};
  const auto find_told = [&](std::size_t column, std::vector<std::size_t>& to) {
    if (column < stored.measured.size()) {
      if (const auto at = told.find(stored.measured[column]))
        to.push_back(*at);
      return;
    }
    if (const auto at = told.find(stored.counter(column)->name)) {
      to.push_back(*at);
      out.told.entry.steps_per_unit = told.counter(*at)->steps_per_unit;
    }
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

// Whether a metric is the sum of some that the series of the stored processes do not have.
bool is_cut_in_series(const Aggregates& stored, const ShownMetric& metric) {
  const auto& columns = stored.profiles.columns;
  return std::any_of(
      metric.entry.columns.begin(), metric.entry.columns.end(), [&](std::size_t column) {
        return column < columns.measured.size() &&
               std::binary_search(stored.cut_in_series.begin(), stored.cut_in_series.end(),
                                  columns.measured[column]);
      });
}

// As leave_out_rows() does of a map.
void leave_out(const std::vector<bool>& is_empty, std::vector<std::vector<double>>& rows) {
  if (std::find(is_empty.begin(), is_empty.end(), false) == is_empty.end())
    return;
  std::size_t r = 0;
  std::erase_if(rows, [&](const auto&) { return is_empty[r++]; });
}

// Means over processes, of values by part, row and kept iteration.
MapLayers make_layers(const WholeMetric& whole,
                      const std::vector<std::vector<std::vector<double>>>& values,
                      const SeriesFold& fold) {
  const auto iterations = fold.kept_of.size();
  MapLayers out{
      whole.name, whole.kind, (iterations + most_layer_columns - 1) / most_layer_columns, {}};

  for (std::size_t p = 0; p < whole.parts.size(); ++p) {
    auto& means = out.layers.emplace_back(MapLayer{whole.parts[p].entry.name, {}, {}}).original;
    for (std::size_t first = 0; first < iterations; first += out.per_column) {
      const auto last = std::min(first + out.per_column, iterations);
      double sum = 0;
      for (const auto& row : values[p])
        for (auto i = first; i < last; ++i)
          sum += row[fold.kept_of[i]];
      means.push_back(sum / static_cast<double>(values[p].size() * (last - first)));
    }
  }

  return out;
}

}  // namespace

std::optional<ComparedMap> read_stored_map(const Archive& archive, const Plan& plan,
                                           const std::vector<std::size_t>& members,
                                           const MapOptions& options, WantLayers layers,
                                           const ReadOptions& reading, Diagnostics& diagnostics) {
  const auto found = StoredAggregates::read(archive, plan.filters);
  ComparedMap out;
  auto& map = out.original;
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
  std::vector<std::vector<std::optional<std::size_t>>> kept_at;  // by loop
  for (std::size_t r = 0; r < series.size(); ++r) {
    auto& process = loops[map.processes[r]];
    kept_at.assign(stored.loops.size(), {});
    // A call that begins in one loop may end in another one.
    for (std::size_t l = 0; l < stored.loops.size(); ++l)
      process.loops.push_back(make_kept_loop((*series[r])[l], stored.loops[l], kept_at[l]));
    if (series[r]->front().is_taken)
      process.taken_from = map.processes[r];
  }

  // Who waits cannot be told from what is left of the trace.
  for (auto wait : find_wanted_waits(choose_metric_columns(archive.definitions()), options.metric))
    if (!stored.profiles.columns.find(wait))
      throw Error(ErrorKind::usage,
                  fmt::format("`map` '{}': was not stored when the trace was reduced",
                              get_entry(wait).name))
          .hint("it takes the original trace");

  const SeriesPass pass({archive, plan, reading, diagnostics}, loops, map.processes, {});
  const auto shown = find_metric(archive.definitions(), stored.profiles.columns, options.metric,
                                 stored.profiles.columns);
  if (is_cut_in_series(stored, shown))
    throw Error(ErrorKind::usage,
                fmt::format("`map` '{}': is not known by iterations, since its records were left "
                            "out before iterations were folded",
                            shown.entry.name))
        .hint("it takes the original trace");
  map.metric = shown.entry.name;
  map.kind = shown.entry.kind;
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  make_cells(map, options.most_cells);

  auto whole =
      layers == WantLayers::yes ? divide_whole(stored.profiles.columns, shown) : WholeMetric{};
  if (std::any_of(whole.parts.begin(), whole.parts.end(),
                  [&](const auto& part) { return is_cut_in_series(stored, part); }))
    whole = {};
  std::vector<StoredMetric> metrics{
      divide_stored_metric(shown, stored.profiles.columns, pass.columns())};
  for (const auto& part : whole.parts)
    metrics.push_back(divide_stored_metric(part, stored.profiles.columns, pass.columns()));

  // By metric, row and kept iteration.
  std::vector values(metrics.size(), std::vector<std::vector<double>>(
                                         series.size(), std::vector<double>(fold.kept.size())));
  std::vector<PathFilter> filters(series.size(), PathFilter(map.call_path, pass.functions()));
  RecordedRows recorded(series.size());
  const auto own = read_own_series(pass, SeriesLoop{loops, map.loop}, [&](const SeriesProfile& of) {
    recorded.add(of);
    if (const auto kept = kept_at[map.loop][of.iteration])
      for (std::size_t m = 0; m < metrics.size(); ++m)
        values[m][of.member][*kept] = add_values(of, metrics[m].told, filters[of.member]);
  });
  for (auto& of_metric : values)
    share_found(reading.team, of_metric, own);
  recorded.share(reading.team, own);

  const auto tree = add_root(stored.profiles.paths);
  filters.emplace_back(map.call_path, stored.functions);
  for (std::size_t r = 0; r < series.size(); ++r)
    for (const auto& amounts : (*series[r])[map.loop].amounts) {
      if (std::any_of(amounts.values.begin(), amounts.values.end(), [](auto v) { return v != 0; }))
        recorded.mark(r);
      const auto path = amounts.path == no_path ? PathIndex{0} : amounts.path + 1;
      if (!filters.back().counts(path, tree))
        continue;
      for (std::size_t m = 0; m < metrics.size(); ++m)
        if (std::find(metrics[m].stored.begin(), metrics[m].stored.end(), amounts.column) !=
            metrics[m].stored.end())
          for (std::size_t k = 0; k < fold.kept.size(); ++k)
            values[m][r][k] += static_cast<double>(amounts.values[k]) /
                               static_cast<double>(metrics[m].stored_steps);
    }

  for (std::size_t r = 0; r < series.size(); ++r) {
    MapRow row(map, r);
    for (std::size_t i = 0; i < fold.kept_of.size(); ++i)
      row.add(i, values[0][r][fold.kept_of[i]]);
    row.finish();
    out.kept_rows.push_back(r);
  }
  if (fold.kept.size() < fold.kept_of.size())
    out.kept_iterations = fold.kept;

  const auto is_empty = recorded.list_empty();
  leave_out_rows(is_empty, out);
  values.erase(values.begin());
  for (auto& rows : values)
    leave_out(is_empty, rows);
  out.layers = make_layers(whole, values, fold);

  check_path_was_met(map, filters, reading.team);
  if (fold.kept.size() < fold.kept_of.size())
    diagnostics.note(
        fmt::format("of {} iterations {} were kept, and stand for the others as it was stored",
                    fold.kept_of.size(), fold.kept.size()));

  return out;
}

}  // namespace tracefold
