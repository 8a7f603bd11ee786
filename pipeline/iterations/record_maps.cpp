#include "pipeline/iterations/record_maps.hpp"

#include "base/team.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/iterations/complete_map_loop.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <map>
#include <memory>
#include <utility>

namespace tracefold {

namespace {

using LoopsOfMap = std::map<std::size_t, ProcessLoops>;  // by process

// Sums over call paths, by process and iteration.
std::map<std::size_t, PackedRows> read_rows(const SeriesPass& pass, const LoopsOfMap& loops) {
  std::map<std::size_t, PackedRows> rows;
  for (const auto& [process, own] : loops)
    rows[process];
  const auto own =
      pass.read_own_totals(loops, [&](std::size_t process, std::size_t, const WideSums& sums) {
        std::vector<std::uint64_t> totals(sums.low().begin(), sums.low().end());
        replace_time_by_rest(pass.columns(), totals);
        rows.at(process).add(totals);
      });
  for (auto process : own)
    rows.at(process).finish();

  auto* team = pass.trace().options().team;
  if (!team)
    return rows;
  std::vector<std::pair<std::size_t, PackedRows>> left;
  for (auto process : own)
    left.emplace_back(process, rows.at(process).leave_values());
  for (auto& of_member : share(team, std::move(left)))
    for (auto& [process, without_values] : of_member)
      if (auto& to = rows.at(process); to.size() == 0)
        to = std::move(without_values);
  return rows;
}

}  // namespace

std::vector<ProgramMap> record_maps(const SeriesPass& pass, const AlignedProcesses& aligned,
                                    std::size_t loops, const AskedIterations& asked,
                                    SearchedLoops* searched) {
  const auto& plan = pass.trace().plan();
  const auto all = list_processes(plan);
  const KnownLoops known(aligned.loops, aligned.counted);
  SearchedLoops own(asked, plan.processes.size());
  if (!searched)
    searched = &own;
  Diagnostics ignored;  // what is odd was told when the processes were read before
  const PlannedTrace trace(pass.trace().archive(), plan, pass.trace().options(), ignored);

  std::vector<ProgramMap> maps;
  for (std::size_t number = 0; number < loops; ++number) {
    auto& map = maps.emplace_back(ProgramMap{find_same_loops(all, known, number)});
    auto missing = find_missing_loops(trace, all, number, known, asked, searched);
    const auto& first = known[find_first_with_loop(all, known, number)].loops;
    std::erase_if(
        missing, [&](const auto& one) { return !find_same_loop(one.second.loops, first, number); });
    if (!missing.empty())
      map.rows = read_rows(pass, missing);
  }
  return maps;
}

}  // namespace tracefold
