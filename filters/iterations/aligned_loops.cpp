#include "filters/iterations/aligned_loops.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

using Shape = std::vector<std::size_t>;  // iterations of each loop

Shape shape_of(const ProcessLoops& loops) {
  Shape shape;
  for (const auto& loop : loops.loops)
    shape.push_back(loop.iterations.size());
  return shape;
}

struct Class {
  std::uint64_t weight = 0;
  std::vector<std::size_t> processes;
};

// More than half of the shorter one lies in the other one.
bool at_one_time(const Loop& a, const Loop& b) {
  const auto begin = std::max(a.begin(), b.begin()), end = std::min(a.end(), b.end());
  const auto shorter = std::min(a.end() - a.begin(), b.end() - b.begin());
  return end >= begin && 2 * (end - begin) >= shorter;
}

}  // namespace

std::vector<std::size_t> aligned_processes(const Plan& plan,
                                           const std::vector<ProcessLoops>& loops) {
  std::map<Shape, Class> classes;
  std::map<std::size_t, std::uint64_t> weights;
  if (plan.representatives)
    for (const auto& r : *plan.representatives)
      weights[r.process] = count_of(plan, r.members);

  for (auto p : kept_processes(plan)) {
    if (loops[p].loops.empty())
      continue;
    auto& one = classes[shape_of(loops[p])];
    one.weight += weights.contains(p) ? weights[p] : plan.processes[p].weight;
    one.processes.push_back(p);
  }

  const Class* most = nullptr;
  for (const auto& [shape, one] : classes)
    if (!most || std::tuple(most->weight, one.processes.front()) <
                     std::tuple(one.weight, most->processes.front()))
      most = &one;

  if (!most)
    return {};

  std::vector<std::size_t> out;
  const auto& first = loops[most->processes.front()].loops;
  for (auto p : most->processes)
    if (std::equal(first.begin(), first.end(), loops[p].loops.begin(), at_one_time))
      out.push_back(p);

  return out;
}

}  // namespace tracefold
