#include "pipeline/reduce/iteration_window.hpp"

#include "base/text.hpp"
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

TimeSpans list_spans(const Loop& loop, const std::vector<std::uint64_t>& iterations) {
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
                            const std::vector<std::uint64_t>& iterations) {
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

}  // namespace

ChosenIterations find_iteration_window(PlanSession& session,
                                       const std::vector<std::uint64_t>& iterations) {
  session.profile();
  const auto& plan = session.plan();
  const auto members = list_processes(plan);
  const auto chosen = choose_loop(session, members, {}, std::nullopt);
  const auto places = find_same_loops(members, chosen.loops, chosen.loop);

  ChosenIterations found;
  std::vector<const Loop*> loops;
  std::size_t spans = 0;
  for (const auto member : members) {
    const auto* loop = find_loop(chosen.loops[member], places[member]);
    if (!loop)
      continue;
    loops.push_back(loop);
    found.iterations = std::max(found.iterations, loop->iterations.size());
    auto own = list_spans(*loop, iterations);
    spans += own.size();
    check_number(spans);
    found.window.own[plan.processes[member].id] = std::move(own);
  }

  if (iterations.back() >= found.iterations)
    throw Error(ErrorKind::usage, fmt::format("iteration {}: the main loop has {} iterations",
                                              iterations.back(), group_digits(found.iterations)))
        .hint("they are counted from 0; see them with 'tracefold iterations'");

  found.window.spans = list_common_spans(loops, iterations);
  check_number(spans + found.window.spans.size());
  found.processes = loops.size();
  found.function = plan.functions[loops.front()->function].shown_name();
  found.is_unsure = rate_certainty(loops.front()->confidence) == Certainty::unsure;
  return found;
}

}  // namespace tracefold
