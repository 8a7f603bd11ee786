#include "pipeline/iterations/map_rows.hpp"

#include "base/error.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tracefold {

namespace {

// Called for each value of what stands for the processes of a map: visit(row, iteration, value).
template <class Visit>
void visit_values(const IterationMap& map, const RowSources& sources, const ReadValues& read,
                  const Visit& visit) {
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto& source = sources[map.processes[r]];
    if (!source)
      continue;
    const auto values = read(source->process);
    for (auto i = map.first; i < std::min(values.size(), map.first + map.iterations); ++i)
      visit(r, i - map.first, values[source->find_kept(i)]);
  }
}

// Sums and counts of values, which become means.
struct Means {
  std::vector<double> sums, counts;

  explicit Means(std::size_t size) : sums(size), counts(size) {}
  void add(std::size_t place, double value) {
    sums[place] += value;
    ++counts[place];
  }
  std::vector<double> list() && {
    std::transform(sums.begin(), sums.end(), counts.begin(), sums.begin(), std::divides<>());
    return std::move(sums);
  }
};

// Means over processes, in columns of so many iterations, and of each row over its iterations.
void list_means(const IterationMap& map, const RowSources& sources, const ReadValues& read,
                std::size_t per_column, std::vector<double>& by_column,
                std::vector<double>& by_row) {
  Means columns((map.iterations + per_column - 1) / per_column), rows(map.processes.size());
  visit_values(map, sources, read, [&](std::size_t row, std::size_t iteration, double value) {
    columns.add(iteration / per_column, value);
    rows.add(row, value);
  });
  by_column = std::move(columns).list();
  by_row = std::move(rows).list();
}

}  // namespace

RowSources list_themselves(std::size_t processes) {
  RowSources out(processes);
  for (std::size_t p = 0; p < processes; ++p)
    out[p] = RowSource{p};
  return out;
}

void choose_iterations(const MapOptions& options, IterationMap& map) {
  const auto all = map.iterations, end = std::min(options.end, all);
  if (all > 0 && options.first >= end)
    throw Error(ErrorKind::usage, "`range`: there is no such iteration")
        .hint(fmt::format("loop {} has {}", map.loop + 1, all));
  map.first = options.first;
  map.iterations = end - options.first;
}

void set_kept(std::span<const std::uint32_t> kept, std::span<const std::uint32_t> kept_of,
              ComparedMap& maps) {
  const auto first = maps.original.first, end = first + maps.original.iterations;
  auto& shown = maps.kept_iterations.emplace();
  for (const auto iteration : kept)
    if (iteration >= first && iteration < end)
      shown.push_back(iteration - static_cast<std::uint32_t>(first));
  if (shown.size() == kept.size())
    maps.kept_of.assign(kept_of.begin(), kept_of.end());
}

void fill_rows(IterationMap& map, const RowSources& sources, const ReadValues& read) {
  std::vector<MapRow> rows;
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    rows.emplace_back(map, r);
  visit_values(map, sources, read, [&](std::size_t row, std::size_t iteration, double value) {
    rows[row].add(iteration, value);
  });
  for (auto& row : rows)
    row.finish();
}

void add_reconstruction(const RowSources& sources, const ReadValues& read, ComparedMap& maps) {
  const auto& map = maps.original;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto& source = sources[map.processes[r]];
    if (!source || source->process != map.processes[r])
      continue;
    maps.kept_rows.push_back(r);
    if (source->kept.size() < source->kept_of.size())
      set_kept(source->kept, source->kept_of, maps);
  }
  if (!maps.kept_iterations && maps.kept_rows.size() == map.processes.size())
    return;

  auto& reconstruction = maps.reconstruction.emplace(map);
  reconstruction.exact_sums.reset();
  std::fill(reconstruction.values.begin(), reconstruction.values.end(),
            std::numeric_limits<double>::quiet_NaN());
  fill_rows(reconstruction, sources, read);
}

void add_layers(const WholeMetric& whole, const RowSources& sources,
                const std::function<ReadValues(std::size_t part)>& read_part, ComparedMap& maps) {
  const auto& map = maps.original;
  auto& layers = maps.layers;
  layers.whole = whole.name;
  layers.kind = whole.kind;
  layers.per_column = (map.iterations + most_layer_columns - 1) / most_layer_columns;
  const auto themselves = list_themselves(sources.size());
  for (std::size_t p = 0; p < whole.parts.size(); ++p) {
    const auto read = read_part(p);
    auto& layer = layers.layers.emplace_back();
    layer.metric = whole.parts[p].entry.name;
    list_means(map, themselves, read, layers.per_column, layer.original, layer.original_rows);
    if (maps.reconstruction)
      list_means(map, sources, read, layers.per_column, layer.reconstruction,
                 layer.reconstruction_rows);
  }
}

}  // namespace tracefold
