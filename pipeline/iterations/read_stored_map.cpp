#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/iterations/stored_folds.hpp"

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
                      const LoopFold& fold) {
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
  const auto folds = read_kept_folds(archive);
  const auto earlier = find_earlier_reductions(archive.definitions());
  ComparedMap out;
  auto& map = out.original;
  std::vector<const std::vector<KeptSeries>*> series;  // by row
  for (auto m : members) {
    const auto source = find_first_original(earlier, plan.processes[m].id);
    if (folds && folds->series.contains(source)) {
      map.processes.push_back(m);
      series.push_back(&folds->series.at(source));
    }
  }
  if (map.processes.empty())
    return std::nullopt;

  map.loop = options.loop.value_or(find_main_series(*series.front()));
  map.call_path = options.call_path;
  if (map.loop >= folds->loops.size())
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", map.loop + 1))
        .hint(fmt::format("the original has {} that were folded", folds->loops.size()));

  const auto& fold = folds->loops[map.loop];
  map.iterations = fold.kept_of.size();
  std::vector<ProcessLoops> loops(plan.processes.size());
  std::vector<std::vector<std::optional<std::size_t>>> kept_at;  // by loop
  for (std::size_t r = 0; r < series.size(); ++r) {
    auto& process = loops[map.processes[r]];
    kept_at.assign(folds->loops.size(), {});
    // A call that begins in one loop may end in another one.
    for (std::size_t l = 0; l < folds->loops.size(); ++l)
      process.loops.push_back(make_kept_loop((*series[r])[l], folds->loops[l], kept_at[l]));
    if (series[r]->front().is_taken)
      process.taken_from = map.processes[r];
  }

  const SeriesPass pass({archive, plan, reading, diagnostics}, loops, map.processes, {});
  std::vector<ShownMetric> metrics{
      find_metric(archive.definitions(), pass.columns(), options.metric, pass.columns())};
  map.metric = metrics.front().entry.name;
  map.kind = metrics.front().entry.kind;
  map.recorded_unit = find_recorded_unit(archive.definitions(), map.kind, map.metric);
  make_cells(map, options.most_cells);
  const auto whole =
      layers == WantLayers::yes ? divide_whole(pass.columns(), metrics.front()) : WholeMetric{};
  metrics.insert(metrics.end(), whole.parts.begin(), whole.parts.end());

  // By metric, row and kept iteration.
  std::vector values(metrics.size(), std::vector<std::vector<double>>(
                                         series.size(), std::vector<double>(fold.kept.size())));
  std::vector<PathFilter> filters(series.size(), PathFilter(map.call_path, pass.functions()));
  RecordedRows recorded(series.size());
  const auto own = read_own_series(pass, SeriesLoop{loops, map.loop}, [&](const SeriesProfile& of) {
    recorded.add(of);
    if (const auto kept = kept_at[map.loop][of.iteration])
      for (std::size_t m = 0; m < metrics.size(); ++m)
        values[m][of.member][*kept] = add_values(of, metrics[m], filters[of.member]);
  });
  for (auto& of_metric : values)
    share_found(reading.team, of_metric, own);
  recorded.share(reading.team, own);

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
