#include "pipeline/iterations/measured_totals.hpp"

#include "base/team.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// One part in so many of the memory limit is for what errors of all iterations take at once.
constexpr std::uint64_t part_for_totals = 4;

}  // namespace

MeasuredTotals::MeasuredTotals(const IterationReadings& readings)
    : readings_(readings), form_(readings.pass().columns()) {
  const auto& stood_for_by = readings.aligned().stood_for_by;
  processes_.resize(readings.aligned().loops.size());
  for (const auto& [process, stand_in] : stood_for_by)
    processes_[process].emplace(form_, process);
  for (const auto& [process, stand_in] : stood_for_by)
    if (process != stand_in)
      processes_[process]->give_to(*processes_[stand_in]);
}

void MeasuredTotals::hold_all() {
  const auto bytes = readings_.count_iterations() * bytes_per_iteration(TotalsDetail::measuring);
  const bool has_room = bytes <= readings_.memory() / part_for_totals;
  hold(has_room ? TotalsDetail::measuring : TotalsDetail::choosing, {},
       std::vector<std::vector<std::uint32_t>>(readings_.loops()));
}

void MeasuredTotals::hold(TotalsDetail detail, IterationWindow window,
                          const std::vector<std::vector<std::uint32_t>>& besides) {
  detail_ = detail;
  totals_.clear();
  for (std::size_t l = 0; l < readings_.loops(); ++l)
    totals_.push_back(
        std::make_unique<JointTotals>(form_, readings_.lengths()[l], detail, window, besides[l]));
}

void MeasuredTotals::add(std::size_t process, std::size_t iteration, const WideSums& columns) {
  if (!can_choose())
    return;
  const auto [loop, at] = readings_.locate(iteration);
  totals_[loop]->add(at, *processes_[process], columns);
}

void MeasuredTotals::add(const SeriesIteration& it) {
  if (can_choose())
    add(it.process, it.iteration, WideSums(form_.column_sums(it.profile)));
}

void MeasuredTotals::share(Team* team) {
  if (!team)
    return;
  for (auto& totals : totals_)
    totals->add(share_parts(team, std::vector{totals->take_part()}).front());
}

void MeasuredTotals::read_own(const std::vector<std::size_t>& processes) {
  readings_.pass().read_own_totals(
      processes, [&](std::size_t process) { return readings_.aligned().find_counts(process); },
      [&](std::size_t process, std::size_t iteration, const WideSums& columns) {
        add(process, iteration, columns);
      });
}

}  // namespace tracefold
