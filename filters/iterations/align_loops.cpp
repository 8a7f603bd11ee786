#include "filters/iterations/align_loops.hpp"

#include "filters/iterations/choose_loops.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// What makes a loop the same on several processes: whether it was found, the region of one that
// was not, its call path and its number of iterations.
using LoopKey = std::tuple<bool, FunctionIndex, std::vector<FunctionIndex>, std::size_t>;

LoopKey make_key(const Loop& loop) {
  return {loop.is_found(), loop.is_found() ? virtual_root : loop.function, loop.path,
          loop.iterations.size()};
}

// What a loop is but for how often it goes on.
std::tuple<LoopSource, FunctionIndex, const std::vector<FunctionIndex>&> make_loop_key(
    const Loop& loop) {
  return {loop.source, loop.function, loop.path};
}

std::vector<LoopKey> make_keys(const ProcessLoops& process) {
  std::vector<LoopKey> keys;
  for (const auto& loop : process.loops)
    keys.push_back(make_key(loop));
  return keys;
}

// Calls visit(loop, key) for each found loop. The key holds the loop's number among those of
// the process with the same LoopKey, too.
template <class Visit>
void visit_found_loops(ProcessLoops& process, Visit&& visit) {
  std::map<LoopKey, std::size_t> seen;

  for (auto& loop : process.loops) {
    if (!loop.is_found())
      continue;
    auto key = make_key(loop);
    const auto number = seen[key]++;
    visit(loop, std::pair(std::move(key), number));
  }
}

struct Mean {
  double sum = 0;
  double processes = 0;

  void add(double value) {
    sum += value;
    ++processes;
  }
  double mean() const { return sum / processes; }
};

using Means = std::map<std::pair<LoopKey, std::size_t>, Mean>;

// Removes the found loops of a group whose mean does not count.
template <class Counts>
void remove_loops(const Group& group, std::vector<ProcessLoops>& loops, const Means& means,
                  Counts&& counts) {
  for (auto m : group.members) {
    visit_found_loops(loops[m], [&](Loop& loop, const auto& key) {
      if (!counts(means.at(key).mean()))
        loop.iterations.clear();
    });
    std::erase_if(loops[m].loops, [](const Loop& loop) { return loop.iterations.empty(); });
  }
}

Means average_works(const Group& group, std::vector<ProcessLoops>& loops) {
  Means works;
  for (auto m : group.members)
    visit_found_loops(loops[m],
                      [&](const Loop& loop, const auto& key) { works[key].add(loop.work); });
  return works;
}

double find_least_work(double largest) {
  return std::max(least_share, least_share_of_largest * largest);
}

double find_least_work(const Means& works) {
  double largest = 0;
  for (const auto& [key, work] : works)
    largest = std::max(largest, work.mean());
  return find_least_work(largest);
}

void remove_minor_loops_of_group(const Group& group, std::vector<ProcessLoops>& loops) {
  const auto works = average_works(group, loops);
  const auto least = find_least_work(works);
  remove_loops(group, loops, works, [least](double work) { return work >= least; });
}

bool can_be_folded(double confidence) {
  return rate_certainty(confidence) != Certainty::unsure;
}

// What processes are threads of, and the location groups that created theirs.
struct Owners {
  std::set<std::pair<bool, std::uint64_t>> owners;
  std::set<std::uint64_t> creators;
};
Owners find_owners(const Plan& plan, const std::vector<std::size_t>& processes) {
  Owners out;
  for (auto p : processes) {
    out.owners.insert(plan.processes[p].owner());
    if (const auto creator = plan.processes[p].creator)
      out.creators.insert(*creator);
  }
  return out;
}

// The first process with loops, by thread numbers.
struct FirstWithLoops {
  std::map<std::pair<bool, std::uint64_t>, std::size_t> of_owner;
  std::map<std::uint64_t, std::size_t> of_location_group;
};
FirstWithLoops find_first_with_loops(const Plan& plan, const std::vector<ProcessLoops>& loops) {
  std::vector<std::size_t> by_thread(loops.size());
  for (std::size_t p = 0; p < by_thread.size(); ++p)
    by_thread[p] = p;

  std::stable_sort(by_thread.begin(), by_thread.end(), [&](auto a, auto b) {
    return plan.processes[a].thread < plan.processes[b].thread;
  });

  FirstWithLoops first;
  for (auto p : by_thread)
    if (!loops[p].loops.empty()) {
      first.of_owner.try_emplace(plan.processes[p].owner(), p);
      first.of_location_group.try_emplace(plan.processes[p].location_group, p);
    }

  return first;
}

// Above this number of iterations, the median is one of every second, third, … of them.
constexpr std::size_t most_for_median = std::size_t{1} << 22;

