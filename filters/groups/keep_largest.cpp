#include "filters/groups/keep_largest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& totals) {
  std::vector<std::size_t> order(totals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return totals[a] > totals[b]; });
  order.resize(std::min(order.size(), profile_functions));
  return order;
}

Profiles::One keep_times(Profiles::One process, const std::vector<std::size_t>& places) {
  Profiles::One kept{process.intent, {}, process.rest};
  kept.rest +=
      std::accumulate(process.exclusive.begin(), process.exclusive.end(), std::uint64_t{0});
  kept.exclusive.reserve(places.size());
  for (auto place : places) {
    kept.exclusive.push_back(process.exclusive[place]);
    kept.rest -= process.exclusive[place];
  }
  return kept;
}

void keep_largest(Profiles& profiles) {
  std::vector<std::vector<std::uint64_t>> totals(profiles.intents.size());
  for (const auto& process : profiles.processes) {
    auto& total = totals[process.intent];
    total.resize(process.exclusive.size());
    for (std::size_t f = 0; f < total.size(); ++f)
      total[f] += process.exclusive[f];
  }

  for (const auto& total : totals)
    profiles.kept.push_back(choose_largest(total));
  for (auto& process : profiles.processes)
    process = keep_times(std::move(process), profiles.kept[process.intent]);
}

}  // namespace tracefold
