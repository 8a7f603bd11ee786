#include "filters/summary/blame.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tracefold {

Blame::Blame(const RunFacts& facts) : facts_(facts) {
  const auto add = [&](std::size_t process, Metric metric, double ticks) {
    if (ticks > 0)
      times_[metric][process] += facts_.to_seconds(ticks);
  };
  if (facts_.pairs)
    for (const auto& pair : *facts_.pairs) {
      add(pair.sender, Metric::mpi_late_sender_time, static_cast<double>(pair.late_sender));
      add(pair.receiver, Metric::mpi_late_receiver_time, static_cast<double>(pair.late_receiver));
    }
  for (const auto& [metric, ticks] : facts_.caused)
    for (std::size_t p = 0; p < ticks.size(); ++p)
      add(p, metric, static_cast<double>(ticks[p]));
}

std::pair<std::vector<std::size_t>, double> Blame::find_late(Metric metric) const {
  const auto found = times_.find(metric);
  return found == times_.end() ? std::pair<std::vector<std::size_t>, double>()
                               : find_most(found->second);
}

std::pair<std::vector<std::size_t>, double> Blame::find_roots() const {
  Times times;
  double all = 0;
  if (facts_.delays)
    for (const auto& delay : *facts_.delays) {
      const auto time =
          facts_.to_seconds(static_cast<double>(delay.own.sum() + delay.passed.sum()));
      times[delay.process] += time;
      all += time;
    }
  auto [who, share] = find_most(times);
  return {std::move(who), share * all};
}

std::pair<std::vector<std::size_t>, double> Blame::find_most(const Times& times) const {
  if (times.empty())
    return {};
  std::vector<std::pair<double, std::size_t>> order;
  double all = 0;
  for (const auto& [process, time] : times) {
    order.emplace_back(time, process);
    all += time;
  }
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(-a.first, a.second) < std::pair(-b.first, b.second);
  });
  std::vector<std::size_t> who;
  double share = 0;
  for (const auto& [time, process] : order) {
    if (!who.empty() && time < 0.5 * order.front().first)
      break;
    who.push_back(process);
    share += time / all;
  }
  // Most ranks, and all about equal: nobody is the late one.
  if (order.size() > 2 && who.size() * 2 > std::max(order.size(), count_ranks()))
    return {{}, 0};
  return {who, share};
}

std::size_t Blame::count_ranks() const {
  std::set<std::uint64_t> ranks;
  for (const auto& process : facts_.processes)
    if (process.rank)
      ranks.insert(*process.rank);
  return ranks.size();
}

std::map<std::pair<std::size_t, std::size_t>, double> Blame::list_one_way_waits() const {
  std::map<std::pair<std::size_t, std::size_t>, double> delays;  // by late one and who waits
  if (facts_.pairs)
    for (const auto& pair : *facts_.pairs) {
      if (pair.late_sender > 0)
        delays[{pair.sender, pair.receiver}] +=
            facts_.to_seconds(static_cast<double>(pair.late_sender));
      if (pair.late_receiver > 0)
        delays[{pair.receiver, pair.sender}] +=
            facts_.to_seconds(static_cast<double>(pair.late_receiver));
    }
  auto one_way = delays;
  std::erase_if(one_way, [&](const auto& delay) {
    const auto back = delays.find({delay.first.second, delay.first.first});
    return back != delays.end() && back->second > 0.5 * delay.second;
  });
  return one_way;
}

}  // namespace tracefold
