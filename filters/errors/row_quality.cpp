#include "filters/errors/row_quality.hpp"

#include "model/errors/time_kinds.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

void RowComparison::add(FunctionIndex function, std::uint64_t own, std::uint64_t standing) {
  if (own == 0 && standing == 0)
    return;
  if (function >= times_.size())
    times_.resize(function + 1);
  auto& times = times_[function];
  if (times.own == 0 && times.standing == 0)
    added_.push_back(function);
  for (auto* sums : {&times, &all_}) {
    sums->own += own;
    sums->standing += standing;
  }
}

RowDifference RowComparison::take(std::size_t process) {
  const auto compare = [&](const Times& times, std::optional<FunctionIndex> function) {
    return RowDifference{process, function, times.own > times.standing,
                         measure_distance(times.own, times.standing)};
  };
  const auto all = compare(all_, std::nullopt);
  auto of_function = RowDifference{process};
  std::sort(added_.begin(), added_.end());
  for (auto function : added_) {
    const auto times = std::exchange(times_[function], {});
    if (const auto found = compare(times, function); found.ticks > of_function.ticks)
      of_function = found;
  }
  added_.clear();
  all_ = {};
  // A function says more than the sum.
  constexpr double nearly_all = 0.8;
  const bool explains =
      static_cast<double>(of_function.ticks) >= nearly_all * static_cast<double>(all.ticks);
  return explains ? of_function : all;
}

std::vector<std::size_t> list_untypical(const std::vector<std::size_t>& stand_ins,
                                        const std::vector<RowTimes>& times,
                                        std::uint64_t RowTimes::*time, double least) {
  std::map<std::size_t, std::vector<std::uint64_t>> by_row;
  for (std::size_t p = 0; p < stand_ins.size(); ++p)
    by_row[stand_ins[p]].push_back(times[p].*time);

  std::vector<std::size_t> out;
  for (auto& [row, values] : by_row) {
    std::sort(values.begin(), values.end());
    // A quarter of them, rounded up, take as little as the lower one, and as much as the upper one.
    const auto quarter = (values.size() + 3) / 4;
    const auto own = static_cast<double>(times[row].*time);
    const auto lower = static_cast<double>(values[quarter - 1]);
    const auto upper = static_cast<double>(values[values.size() - quarter]);
    if (std::max(lower - own, own - upper) > least)
      out.push_back(row);
  }
  return out;
}

}  // namespace tracefold
