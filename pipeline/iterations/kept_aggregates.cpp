#include "pipeline/iterations/kept_aggregates.hpp"

#include "base/team.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/plan.hpp"
#include "pipeline/call_paths/merge_call_paths.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/collapse.hpp"

#include <algorithm>

namespace tracefold {

LostAmounts::LostAmounts(const IterationReadings& readings, const std::vector<FoldedLoop>& folded) {
  const auto& columns = readings.pass().columns();
  for (std::size_t c = 0; c < columns.size(); ++c)
    is_lost_.push_back(is_lost(columns, c));
  for (const auto& loop : folded)
    kept_.push_back(&loop.choice);
  for (auto p : readings.processes())
    amounts_[p].resize(folded.size());
}

void LostAmounts::add(std::size_t process, LoopIteration at, const CallPathProfile& profile) {
  const auto& kept = kept_[at.loop]->kept;
  const auto found = std::lower_bound(kept.begin(), kept.end(), at.iteration);
  if (found == kept.end() || *found != at.iteration)
    return;

  auto& amounts = amounts_.at(process)[at.loop];
  for (std::size_t r = 0; r < profile.rows.size(); ++r)
    for (const auto& [column, value] : profile.row(r)) {
      if (!is_lost_[column])
        continue;
      auto& values = amounts[{column, profile.rows[r].path}];
      values.resize(kept.size());
      values[static_cast<std::size_t>(found - kept.begin())] = value;
    }
}

void LostAmounts::share(Team* team) {
  amounts_ = compute_once<decltype(amounts_)>(team, [&] { return std::move(amounts_); });
}

std::vector<SeriesAmounts> LostAmounts::list(std::size_t process, std::size_t loop,
                                             const std::vector<CallPath>& paths,
                                             const PathNumbers::Tree& tree) const {
  std::vector<SeriesAmounts> out;
  PathNumbers numbers;
  for (const auto& [key, values] : amounts_.at(process)[loop])
    out.push_back({key.first, numbers.find(tree, key.second, paths), values});

  return out;
}

namespace {

// How the iterations of a process were folded; none where it stays whole.
std::vector<KeptSeries> list_series(std::size_t process, const IterationSection& section,
                                    const std::vector<SeriesFold>& folds,
                                    const PathNumbers::Tree& tree, const LostAmounts& lost,
                                    const IterationReadings& readings) {
  std::vector<KeptSeries> series;
  for (const auto& aligned : section.processes)
    if (aligned.process == process)
      for (std::size_t l = 0; l < folds.size(); ++l) {
        series.push_back(make_kept_series(aligned.loops.loops[l],
                                          aligned.loops.taken_from.has_value(), folds[l]));
        series.back().amounts = lost.list(process, l, readings.call_paths(process), tree);
      }

  return series;
}

}  // namespace

Aggregates sum_kept_processes(const std::vector<std::size_t>& kept, const IterationSection& section,
                              const LostAmounts& lost, IterationReadings& readings) {
  const auto& trace = readings.pass().trace();
  const auto earlier = find_earlier_reductions(trace.definitions());
  const auto find_source = [&](std::size_t process) {
    const auto id = trace.plan().processes[process].id;
    const auto at = earlier.find(id);
    return at == earlier.end() ? id : at->second.source;
  };
  auto by_source = kept;
  std::sort(by_source.begin(), by_source.end(),
            [&](auto a, auto b) { return find_source(a) < find_source(b); });
  std::vector<std::uint64_t> locations;
  locations.reserve(by_source.size());
  for (auto p : by_source)
    locations.push_back(find_source(p));

  auto profiles = readings.sum_processes(by_source);
  const auto tree = PathNumbers::make_tree(profiles.paths);
  std::vector<SeriesFold> folds;
  for (const auto& loop : section.loops)
    folds.push_back({loop.choice.kept, loop.choice.kept_of});
  std::vector<std::vector<KeptSeries>> series;
  series.reserve(by_source.size());
  for (auto p : by_source)
    series.push_back(list_series(p, section, folds, tree, lost, readings));

  auto out = make_aggregates(readings.pass().functions(), readings.pass().time_metrics(),
                             std::move(locations), std::move(profiles));
  out.loops = std::move(folds);
  out.series = std::move(series);

  return out;
}

}  // namespace tracefold
