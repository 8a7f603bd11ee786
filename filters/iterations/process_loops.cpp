#include "filters/iterations/process_loops.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

bool overlap(const Loop& a, const Loop& b) {
  return a.begin() < b.end() && b.begin() < a.end();
}

bool is_found(const Loop& loop) {
  return loop.source == LoopSource::call_path || loop.source == LoopSource::sequence;
}

RunnerUp as_runner_up(const Loop& loop) {
  return {loop.function, loop.iterations.size(), loop.confidence};
}

void sort_by_time(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::tuple(a.begin(), a.function) < std::tuple(b.begin(), b.function);
  });
}

// Region, call path and number of iterations of a loop.
using LoopKey = std::tuple<bool, FunctionIndex, std::vector<FunctionIndex>, std::size_t>;

LoopKey key_of(const Loop& loop) {
  return {is_found(loop), is_found(loop) ? virtual_root : loop.function, loop.path,
          loop.iterations.size()};
}

std::vector<LoopKey> saying_of(const ProcessLoops& process) {
  std::vector<LoopKey> out;
  for (const auto& loop : process.loops)
    out.push_back(key_of(loop));
  return out;
}

// Calls `visit(loop, key)` for each; loops of a process with one key are told apart by their order.
template <class Visit>
void each_found(ProcessLoops& process, Visit&& visit) {
  std::map<LoopKey, std::size_t> seen;
  for (auto& loop : process.loops)
    if (is_found(loop)) {
      auto key = key_of(loop);
      const auto order = seen[key]++;
      visit(loop, std::pair(std::move(key), order));
    }
}

// The median is that of every so-manieth iteration where there are more than these.
constexpr std::size_t most_for_median = std::size_t{1} << 22;

// Of the k-th loop of processes that agree.
LoopSummary summary(const std::vector<ProcessLoops>& loops,
                    const std::vector<std::size_t>& processes, std::size_t k) {
  LoopSummary out{loops[processes.front()].loops[k], 0, 0, ~std::uint64_t{0}, 0, 0};
  const auto step = processes.size() * out.first.iterations.size() / most_for_median + 1;
  std::vector<std::uint64_t> durations;
  double ticks = 0, all = 0;
  std::size_t seen = 0;

  for (auto p : processes) {
    const auto& loop = loops[p].loops[k];
    ticks += static_cast<double>(loop.ticks),
        all += static_cast<double>(loops[loops[p].taken_from.value_or(p)].ticks());
    out.confidence += loop.confidence / static_cast<double>(processes.size());
    for (const auto& i : loop.iterations) {
      const auto duration = i.end - i.begin;
      out.shortest = std::min(out.shortest, duration);
      out.longest = std::max(out.longest, duration);
      if (seen++ % step == 0)
        durations.push_back(duration);
    }
  }

  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>((durations.size() - 1) / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  out.median = *middle;
  out.share = all > 0 ? ticks / all : 0;

  return out;
}

}  // namespace

std::vector<Loop> outermost(std::vector<Loop> candidates) {
  const auto larger = [](const Loop& a, const Loop& b) {
    return std::tuple(b.ticks, a.begin(), a.iterations.size(), a.function) <
           std::tuple(a.ticks, b.begin(), b.iterations.size(), b.function);
  };

  std::sort(candidates.begin(), candidates.end(), larger);
  std::vector<Loop> chosen;

  for (auto& loop : candidates) {
    const auto around =
        std::find_if(chosen.begin(), chosen.end(), [&](const Loop& c) { return overlap(c, loop); });
    if (around == chosen.end())
      chosen.push_back(std::move(loop));
    else if (!around->runner_up)
      around->runner_up = as_runner_up(loop);
  }

  sort_by_time(chosen);

  return chosen;
}

ProcessLoops process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                           std::uint64_t first_time, std::uint64_t last_time) {
  ProcessLoops out{{}, first_time, last_time, std::nullopt};
  out.loops = outermost(std::move(marked));
  std::uint64_t largest = 0;
  for (const auto& loop : found)
    largest = std::max(largest, loop.ticks);

  if (out.loops.empty()) {
    const auto least = std::max(least_share * static_cast<double>(out.ticks()),
                                least_of_largest * static_cast<double>(largest)) /
                       2;  // on others it may be longer
    std::erase_if(found, [&](const Loop& loop) { return static_cast<double>(loop.ticks) < least; });
    out.loops = std::move(found);
    sort_by_time(out.loops);

    return out;
  }

  for (auto& loop : out.loops)
    for (const auto& other : found)
      if (!loop.runner_up && overlap(loop, other) &&
          loop.iterations.size() != other.iterations.size())
        loop.runner_up = as_runner_up(other);

  return out;
}

