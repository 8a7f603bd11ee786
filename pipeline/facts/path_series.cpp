#include "pipeline/facts/path_series.hpp"

#include "model/aggregates/aggregates.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_large_functions = 8;

// So many of the functions that have the most time, and may be called in loops.
std::vector<std::size_t> list_largest(const std::vector<double>& times,
                                      const std::vector<Function>& functions, std::size_t most) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto known_by = find_mpi_known_by(functions);
  std::erase_if(order, [&](std::size_t f) {
    const auto& one = functions[f];
    const auto time = time_metric(one.paradigm, one.role, one.name, known_by);
    return times[f] == 0 || find_mpi_bound(one.name, time) != MpiBound::none;
  });
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return times[a] > times[b]; });
  order.resize(std::min(order.size(), most));

  return order;
}

}  // namespace

std::vector<bool> find_large_functions(const Plan& plan, const std::vector<Function>& functions) {
  std::vector<double> times(plan.functions.size());  // ticks
  for (const auto& process : plan.processes) {
    const auto& listed = plan.intents[process.intent].functions;
    for (std::size_t k = 0; k < listed.size() && k < process.exclusive.size(); ++k)
      times[listed[k]] += static_cast<double>(process.exclusive[k]);
  }

  std::set<Function> large;
  for (auto f : list_largest(times, plan.functions, most_large_functions))
    large.insert(plan.functions[f]);
  std::vector<bool> out;
  for (const auto& function : functions)
    out.push_back(large.contains(function));
  return out;
}

std::vector<std::size_t> list_time_columns(const MetricColumns& columns) {
  std::vector<std::size_t> list;
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (columns.kind(c) == MetricKind::time && is_stored_column(columns, c))
      list.push_back(c);
  return list;
}

// Call paths that are in no loop take no place.
std::size_t PathSeries::find_slot(PathIndex path, std::span<const CallPath> paths) {
  if (slots_.size() <= path)
    slots_.resize(path + std::size_t{1}, no_slot);
  auto& slot = slots_[path];
  if (slot == no_slot && path > 0 && functions_[paths[path].function] &&
      series_.size() < most_paths) {
    slot = series_.size();
    series_.push_back({path, {}});
  }
  return slot;
}

void PathSeries::add(std::size_t loop, std::size_t iteration, const CallPathProfile& profile,
                     std::span<const CallPath> paths) {
  for (std::size_t r = 0; r < profile.rows.size(); ++r) {
    const auto slot = find_slot(profile.rows[r].path, paths);
    if (slot == no_slot)
      continue;
    auto& loops = series_[slot].loops;
    if (loops.size() <= loop)
      loops.resize(loop + 1);

    auto& rows = loops[loop];
    values_.assign(columns_.size(), 0);
    while (rows.size() < iteration)
      rows.add(values_);
    auto place = columns_.begin();  // of a column
    for (const auto& [column, value] : profile.row(r)) {
      place = std::find_if(place, columns_.end(), [&](auto known) { return known >= column; });
      if (place != columns_.end() && *place == column)
        values_[static_cast<std::size_t>(place - columns_.begin())] = value;
    }
    rows.add(values_);
  }
}

std::vector<PathSeries::OfPath> PathSeries::finish(std::span<const std::size_t> lengths) {
  values_.assign(columns_.size(), 0);
  for (auto& [path, loops] : series_)
    for (std::size_t l = 0; l < loops.size(); ++l) {
      if (loops[l].size() == 0)
        continue;
      while (loops[l].size() < lengths[l])
        loops[l].add(values_);
      loops[l].finish();
    }
  slots_ = std::vector<std::size_t>();
  return std::move(series_);
}

}  // namespace tracefold
