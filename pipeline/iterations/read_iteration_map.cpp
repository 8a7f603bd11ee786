#include "pipeline/iterations/map_pass.hpp"

#include "model/plan.hpp"

#include <algorithm>

namespace tracefold {

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
  const auto loop = choose_map_loop(members, loops, options);
  auto map = list_map_rows(members, loop, options);
  MapPass shown(archive, plan, loops, map, options, reading, diagnostics);
  make_cells(map, options.most_cells);
  auto rows = shown.list_rows(map);

  RecordedRows recorded(rows.size());
  const auto own = read_own_series(shown.pass, loop, [&](const SeriesProfile& of) {
    recorded.add(of);
    rows[of.member].add(of.iteration, add_values(of, shown.metric, shown.filters[of.member]));
  });
  for (auto& row : rows)
    row.finish();
  share_rows(shown.team(), own, map);
  recorded.share(shown.team(), own);

  check_path_was_met(map, shown.filters, shown.team());
  leave_out_rows(recorded.list_empty(), map);

  return map;
}

}  // namespace tracefold
