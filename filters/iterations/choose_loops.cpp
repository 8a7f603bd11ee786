#include "filters/iterations/choose_loops.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

bool overlap(const Loop& a, const Loop& b) {
  return a.begin() < b.end() && b.begin() < a.end();
}

// An outer loop has to reach this share of the scores of its inner ones.
constexpr double outer_against_inner = 0.75;

// Where it is not clear whether the outer or the inner loop counts.
constexpr double nested_confidence = 0.5;

// Loops with a fourth of the work or more are as sure as they can be.
constexpr double certain_from = 4;

RunnerUp as_runner_up(const Loop& loop, const Loop& chosen) {
  const auto share = chosen.score > 0 ? std::min(1.0, loop.score / chosen.score) : 1.0;
  return {loop.function, loop.iterations.size(), share};
}

void sort_by_time(std::vector<Loop>& loops) {
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::tuple(a.begin(), a.function) < std::tuple(b.begin(), b.function);
  });
}

}  // namespace

double ProcessWork::compute_share(std::uint64_t of_ticks, std::uint64_t of_calls) const {
  const auto time =
      static_cast<double>(of_ticks) / static_cast<double>(std::max<std::uint64_t>(ticks, 1));
  const auto number =
      static_cast<double>(of_calls) / static_cast<double>(std::max<std::uint64_t>(calls, 1));
  return (std::min(time, 1.0) + std::min(number, 1.0)) / 2;
}

namespace {

// The loops of all calls that do enough, with what they are for the whole process.
std::vector<Loop> rate_loops(std::vector<CallWithLoops> calls, const ProcessWork& process) {
  std::vector<Loop> loops;
  for (auto& call : calls) {
    if (process.compute_share(call.ticks, call.calls) < least_work_of_call)
      continue;

    for (auto& loop : call.loops) {
      loop.work = process.compute_share(loop.ticks, loop.subcalls);
      loop.score *= loop.work;
      loop.confidence *= std::min(1.0, certain_from * loop.work);
      loops.push_back(std::move(loop));
    }
  }

  return loops;
}

// Whether each iteration of a loop does what an iteration of the one in it does, or more.
bool do_all_iterate(const Loop& loop, const Loop& inner) {
  return loop.fewest_subcalls >= inner.subcalls / inner.iterations.size();
}

// Takes a loop instead of those of `chosen` that are in it, or leaves it out.
void choose_outer_or_inner(Loop loop, std::vector<Loop>& chosen) {
  const auto is_inner = [&](const Loop& other) {
    return other.path.size() > loop.path.size() && other.begin() >= loop.begin() &&
           other.end() <= loop.end();
  };

  double score = 0;
  double work = 0;
  const Loop* largest = nullptr;
  for (const auto& other : chosen) {
    if (!is_inner(other))
      continue;

    score += other.score;
    work += other.work;
    if (!largest || other.score > largest->score)
      largest = &other;
  }

  if (loop.is_dominated && largest && do_all_iterate(loop, *largest)) {
    loop.is_dominated = false;
    loop.score *= 2;
  }
  const bool is_one_command = loop.is_dominated && 2 * work >= loop.work;
  const bool counts = !is_one_command && loop.score >= outer_against_inner * score;
  if (counts) {
    if (largest && !loop.runner_up)
      loop.runner_up = as_runner_up(*largest, loop);
    std::erase_if(chosen, is_inner);
    chosen.push_back(std::move(loop));
    return;
  }

  for (auto& other : chosen) {
    if (!is_inner(other))
      continue;

    if (!other.runner_up)
      other.runner_up = as_runner_up(loop, other);
    if (!is_one_command)
      other.confidence *= nested_confidence;
  }
}

// The same loop in several calls may be the inner one of a loop that was not found.
void doubt_repeated_loops(std::vector<Loop>& loops) {
  const auto make_key = [](const Loop& loop) { return std::pair(loop.path, loop.function); };
  std::map<std::pair<std::vector<FunctionIndex>, FunctionIndex>, std::size_t> times;
  for (const auto& loop : loops)
    ++times[make_key(loop)];

  for (auto& loop : loops)
    if (times.at(make_key(loop)) > 1 && loop.path.size() > 1)
      loop.confidence *= nested_confidence;
}

}  // namespace

std::vector<Loop> choose_nested_loops(std::vector<CallWithLoops> calls,
                                      const ProcessWork& process) {
  auto found = rate_loops(std::move(calls), process);
  std::stable_sort(found.begin(), found.end(),
                   [](const Loop& a, const Loop& b) { return a.path.size() > b.path.size(); });

  // From the innermost on, so that an outer loop is held against those in it that count.
  std::vector<Loop> chosen;
  for (auto& loop : found)
    choose_outer_or_inner(std::move(loop), chosen);

  doubt_repeated_loops(chosen);
  sort_by_time(chosen);

  return chosen;
}

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
      around->runner_up = as_runner_up(loop, *around);
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
          loop.runner_up = as_runner_up(other, loop);

    return out;
  }

  double largest = 0;
  for (const auto& loop : found)
    largest = std::max(largest, loop.work);

  // Half of what is needed in the mean over a group: on other processes it may take longer.
  const auto least = std::max(least_share, least_share_of_largest * largest) / 2;
  std::erase_if(found, [&](const Loop& loop) { return loop.work < least; });
  out.loops = std::move(found);
  sort_by_time(out.loops);

  return out;
}

}  // namespace tracefold
