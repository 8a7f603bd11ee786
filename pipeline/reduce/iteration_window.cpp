#include "pipeline/reduce/iteration_window.hpp"

#include "base/text.hpp"
#include "pipeline/iterations/chosen_loops.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/reduce/fold_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// The loop as one of these processes has it; null where it does not.
const Loop* find_loop(const ProcessLoops& loops, std::optional<std::size_t> place) {
  return place && *place < loops.loops.size() ? &loops.loops[*place] : nullptr;
}

TimeSpans list_spans(const Loop& loop, const std::vector<std::size_t>& iterations) {
  std::vector<TimeSpan> spans;
  for (const auto iteration : iterations)
    if (iteration < loop.iterations.size())
      spans.push_back({loop.iterations[iteration].begin, loop.iterations[iteration].end});
  return join_spans(std::move(spans));
}

// No plan holds more.
void check_number(std::size_t spans) {
  if (spans > most_spans)
    throw Error(ErrorKind::usage,
                fmt::format("these iterations are more than {} parts of the time of all processes",
                            group_digits(most_spans)))
        .hint("ask for fewer of them, or for some that follow each other");
}

// Each of the iterations, from the first process that begins it to the last that ends it.
TimeSpans list_common_spans(const std::vector<const Loop*>& loops,
                            const std::vector<std::size_t>& iterations) {
  std::vector<TimeSpan> spans;
  for (const auto iteration : iterations) {
    TimeSpan common{~std::uint64_t{0}, 0};
    for (const auto* loop : loops)
      if (iteration < loop->iterations.size()) {
        common.begin = std::min(common.begin, loop->iterations[iteration].begin);
        common.end = std::max(common.end, loop->iterations[iteration].end);
      }
    spans.push_back(common);
  }

  return join_spans(std::move(spans));
}

// Of a main loop with so many. Throws Error(usage) where it lacks one.
std::vector<std::size_t> find_iterations(const Plan& plan,
                                         const std::vector<std::uint64_t>& numbers,
                                         std::size_t most) {
  std::vector<std::size_t> iterations;
  for (const auto number : numbers) {
    const auto iteration = find_iteration(plan, number);
    if (!iteration || *iteration >= most)
      throw Error(ErrorKind::usage,
                  plan.chosen ? fmt::format("iteration {}: of the main loop, {} are left", number,
                                            name_iterations(plan, 0, most - 1))
                              : fmt::format("iteration {}: the main loop has {} iterations",
                                            numbers.back(), group_digits(most)))
          .hint("they are counted from 0; see them with 'tracefold iterations'");
    iterations.push_back(*iteration);
  }
  return iterations;
}

}  // namespace

MainLoopWindow find_iteration_window(PlanSession& session,
                                     const std::vector<std::uint64_t>& numbers) {
  session.profile();
  const auto& plan = session.plan();
  const auto members = list_processes(plan);
  const auto main = choose_loop(session, members, {}, std::nullopt);
  const auto places = find_same_loops(members, main.loops, main.loop);

  MainLoopWindow found;
  std::vector<const Loop*> loops(plan.processes.size());
  for (const auto member : members)
    if (const auto* loop = find_loop(main.loops[member], places[member])) {
      loops[member] = loop;
      found.iterations = std::max(found.iterations, loop->iterations.size());
    }
  const auto iterations = find_iterations(plan, numbers, found.iterations);

  auto chosen = std::make_shared<ChosenIterations>();
  chosen->numbers = numbers;
  std::size_t spans = 0;
  for (const auto member : members) {
    if (!loops[member])
      continue;
    const auto location = plan.processes[member].id;
    auto own = list_spans(*loops[member], iterations);
    spans += own.size();
    check_number(spans);
    found.window.own[location] = std::move(own);

    auto kept = keep_chosen(plan, *loops[member], iterations, chosen->functions);
    if (!main.loops[member].taken_from && !kept.iterations.empty())
      chosen->loops.emplace(location, std::move(kept));
  }
  found.chosen = std::move(chosen);

  std::erase(loops, nullptr);
  found.window.spans = list_common_spans(loops, iterations);
  check_number(spans + found.window.spans.size());
  found.processes = loops.size();
  found.function = plan.functions[loops.front()->function].shown_name();
  found.is_unsure = rate_certainty(loops.front()->confidence) == Certainty::unsure;
  return found;
}

}  // namespace tracefold
