#include "pipeline/iterations/program_values.hpp"

#include "base/error.hpp"
#include "base/sort_and_unite.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/facts/program_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

// By stored column how often its values count in a metric: add(weights, column, weight) adds what
// one of the metric's own columns is stored as.
template <class Add>
std::vector<int> weigh(const MetricColumns& columns, const ShownMetric& metric, Add&& add) {
  std::vector<int> weights(columns.size());
  for (auto column : metric.entry.columns)
    add(weights, column, 1);
  for (auto column : metric.less)
    add(weights, column, -1);

  return weights;
}

// What is stored as execution time of an iteration is its rest.
std::vector<int> weigh_columns(const MetricColumns& columns, const ShownMetric& metric) {
  return weigh(columns, metric, [&](auto& weights, std::size_t column, int weight) {
    weights[column] += weight;
    if (column < columns.measured.size() && columns.measured[column] == Metric::execution_time)
      for (std::size_t c = 0; c < columns.measured.size(); ++c)
        if (is_part_of_execution_time(columns.measured[c]))
          weights[c] += weight;
  });
}

// That of a call path is all of it.
std::vector<int> weigh_path_columns(const MetricColumns& columns, const ShownMetric& metric,
                                    Metric time_metric) {
  const auto execution = *columns.find(Metric::execution_time);
  return weigh(columns, metric, [&](auto& weights, std::size_t column, int weight) {
    const auto of = columns.measured[column];
    if (!is_part_of_execution_time(of))
      weights[column] += weight;
    else if (of == time_metric)
      weights[execution] += weight;
  });
}

std::vector<std::size_t> list_lengths(const StoredProgram& stored, std::size_t process) {
  std::vector<std::size_t> lengths;
  for (std::size_t l = 0; l < stored.loops() && stored.iterations(l)[process] > 0; ++l)
    lengths.push_back(static_cast<std::size_t>(stored.iterations(l)[process]));
  return lengths;
}

bool has_processes(const StoredMap& map) {
  const auto is_there = [](const auto& place) { return place.has_value(); };
  return std::any_of(map.places.begin(), map.places.end(), is_there) ||
         std::any_of(map.iterations.begin(), map.iterations.end(),
                     [](std::uint64_t iterations) { return iterations > 0; });
}

// The number of the loop that is this one of a process.
std::size_t find_map_number(const StoredProgram& stored, std::size_t process, std::size_t loop) {
  const auto& maps = stored.maps();
  const auto is_it = [&](const StoredMap& map) { return map.places[process] == loop; };
  if (!stored.has_maps() || is_it(maps[loop]))
    return loop;
  const auto at = std::find_if(maps.begin(), maps.end(), is_it);
  return at == maps.end() ? loop : static_cast<std::size_t>(at - maps.begin());
}

// The loop in which the first process that has one spends most time.
std::size_t find_longest_loop(const StoredProgram& stored) {
  const auto& columns = stored.columns();
  const auto weights =
      weigh_columns(columns, {{"", MetricKind::time, {*columns.find(Metric::execution_time)}}, {}});
  for (std::size_t p = 0; p < stored.size(); ++p) {
    std::vector<double> ticks(list_lengths(stored, p).size());
    if (ticks.empty())
      continue;
    for (std::size_t l = 0; l < ticks.size(); ++l)
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (weights[c] != 0)
          ticks[l] += static_cast<double>(stored.read_series(l, c).of_process[p]);
    return find_map_number(
        stored, p,
        static_cast<std::size_t>(std::max_element(ticks.begin(), ticks.end()) - ticks.begin()));
  }

  throw Error(ErrorKind::usage, "no loop was found")
      .hint("say what the iterations are with `region`");
}

void add_weighted(const std::vector<std::uint64_t>& values, int weight, std::vector<double>& sums) {
  sums.resize(std::max(sums.size(), values.size()));
  for (std::size_t k = 0; k < values.size(); ++k)
    sums[k] += weight * static_cast<double>(values[k]);
}

}  // namespace

