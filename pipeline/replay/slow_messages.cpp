#include "pipeline/replay/slow_messages.hpp"

#include "filters/summary/find_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using SlowCalls = std::vector<const Replay::Transfers::value_type*>;

std::uint32_t find_caller(const Replay::Transfers::value_type& call) {
  return call.first.first;
}
bool has(const Replay::Transfers::value_type& call, std::uint32_t process) {
  const auto& [caller, peers] = call.first;
  return caller == process || std::binary_search(peers.begin(), peers.end(), process);
}

// By process: ticks of the calls that have it. Where a call has several others, any of these may be
// the slow one, or its own process: that counts a little more.
std::map<std::uint32_t, double> sum_by_process(const SlowCalls& calls) {
  constexpr double of_own = 1.1;
  std::map<std::uint32_t, double> out;
  for (const auto* call : calls) {
    const auto ticks = static_cast<double>(call->second);
    const auto& [caller, peers] = call->first;
    out[caller] += of_own * ticks;
    for (const auto peer : peers)
      out[peer] += peers.size() == 1 ? of_own * ticks : ticks;
  }
  return out;
}

// Those that most ticks have, where these are as good as equal.
std::vector<std::uint32_t> find_most(const std::map<std::uint32_t, double>& sums) {
  constexpr double as_good_as_equal = 0.95;
  double most = 0;
  for (const auto& [process, ticks] : sums)
    most = std::max(most, ticks);
  std::vector<std::uint32_t> out;
  for (const auto& [process, ticks] : sums)
    if (ticks >= as_good_as_equal * most)
      out.push_back(process);
  return out;
}

}  // namespace

std::vector<std::size_t> find_slow_ends(const Replay::Transfers& transfers, std::size_t processes) {
  constexpr double nearly_all = 0.8;
  double all = 0, without_messages = 0, slowest = 0;
  SlowCalls slow;
  for (const auto& one : transfers) {
    const auto ticks = static_cast<double>(one.second);
    if (one.first.second.empty()) {
      without_messages += ticks;
      continue;
    }
    all += ticks;
    slowest = std::max(slowest, ticks);
    slow.push_back(&one);
  }
  if (slow.empty() || without_messages > all)
    return {};

  // One that has messages with many, and all slow ones.
  const auto sums = sum_by_process(slow);
  const auto ends = find_most(sums);
  std::set<std::uint32_t> others;
  for (const auto* call : slow)
    if (has(*call, ends.front())) {
      others.insert(find_caller(*call));
      others.insert(call->first.second.begin(), call->first.second.end());
    }
  double next = 0;
  for (const auto& [process, ticks] : sums)
    next = std::max(next, process == ends.front() ? 0 : ticks);
  if (others.size() > 3 && sums.at(ends.front()) > std::max(nearly_all * all, 2 * next))
    return {ends.front()};

  double of_slow = 0, slowest_other = 0;
  std::set<std::uint32_t> callers;
  std::erase_if(slow, [&](const auto* call) {
    const auto ticks = static_cast<double>(call->second);
    const bool is_slow = 2 * ticks > slowest;
    if (is_slow) {
      of_slow += ticks;
      callers.insert(find_caller(*call));
    } else {
      slowest_other = std::max(slowest_other, ticks);
    }
    return !is_slow;
  });
  constexpr double by_far = 3;
  if (2 * callers.size() > processes || of_slow <= nearly_all * all ||
      slowest <= by_far * slowest_other)
    return {};
  std::set<std::size_t> who;
  auto left = slow;
  while (!left.empty()) {
    const auto most = find_most(sum_by_process(left));
    who.insert(most.begin(), most.end());
    std::erase_if(left, [&](const auto* call) {
      return std::any_of(most.begin(), most.end(),
                         [&](auto process) { return has(*call, process); });
    });
  }
  // Several that are not slow among each other have nothing in common.
  const bool are_among_them = std::all_of(slow.begin(), slow.end(), [&](const auto* call) {
    return std::count_if(who.begin(), who.end(), [&](auto process) {
             return has(*call, static_cast<std::uint32_t>(process));
           }) > 1;
  });
  if (who.size() > 1 && !are_among_them)
    return {};
  return {who.begin(), who.end()};
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
