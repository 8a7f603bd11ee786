#include "filters/iterations/choose_loops.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

bool overlap(const Loop& a, const Loop& b) {
  return a.begin() < b.end() && b.begin() < a.end();
}

RunnerUp as_runner_up(const Loop& loop) {
  return {loop.function, loop.iterations.size(), loop.confidence};
}

void sort_by_time(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::tuple(a.begin(), a.function) < std::tuple(b.begin(), b.function);
  });
}

}  // namespace

std::vector<Loop> choose_outermost_loops(std::vector<Loop> candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Loop& a, const Loop& b) {
    return std::tuple(b.ticks, a.begin(), a.iterations.size(), a.function) <
           std::tuple(a.ticks, b.begin(), b.iterations.size(), b.function);
  });

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

ProcessLoops choose_process_loops(std::vector<Loop> marked, std::vector<Loop> found,
                                  std::uint64_t first_time, std::uint64_t last_time) {
  ProcessLoops out{{}, first_time, last_time, std::nullopt};
  out.loops = choose_outermost_loops(std::move(marked));

  if (!out.loops.empty()) {
    for (auto& loop : out.loops)
      for (const auto& other : found)
        if (!loop.runner_up && overlap(loop, other) &&
            loop.iterations.size() != other.iterations.size())
          loop.runner_up = as_runner_up(other);

    return out;
  }

  std::uint64_t largest = 0;
  for (const auto& loop : found)
    largest = std::max(largest, loop.ticks);

  // Half of what is needed in the mean over a group: on other processes it may take longer.
  const auto least = std::max(least_share * static_cast<double>(out.ticks()),
                              least_share_of_largest * static_cast<double>(largest)) /
                     2;
  std::erase_if(found, [&](const Loop& loop) { return static_cast<double>(loop.ticks) < least; });
  out.loops = std::move(found);
  sort_by_time(out.loops);

  return out;
}

}  // namespace tracefold