// Summarizes the k-th loop of processes that agree.
LoopSummary summarize_loop(const std::vector<ProcessLoops>& loops,
                           const std::vector<std::size_t>& processes, std::size_t k) {
  LoopSummary out{loops[processes.front()].loops[k], 0, 0, 0, ~std::uint64_t{0}, 0, 0};
  const auto step = processes.size() * out.first.iterations.size() / most_for_median + 1;
  std::vector<std::uint64_t> durations;
  double ticks_in_loop = 0;
  double ticks_in_all = 0;
  std::size_t seen = 0;

  for (auto p : processes) {
    const auto& loop = loops[p].loops[k];
    ticks_in_loop += static_cast<double>(loop.ticks);
    ticks_in_all += static_cast<double>(loops[loops[p].taken_from.value_or(p)].ticks());
    out.confidence += loop.confidence;
    out.explained += loop.explained;

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
  out.confidence /= static_cast<double>(processes.size());
  out.explained /= static_cast<double>(processes.size());
  out.share = ticks_in_all > 0 ? ticks_in_loop / ticks_in_all : 0;

  return out;
}

// Whether more than half of the shorter loop lies in the other one.
bool run_at_one_time(const Loop& a, const Loop& b) {
  const auto begin = std::max(a.begin(), b.begin());
  const auto end = std::min(a.end(), b.end());
  const auto shorter = std::min(a.end() - a.begin(), b.end() - b.begin());
  return end >= begin && 2 * (end - begin) >= shorter;
}

// Kept processes with equal numbers of iterations in each loop, and how many processes they
// stand for.
struct SameIterations {
  std::uint64_t weight = 0;
  std::vector<std::size_t> processes;
};

std::vector<std::size_t> count_iterations(const ProcessLoops& process) {
  std::vector<std::size_t> iterations;
  for (const auto& loop : process.loops)
    iterations.push_back(loop.iterations.size());
  return iterations;
}

}  // namespace

void remove_minor_loops(const Plan& plan, std::vector<ProcessLoops>& loops) {
  if (!plan.groups)
    return;
  for (const auto& group : *plan.groups)
    remove_minor_loops_of_group(group, loops);
}

std::vector<Loop> remove_unsure_loops(const Plan& plan, std::vector<ProcessLoops>& loops) {
  std::vector<Loop> removed;
  if (!plan.groups)
    return removed;

  for (const auto& group : *plan.groups) {
    Means confidences;
    std::map<std::pair<LoopKey, std::size_t>, Loop> first;
    for (auto m : group.members)
      visit_found_loops(loops[m], [&](const Loop& loop, const auto& key) {
        confidences[key].add(loop.confidence);
        first.try_emplace(key, loop);
      });

    for (auto& [key, loop] : first)
      if (!can_be_folded(confidences.at(key).mean()))
        removed.push_back(std::move(loop));
    remove_loops(group, loops, confidences, can_be_folded);
  }

  return removed;
}

void share_loops(const Plan& plan, std::vector<ProcessLoops>& loops) {
  const auto [of_owner, of_location_group] = find_first_with_loops(plan, loops);

  for (std::size_t p = 0; p < loops.size(); ++p) {
    const auto own_source = of_owner.find(plan.processes[p].owner());
    auto source = own_source == of_owner.end() ? std::nullopt : std::optional(own_source->second);
    const bool found_or_none = !source || loops[*source].loops.front().is_found();

    if (const auto creator = plan.processes[p].creator; creator && found_or_none)
      if (const auto host = of_location_group.find(*creator); host != of_location_group.end())
        source = host->second;

    if (!source || *source == p)
      continue;

    auto& own = loops[p].loops;
    if (!own.empty() && !own.front().is_found())
      continue;

    own = loops[*source].loops;
    loops[p].taken_from = *source;
  }
}

std::vector<std::size_t> add_loop_sources(const Plan& plan,
                                          const std::vector<std::size_t>& processes) {
  std::set<std::size_t> all(processes.begin(), processes.end());
  const auto [owners, creators] = find_owners(plan, processes);

  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto& process = plan.processes[p];
    if (owners.contains(process.owner()) || creators.contains(process.location_group))
      all.insert(p);
  }

  return {all.begin(), all.end()};
}

std::vector<std::size_t> list_folding_candidates(const Plan& plan) {
  const auto kept = kept_processes(plan);
  auto all = add_loop_sources(plan, kept);
  std::erase_if(all, [&](std::size_t p) {
    return plan.processes[p].thread != 0 && !std::binary_search(kept.begin(), kept.end(), p);
  });
  return all;
}

