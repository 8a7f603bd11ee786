#include "pipeline/replay/slow_messages.hpp"

#include "filters/summary/find_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr double nearly_all = 0.8;

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

double sum_ticks(const SlowCalls& calls) {
  double sum = 0;
  for (const auto* call : calls)
    sum += static_cast<double>(call->second);
  return sum;
}

// One that has messages with many others, and nearly all that is slow.
std::optional<std::uint32_t> find_hub(const SlowCalls& calls) {
  const auto sums = sum_by_process(calls);
  const auto hub = find_most(sums).front();
  std::set<std::uint32_t> others;
  for (const auto* call : calls)
    if (has(*call, hub)) {
      others.insert(find_caller(*call));
      others.insert(call->first.second.begin(), call->first.second.end());
    }
  others.erase(hub);

  double next = 0;
  for (const auto& [process, ticks] : sums)
    next = std::max(next, process == hub ? 0 : ticks);
  const bool has_most = sums.at(hub) > std::max(nearly_all * sum_ticks(calls), 2 * next);
  return others.size() > 2 && has_most ? std::optional(hub) : std::nullopt;
}

// Those that take over half as long as the slowest one; none where these are of most processes, or
// others are not far faster.
SlowCalls keep_slow(const SlowCalls& calls, std::size_t processes, double gain) {
  constexpr double by_far = 3, most_of_gain = 0.6;
  double slowest = 0, slowest_other = 0;
  for (const auto* call : calls)
    slowest = std::max(slowest, static_cast<double>(call->second));
  SlowCalls slow;
  std::set<std::uint32_t> callers;
  for (const auto* call : calls) {
    const auto ticks = static_cast<double>(call->second);
    if (2 * ticks > slowest) {
      slow.push_back(call);
      callers.insert(find_caller(*call));
    } else {
      slowest_other = std::max(slowest_other, ticks);
    }
  }
  const bool are_few = 2 * callers.size() <= processes;
  // Many that are fast take much together, but beside each other.
  const bool are_most =
      sum_ticks(slow) > nearly_all * sum_ticks(calls) || slowest > most_of_gain * gain;
  return are_few && are_most && slowest > by_far * slowest_other ? slow : SlowCalls();
}

// The fewest of which each call has one, those first that have most.
std::set<std::size_t> cover(SlowCalls calls) {
  std::set<std::size_t> who;
  while (!calls.empty()) {
    const auto most = find_most(sum_by_process(calls));
    who.insert(most.begin(), most.end());
    std::erase_if(calls, [&](const auto* call) {
      return std::any_of(most.begin(), most.end(),
                         [&](auto process) { return has(*call, process); });
    });
  }
  return who;
}

}  // namespace

std::vector<std::size_t> find_slow_ends(const Replay::Transfers& transfers, std::size_t processes,
                                        std::uint64_t gain) {
  SlowCalls calls;
  double without_messages = 0;
  for (const auto& one : transfers)
    if (one.first.second.empty())
      without_messages += static_cast<double>(one.second);
    else
      calls.push_back(&one);
  if (calls.empty() || without_messages > sum_ticks(calls))
    return {};
  if (const auto hub = find_hub(calls))
    return {*hub};

  const auto slow = keep_slow(calls, processes, static_cast<double>(gain));
  const auto who = cover(slow);
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
