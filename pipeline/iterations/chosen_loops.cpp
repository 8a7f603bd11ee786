#include "pipeline/iterations/chosen_loops.hpp"

#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

bool begins_part(const Loop& loop, std::size_t iteration) {
  return iteration == 0 || loop.iterations[iteration - 1].end != loop.iterations[iteration].begin;
}

// The indexes of some functions among those of the trace; none for those that filters leave out.
class FunctionSearch {
 public:
  explicit FunctionSearch(const std::vector<Function>& functions) {
    for (std::size_t f = 0; f < functions.size(); ++f)
      indexes_.emplace(functions[f], static_cast<FunctionIndex>(f));
  }

  std::optional<FunctionIndex> find(const Function& function) const {
    const auto at = indexes_.find(function);
    return at == indexes_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::map<Function, FunctionIndex> indexes_;
};

// None where filters leave out the calls that begin its iterations.
std::optional<Loop> make_chosen_loop(const ChosenIterations& chosen, const Loop& from,
                                     const FunctionSearch& search) {
  const auto function = search.find(chosen.functions[from.function]);
  if (!function)
    return std::nullopt;

  auto loop = from;
  loop.function = *function;
  loop.path.clear();
  for (const auto f : from.path)
    if (const auto around = search.find(chosen.functions[f]))
      loop.path.push_back(*around);
  const auto around = static_cast<std::uint32_t>(loop.path.size());
  loop.iterations.clear();
  loop.orders.clear();
  for (std::size_t i = 0; i < from.iterations.size(); ++i)
    loop.add(from.iterations[i], from.begin_order(i) + (begins_part(from, i) ? around : 0));
  loop.end_order = 0;
  // It is the only loop.
  loop.work = loop.score = 1;
  return loop;
}

FunctionIndex add_function(const Function& function, std::vector<Function>& functions) {
  const auto index = std::find(functions.begin(), functions.end(), function) - functions.begin();
  if (index == std::ssize(functions))
    functions.push_back(function);
  return static_cast<FunctionIndex>(index);
}

}  // namespace

std::vector<ProcessLoops> list_chosen_loops(const PlannedTrace& trace,
                                            const std::vector<std::size_t>& processes) {
  const auto& plan = trace.plan();
  const auto& chosen = *plan.chosen;
  const auto earlier = find_earlier_reductions(trace.definitions());
  const FunctionSearch search(trace.functions().functions());

  std::vector<ProcessLoops> out(plan.processes.size());
  for (const auto p : processes) {
    const auto at = chosen.loops.find(find_first_original(earlier, plan.processes[p].id));
    if (at == chosen.loops.end())
      continue;
    if (auto loop = make_chosen_loop(chosen, at->second, search))
      out[p] = {{std::move(*loop)}, at->second.begin(), at->second.end(), std::nullopt};
  }
  return out;
}

Loop keep_chosen(const Plan& plan, const Loop& loop, const std::vector<std::size_t>& iterations,
                 std::vector<Function>& functions) {
  Loop kept;
  kept.source = loop.source;
  for (const auto function : loop.path)
    kept.path.push_back(add_function(plan.functions[function], functions));
  kept.function = add_function(plan.functions[loop.function], functions);
  kept.confidence = loop.confidence;
  kept.explained = loop.explained;
  const auto around = static_cast<std::uint32_t>(loop.path.size());
  for (const auto i : iterations)
    if (i < loop.iterations.size())
      kept.add(loop.iterations[i],
               loop.begin_order(i) - (plan.chosen && begins_part(loop, i) ? around : 0));
  for (const auto& iteration : kept.iterations)
    kept.ticks += iteration.end - iteration.begin;
  return kept;
}

}  // namespace tracefold
