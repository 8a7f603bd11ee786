#include "pipeline/iterations/complete_map_loop.hpp"

#include "model/plan.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

bool is_same_loop(const Loop& a, const Loop& b) {
  return a.source == b.source && a.path == b.path && a.function == b.function &&
         a.iterations.size() == b.iterations.size();
}

// A process with this loop alone.
ProcessLoops make_with_loop(const ProcessLoops& process, Loop loop) {
  ProcessLoops out;
  out.first_time = process.first_time;
  out.last_time = process.last_time;
  out.loops.push_back(std::move(loop));
  return out;
}

}  // namespace

std::map<std::size_t, ProcessLoops> find_missing_loops(const PlannedTrace& trace,
                                                       const std::vector<std::size_t>& members,
                                                       std::size_t number, const KnownLoops& loops,
                                                       const AskedIterations& asked,
                                                       SearchedLoops* searched) {
  const auto places = find_same_loops(members, loops, number);
  std::vector<std::size_t> missing;
  for (auto m : members)
    if (!places[m] && !loops[m].taken_from)
      missing.push_back(m);
  if (missing.empty())
    return {};

  const auto& wanted = loops[find_first_with_loop(members, loops, number)].loops[number];
  const auto all = find_loops_pass(trace, missing, asked, LoopThreshold::none, searched);
  std::map<std::size_t, ProcessLoops> found;
  for (auto m : missing) {
    const auto& own = all[m].loops;
    const auto at = std::find_if(own.begin(), own.end(),
                                 [&](const Loop& loop) { return is_same_loop(loop, wanted); });
    if (at != own.end())
      found.emplace(m, make_with_loop(all[m], *at));
  }

  for (auto m : members)
    if (const auto source = loops[m].taken_from; source && !places[m])
      if (const auto at = found.find(*source); at != found.end()) {
        found[m] = make_with_loop(loops[m], at->second.loops.front());
        found[m].taken_from = source;
      }
  return found;
}

void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, const AskedIterations& asked, SearchedLoops* searched,
                       std::vector<ProcessLoops>& loops) {
  for (auto& [process, found] : find_missing_loops(trace, members, number, loops, asked, searched))
    loops[process] = std::move(found);
}

}  // namespace tracefold