StoredLoop::StoredLoop(const StoredProgram& stored, std::optional<std::size_t> number)
    : stored_(stored),
      number_(number ? *number : find_longest_loop(stored)),
      places_(stored.size()) {
  // After a cut of the file, a map may have none of the processes that are left.
  if (stored.has_maps() && number_ < stored.maps().size() && has_processes(stored.maps()[number_]))
    take_map(stored.maps()[number_]);
  else
    find_by_lengths();
  leave_out_idle();
}

void StoredLoop::take_map(const StoredMap& map) {
  places_ = map.places;
  for (std::size_t p = 0; p < map.iterations.size(); ++p)
    if (map.iterations[p] > 0)
      places_[p] = stored_.loops() + number_;
  is_whole_ = map.whole_loop.has_value();
}

void StoredLoop::find_by_lengths() {
  std::size_t length = 0, first = 0;  // of the loop of the first process that has it
  for (std::size_t p = 0; p < stored_.size() && length == 0; ++p)
    if (const auto lengths = list_lengths(stored_, p); number_ < lengths.size()) {
      length = lengths[number_];
      first = p;
    }
  if (length == 0)
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", number_ + 1))
        .hint("see them all with 'tracefold iterations' of the original");

  for (std::size_t p = 0; p < stored_.size(); ++p)
    places_[p] = find_same_loop(list_lengths(stored_, p), number_, length);
  add_other_lengths(first);

  is_whole_ = true;
  for (std::size_t p = 0; p < stored_.size(); ++p)
    is_whole_ &=
        places_[p] == (stored_.iterations(*places_[first])[p] > 0 ? places_[first] : std::nullopt);
}

// A loop of the same number may be another one: what is called in it tells.
void StoredLoop::add_other_lengths(std::size_t first) {
  const auto& iterations = stored_.iterations(number_);
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < places_.size(); ++p)
    if (!places_[p] && iterations[p] > 0)
      others.push_back(p);
  const auto scope = others.empty() ? std::nullopt : stored_.find_scope(name_loop_scope(number_));
  if (!scope)
    return;

  const auto calls = stored_.read_scope(*scope, StoredColumns::time_and_visits);
  const auto& profiles = calls.profiles;
  const auto visits = *profiles.columns.find(Metric::visits);
  const auto list_called = [&](std::size_t process) {
    std::vector<PathIndex> called;
    const auto& paths = profiles.shape(process).paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (profiles.value(process, k, visits) > 0)
        called.push_back(paths[k]);
    return called;
  };
  const auto called = list_called(first);
  for (auto p : others)
    if (list_called(p) == called)
      places_[p] = number_;
}

void StoredLoop::leave_out_idle() {
  const auto& columns = stored_.columns();
  auto idle = places_;  // those whose series are all 0 so far
  const auto find_active = [&](std::size_t column) {
    std::set<std::size_t> places;
    for (const auto& place : idle)
      if (place)
        places.insert(*place);
    for (auto place : places) {
      const auto sums = read_series(place, column).of_process;
      for (std::size_t p = 0; p < idle.size(); ++p)
        if (idle[p] == place && sums[p] > 0)
          idle[p].reset();
    }
  };

  // Nearly all have calls.
  if (const auto visits = columns.find(Metric::visits))
    find_active(*visits);
  for (std::size_t c = 0; c < columns.size(); ++c)
    find_active(c);
  if (idle == places_)
    return;
  for (std::size_t p = 0; p < idle.size(); ++p)
    if (idle[p])
      places_[p].reset();
}

std::size_t StoredLoop::count_iterations(std::size_t process) const {
  const auto place = places_[process];
  if (!place)
    return 0;
  const auto& iterations =
      is_only_of_map(*place) ? stored_.maps()[number_].iterations : stored_.iterations(*place);
  return static_cast<std::size_t>(iterations[process]);
}

ProgramSeries StoredLoop::read_series(std::size_t place, std::size_t column) const {
  return is_only_of_map(place) ? stored_.read_map_series(number_, column)
                               : stored_.read_series(place, column);
}

