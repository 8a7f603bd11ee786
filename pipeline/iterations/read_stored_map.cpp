#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/iterations/stored_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

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
  using KeptAt = std::vector<std::optional<std::size_t>>;  // by iteration of this trace
  std::map<std::size_t, KeptAt> kept_at;                   // by process
  for (std::size_t r = 0; r < series.size(); ++r) {
    auto& process = loops[map.processes[r]];
    // A call that begins in one loop may end in another one.
    for (std::size_t l = 0; l < folds->loops.size(); ++l) {
      KeptAt of_loop;
      process.loops.push_back(make_kept_loop((*series[r])[l], folds->loops[l], of_loop));
      if (l == map.loop)
        kept_at[map.processes[r]] = std::move(of_loop);
    }
    if (series[r]->front().is_taken)
      process.taken_from = map.processes[r];
  }

  const MapPass pass(archive, plan, {loops, map.loop}, options, layers, reading, diagnostics, map);
  choose_iterations(options, map);
  make_cells(map, options.most_cells);
  // As the original had it: each iteration has the value of the one that was kept for it.
  const auto expand = [&](ReadValues read) -> ReadValues {
    return [&, read = std::move(read)](std::size_t process) {
      const auto values = read(process);
      std::vector<double> of_kept(fold.kept.size()), of_all;
      for (std::size_t i = 0; i < values.size(); ++i)
        if (const auto kept = kept_at.at(process)[i])
          of_kept[*kept] = values[i];
      for (auto kept : fold.kept_of)
        of_all.push_back(of_kept[kept]);
      return of_all;
    };
  };
  const auto themselves = list_themselves(plan.processes.size());
  fill_rows(map, themselves, expand(pass.read_values()));
  add_layers(
      pass.whole(), themselves, [&](std::size_t part) { return expand(pass.read_part(part)); },
      out);

  for (std::size_t r = 0; r < map.processes.size(); ++r)
    out.kept_rows.push_back(r);
  if (fold.kept.size() < fold.kept_of.size()) {
    set_kept(fold.kept, fold.kept_of, out);
    diagnostics.note(
        fmt::format("of {} iterations {} were kept, and stand for the others as it was stored",
                    fold.kept_of.size(), fold.kept.size()));
  }

  return out;
}

}  // namespace tracefold