std::optional<std::size_t> find_same_loop(const std::vector<Loop>& loops,
                                          const std::vector<Loop>& of_other, std::size_t number) {
  const auto key = make_key(of_other[number]);
  const auto length = of_other[number].iterations.size();
  const auto find = [&](const auto& is_same) -> std::optional<std::size_t> {
    if (number < loops.size() && is_same(loops[number]))
      return number;
    const auto at = std::find_if(loops.begin(), loops.end(), is_same);
    return at == loops.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(at - loops.begin()));
  };

  if (const auto at = find([&](const Loop& loop) { return make_key(loop) == key; }))
    return at;
  if (const auto at = find([&](const Loop& loop) { return loop.iterations.size() == length; }))
    return at;
  const bool is_longer_or_shorter =
      number < loops.size() && make_loop_key(loops[number]) == make_loop_key(of_other[number]);
  return is_longer_or_shorter ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> find_same_loop(const std::vector<std::size_t>& lengths,
                                          std::size_t number, std::size_t length) {
  if (number < lengths.size() && lengths[number] == length)
    return number;
  const auto at = std::find(lengths.begin(), lengths.end(), length);
  return at == lengths.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(at - lengths.begin()));
}

bool keep_loops_of(const ProcessLoops& stand_in, ProcessLoops& process) {
  using Length = std::pair<bool, std::size_t>;  // whether it was found, iterations
  const auto measure = [](const Loop& loop) {
    return Length(loop.is_found(), loop.iterations.size());
  };

  std::map<Length, std::size_t> wanted;
  for (const auto& loop : stand_in.loops)
    ++wanted[measure(loop)];

  auto& loops = process.loops;
  std::vector<std::size_t> by_work(loops.size());
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  std::stable_sort(by_work.begin(), by_work.end(),
                   [&](auto a, auto b) { return loops[a].work > loops[b].work; });
  for (auto k : by_work) {
    const auto left = wanted.find(measure(loops[k]));
    if (left != wanted.end() && left->second > 0)
      --left->second;
    else
      loops[k].iterations.clear();
  }

  std::erase_if(loops, [](const Loop& loop) { return loop.iterations.empty(); });
  return std::equal(
      loops.begin(), loops.end(), stand_in.loops.begin(), stand_in.loops.end(),
      [&](const Loop& own, const Loop& other) { return measure(own) == measure(other); });
}

std::vector<GroupLoops> summarize_group_loops(const Plan& plan,
                                              const std::vector<std::size_t>& members,
                                              const std::vector<ProcessLoops>& loops) {
  std::vector<GroupLoops> out;
  std::vector<bool> is_member(plan.processes.size());
  for (auto m : members)
    is_member[m] = true;

  for (std::size_t g = 0; plan.groups && g < plan.groups->size(); ++g) {
    std::vector<std::size_t> here;
    std::copy_if((*plan.groups)[g].members.begin(), (*plan.groups)[g].members.end(),
                 std::back_inserter(here), [&](auto m) { return is_member[m]; });

    std::map<std::vector<LoopKey>, std::vector<std::size_t>> by_loops;
    for (auto m : here)
      by_loops[make_keys(loops[m])].push_back(m);

    const std::vector<std::size_t>* most = nullptr;
    for (const auto& [keys, processes] : by_loops)
      if (!most ||
          std::tuple(most->size(), processes.front()) < std::tuple(processes.size(), most->front()))
        most = &processes;

    if (!most)
      continue;

    GroupLoops group{g, {}, *most, {}};
    for (std::size_t k = 0; k < loops[most->front()].loops.size(); ++k)
      group.loops.push_back(summarize_loop(loops, *most, k));

    std::set_difference(here.begin(), here.end(), most->begin(), most->end(),
                        std::back_inserter(group.differing));
    out.push_back(std::move(group));
  }

  return out;
}

std::vector<std::size_t> find_aligned_processes(const Plan& plan,
                                                const std::vector<ProcessLoops>& loops) {
  std::map<std::size_t, std::uint64_t> weights;  // of representatives
  if (plan.representatives)
    for (const auto& r : *plan.representatives)
      weights[r.process] = count_processes(plan, r.members);

  std::map<std::vector<std::size_t>, SameIterations> by_iterations;
  for (auto p : kept_processes(plan)) {
    if (loops[p].loops.empty())
      continue;
    auto& same = by_iterations[count_iterations(loops[p])];
    same.weight += weights.contains(p) ? weights[p] : plan.processes[p].weight;
    same.processes.push_back(p);
  }

  const SameIterations* most = nullptr;
  for (const auto& [iterations, same] : by_iterations)
    if (!most || std::tuple(most->weight, same.processes.front()) <
                     std::tuple(same.weight, most->processes.front()))
      most = &same;

  if (!most)
    return {};

  std::vector<std::size_t> aligned;
  const auto& first = loops[most->processes.front()].loops;
  for (auto p : most->processes)
    if (std::equal(first.begin(), first.end(), loops[p].loops.begin(), run_at_one_time))
      aligned.push_back(p);

  return aligned;
}

}  // namespace tracefold