std::optional<std::vector<std::uint64_t>> StoredLoop::read_sums(std::size_t column) const {
  if (stored_.has_maps())
    return stored_.read_map_sums(number_, column);
  const auto place =
      std::find_if(places_.begin(), places_.end(), [](const auto& of) { return of.has_value(); });
  if (!is_whole_ || place == places_.end())
    return std::nullopt;
  const auto series = stored_.read_series(**place, column);
  return series.of_column.empty() ? std::nullopt : std::optional(series.of_column);
}

std::vector<std::size_t> StoredLoop::list_processes() const {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < places_.size(); ++p)
    if (places_[p])
      out.push_back(p);
  return out;
}

StoredSeries::StoredSeries(const StoredLoop& loop, const ShownMetric& metric)
    : loop_(loop), steps_(static_cast<double>(metric.entry.steps_per_unit)) {
  const auto weights = weigh_columns(loop.stored().columns(), metric);
  for (auto place : list_places())
    for (std::size_t c = 0; c < weights.size(); ++c)
      if (weights[c] != 0)
        add(loop.read_series(place, c), weights[c], values_[place]);
  for (std::size_t c = 0; c < weights.size(); ++c)
    if (weights[c] != 0)
      add_sums(loop.read_sums(c), weights[c]);
}

StoredSeries::StoredSeries(const StoredLoop& loop, const ShownMetric& metric,
                           const Aggregates& calls, const std::vector<PathIndex>& paths)
    : loop_(loop), steps_(static_cast<double>(metric.entry.steps_per_unit)) {
  const auto& stored = loop.stored();
  for (auto place : list_places()) {
    auto& values = values_[place];
    for (auto path : paths) {
      if (loop.is_only_of_map(place) || !stored.has_path_series(place, path))
        continue;
      const auto time_metric = calls.time_metrics[calls.profiles.paths[path].function];
      const auto weights = weigh_path_columns(stored.columns(), metric, time_metric);
      for (std::size_t c = 0; c < weights.size(); ++c)
        if (weights[c] != 0) {
          const auto series = stored.read_path_series(place, path, c);
          add(series, weights[c], values);
          add_sums(loop.is_whole() && !series.of_column.empty() ? std::optional(series.of_column)
                                                                : std::nullopt,
                   weights[c]);
        }
    }
  }
}

std::vector<std::size_t> StoredSeries::list_places() const {
  std::vector<std::size_t> places;
  for (auto process : loop_.list_processes())
    places.push_back(*loop_.find_place(process));
  sort_and_unite(places);
  return places;
}

void StoredSeries::add(const ProgramSeries& series, int weight, Values& out) {
  out.columns = series.columns;
  add_weighted(series.values, weight, out.values);
  add_weighted(series.of_process, weight, out.of_process);
}

void StoredSeries::add_sums(const std::optional<std::vector<std::uint64_t>>& sums, int weight) {
  if (!sums)
    of_column_.reset();
  else if (of_column_)
    add_weighted(*sums, weight, *of_column_);
}

double StoredSeries::get(std::size_t process, std::size_t iteration) const {
  const auto& of_loop = values_.at(*loop_.find_place(process));
  if (of_loop.values.empty())
    return 0;

  const auto per_column = loop_.stored().detail().iterations_per_column;
  const auto column = iteration / per_column;
  const auto together = std::min(per_column, loop_.count_iterations(process) - column * per_column);
  return of_loop.values[process * of_loop.columns + column] /
         (static_cast<double>(together) * steps_);
}

MapSums StoredSeries::list_sums(const std::vector<std::size_t>& processes) const {
  MapSums out;
  for (auto process : processes) {
    const auto& sums = values_.at(*loop_.find_place(process)).of_process;
    out.of_row.push_back(sums.empty() ? 0 : sums[process] / steps_);
  }
  if (of_column_)
    for (auto sum : *of_column_)
      out.of_column.push_back(sum / steps_);

  return out;
}

}  // namespace tracefold
