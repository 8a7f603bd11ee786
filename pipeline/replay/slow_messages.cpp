#include "pipeline/replay/slow_messages.hpp"

#include "filters/summary/find_chain.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr double nearly_all = 0.8, by_far = 3;

using Pair = std::pair<std::size_t, std::size_t>;

// Both ways between two; where one way has less, that counts for both.
std::map<Pair, double> sum_both_ways(const Replay::OfPairs& transfers) {
  std::map<Pair, double> out;
  for (const auto& [ends, ticks] : transfers) {
    if (ends.first == ends.second)
      continue;
    const auto time = static_cast<double>(ticks);
    const auto back = transfers.find({ends.second, ends.first});
    out[std::minmax(ends.first, ends.second)] =
        back == transfers.end() ? time : 2 * std::min(time, static_cast<double>(back->second));
  }
  return out;
}

bool is_less(const std::pair<const Pair, double>& a, const std::pair<const Pair, double>& b) {
  return a.second < b.second;
}

// Those whose messages take more than half as long as the slowest, where others are far faster.
std::vector<std::size_t> find_slow_among(const std::map<Pair, double>& of_both,
                                         std::size_t processes) {
  const auto slowest = std::max_element(of_both.begin(), of_both.end(), is_less)->second;
  std::set<std::size_t> ends;
  double all = 0, of_slow = 0, slowest_other = 0;
  for (const auto& [pair, time] : of_both) {
    all += time;
    if (2 * time > slowest) {
      ends.insert({pair.first, pair.second});
      of_slow += time;
    } else {
      slowest_other = std::max(slowest_other, time);
    }
  }
  if (2 * ends.size() > processes || of_slow <= nearly_all * all ||
      slowest <= by_far * slowest_other)
    return {};
  return {ends.begin(), ends.end()};
}

}  // namespace

std::vector<std::size_t> find_slow_ends(const Replay::OfPairs& transfers, std::size_t processes) {
  std::map<std::size_t, double> of_ends;
  std::map<std::size_t, std::set<std::size_t>> others_of;
  double all = 0, without_messages = 0;
  for (const auto& [ends, ticks] : transfers) {
    const auto time = static_cast<double>(ticks);
    (ends.first == ends.second ? without_messages : all) += time;
    if (ends.first == ends.second)
      continue;
    for (const auto& [end, other] : {Pair(ends), Pair(ends.second, ends.first)}) {
      of_ends[end] += time;
      others_of[end].insert(other);
    }
  }
  if (of_ends.empty() || without_messages > all)
    return {};

  const auto end =
      std::max_element(of_ends.begin(), of_ends.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (end->second > nearly_all * all && others_of[end->first].size() > 2)
    return {end->first};

  const auto of_both = sum_both_ways(transfers);
  const auto pair = std::max_element(of_both.begin(), of_both.end(), is_less);
  double others = 0;
  for (const auto& [ends, time] : of_both)
    if (ends != pair->first)
      others = std::max(others, time);
  if (pair->second > by_far * others && of_both.size() != 2)
    return {pair->first.first, pair->first.second};
  return find_slow_among(of_both, processes);
}

std::vector<std::size_t> find_late_chain(const Replay::OfPairs& waits, std::size_t processes,
                                         bool is_long) {
  OneWayWaits one_way, up, down;
  double all = 0, of_one_way = 0;
  for (const auto& [ends, ticks] : waits) {
    const auto back = waits.find({ends.second, ends.first});
    const auto less = back == waits.end() ? 0 : back->second;
    all += static_cast<double>(ticks);
    (ends.first < ends.second ? up : down)[ends] = static_cast<double>(ticks);
    if (ticks > less)
      of_one_way += one_way[ends] = static_cast<double>(ticks - less);
  }
  constexpr double mostly_one_way = 2. / 3;
  auto chain = find_chain(one_way);
  if (is_long && of_one_way < mostly_one_way * all) {
    chain = find_chain(up);
    auto back = find_chain(down);
    if (back.waiting < chain.waiting)
      std::swap(chain, back);
    chain.waiting += back.waiting;
  }
  const auto least = std::min<std::size_t>(4, std::max<std::size_t>(processes, 3));
  if (chain.processes.size() < least || chain.waiting < 0.4 * all)
    return {};
  return std::move(chain.processes);
}

}  // namespace tracefold