void settle(const Plan& plan, std::vector<ProcessLoops>& loops) {
  for (std::size_t g = 0; plan.groups && g < plan.groups->size(); ++g) {
    struct Share {
      double sum = 0, processes = 0;
      double mean() const { return sum / processes; }
    };

    std::map<std::pair<LoopKey, std::size_t>, Share> shares;
    const auto& members = (*plan.groups)[g].members;

    for (auto m : members)
      each_found(loops[m], [&, m](const Loop& loop, const auto& key) {
        auto& share = shares[key];
        share.sum += static_cast<double>(loop.ticks) /
                     static_cast<double>(std::max<std::uint64_t>(loops[m].ticks(), 1));
        ++share.processes;
      });

    double largest = 0;
    for (const auto& [key, share] : shares)
      largest = std::max(largest, share.mean());

    const auto least = std::max(least_share, least_of_largest * largest);

    for (auto m : members) {
      each_found(loops[m], [&](Loop& loop, const auto& key) {
        if (shares.at(key).mean() < least)
          loop.iterations.clear();
      });
      std::erase_if(loops[m].loops, [](const Loop& loop) { return loop.iterations.empty(); });
    }
  }
}

void share_loops(const Plan& plan, const Creators& creators, std::vector<ProcessLoops>& loops) {
  std::unordered_map<std::uint64_t, std::size_t>
      main_of;  // location group to its first process with loops
  std::vector<std::size_t> by_thread(loops.size());
  for (std::size_t p = 0; p < by_thread.size(); ++p)
    by_thread[p] = p;

  std::stable_sort(by_thread.begin(), by_thread.end(), [&](auto a, auto b) {
    return plan.processes[a].thread < plan.processes[b].thread;
  });
  for (auto p : by_thread)
    if (!loops[p].loops.empty())
      main_of.try_emplace(plan.processes[p].location_group, p);

  for (std::size_t p = 0; p < loops.size(); ++p) {
    auto at = main_of.find(plan.processes[p].location_group);
    if (const auto creator = creators.find(plan.processes[p].location_group);
        creator != creators.end() &&
        (at == main_of.end() || is_found(loops[at->second].loops.front())))
      if (const auto host = main_of.find(creator->second); host != main_of.end())
        at = host;

    if (at == main_of.end() || at->second == p)
      continue;

    auto& own = loops[p].loops;
    if (!own.empty() && !is_found(own.front()))
      continue;

    own = loops[at->second].loops;
    loops[p].taken_from = at->second;
  }
}

std::vector<GroupLoops> agree(const Plan& plan, const std::vector<std::size_t>& members,
                              const std::vector<ProcessLoops>& loops) {
  std::vector<GroupLoops> out;
  std::vector<bool> looked_at(plan.processes.size());
  for (auto m : members)
    looked_at[m] = true;

  for (std::size_t g = 0; plan.groups && g < plan.groups->size(); ++g) {
    std::vector<std::size_t> here;
    std::copy_if((*plan.groups)[g].members.begin(), (*plan.groups)[g].members.end(),
                 std::back_inserter(here), [&](auto m) { return looked_at[m]; });
    std::map<std::vector<LoopKey>, std::vector<std::size_t>> sayings;
    for (auto m : here)
      sayings[saying_of(loops[m])].push_back(m);

    const std::vector<std::size_t>* most = nullptr;
    for (const auto& [saying, who] : sayings)
      if (!most || std::tuple(most->size(), who.front()) < std::tuple(who.size(), most->front()))
        most = &who;

    if (!most)
      continue;

    GroupLoops group{g, {}, *most, {}};
    for (std::size_t k = 0; k < loops[most->front()].loops.size(); ++k)
      group.loops.push_back(summary(loops, *most, k));

    std::set_difference(here.begin(), here.end(), most->begin(), most->end(),
                        std::back_inserter(group.differing));
    out.push_back(std::move(group));
  }

  return out;
}

}  // namespace tracefold
