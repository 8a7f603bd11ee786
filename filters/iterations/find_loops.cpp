#include "filters/iterations/find_loops.hpp"

#include "filters/iterations/split_iterations.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Below these, iterations have too little in common for a loop, or what they have in common
// takes too little of the time.
constexpr double least_similarity = 0.6;
constexpr double least_explained = 0.5;

// A shorter period has to reach these shares of what the best split does.
constexpr double nearly_worth = 0.85;
constexpr double nearly_explained = 0.75;

// Iterations that begin with a later call have to be as similar as this.
constexpr double later_similarity = 0.98;

// The time in iterations, times how similar they are.
double compute_worth(const LoopSplit& split) {
  return static_cast<double>(split.ticks) * split.similarity;
}

// Where iterations of equal worth may differ; the last resort for a unique order.
auto get_order(const LoopSplit& split) {
  return std::tuple(split.marker.before, split.marker.symbol);
}

// The splits that are loops, by their worth.
std::vector<LoopSplit> split_by_all_markers(const CallSequence& sequence,
                                            std::uint64_t least_ticks) {
  std::vector<LoopSplit> splits;

  for (const auto& marker : choose_loop_markers(sequence)) {
    auto split = split_by_marker(sequence, marker);
    if (!split || split->ticks == 0 || split->ticks < least_ticks)
      continue;
    if (split->similarity >= least_similarity && split->explained >= least_explained)
      splits.push_back(std::move(*split));
  }

  const auto key = [](const LoopSplit& split) {
    return std::tuple(-compute_worth(split), split.begins.front(), get_order(split));
  };
  std::sort(splits.begin(), splits.end(),
            [&](const LoopSplit& a, const LoopSplit& b) { return key(a) < key(b); });

  return splits;
}

// Whether numbers of iterations are of one period: markers at different places of an
// iteration may find a few more or less.
bool is_same_period(std::size_t n, std::size_t m) {
  return n <= m + m / 4 + 1 && m <= n + n / 4 + 1;
}

// Whether a split is the same loop as another one, but with iterations that begin later: calls
// before a loop often prepare it by what each iteration does again at its end.
bool begins_later(const LoopSplit& split, const LoopSplit& than) {
  return split.begins.size() == than.begins.size() && split.begins.front() > than.begins.front() &&
         split.size() >= than.size() && split.similarity >= later_similarity * than.similarity;
}

// Chooses, of the splits that are nearly as good as the best one, the period with the most
// iterations, and of this period the split with the most calls. Calls and not times decide,
// so that processes with equal calls get equal iterations. Returns its place.
std::size_t choose_split(const std::vector<LoopSplit>& splits) {
  const auto& best = splits.front();
  const auto is_good = [&](const LoopSplit& split) {
    return compute_worth(split) >= nearly_worth * compute_worth(best) &&
           split.explained >= nearly_explained * best.explained;
  };

  auto period = best.begins.size();
  for (const auto& split : splits) {
    const auto iterations = split.begins.size();
    if (is_good(split) && iterations > period && !is_same_period(iterations, period))
      period = iterations;
  }

  const auto key = [](const LoopSplit& split) {
    return std::tuple(-static_cast<double>(split.size()) * split.similarity, split.begins.front(),
                      split.begins.size(), get_order(split));
  };

  std::optional<std::size_t> chosen;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    if (!is_good(splits[k]) || !is_same_period(splits[k].begins.size(), period))
      continue;
    if (!chosen || key(splits[k]) < key(splits[*chosen]))
      chosen = k;
  }

  for (std::size_t k = 0; k < splits.size(); ++k)
    if (is_good(splits[k]) && begins_later(splits[k], splits[*chosen]))
      chosen = k;

  return *chosen;
}

// The function that a loop is known by: the one that takes most of its time, or the one that
// its first iteration begins with.
FunctionIndex get_function(const CallSequence& sequence, const LoopSplit& split) {
  if (split.dominant == any_symbol)
    return sequence.calls[split.begins.front()].function;
  return sequence.functions[split.dominant];
}

Loop make_loop(const CallSequence& sequence, const LoopSplit& split) {
  Loop loop;
  loop.source = split.dominant == any_symbol ? LoopSource::sequence : LoopSource::call_path;
  loop.function = get_function(sequence, split);

  for (auto place : split.begins)
    loop.add({sequence.calls[place].begin, 0}, sequence.calls[place].order);
  for (std::size_t i = 0; i + 1 < loop.iterations.size(); ++i)
    loop.iterations[i].end = loop.iterations[i + 1].begin;

  const auto& last = sequence.calls[split.end - 1];
  loop.iterations.back().end = last.end;
  if (last.begin == last.end)
    loop.end_order = last.order + 1;

  loop.ticks = split.ticks;
  loop.calls = split.calls;
  loop.confidence = split.similarity * split.explained;

  return loop;
}

// The best split with another period than the chosen one.
std::optional<RunnerUp> find_runner_up(const CallSequence& sequence,
                                       const std::vector<LoopSplit>& splits, std::size_t chosen) {
  const auto iterations = splits[chosen].begins.size();
  const auto other = std::find_if(splits.begin(), splits.end(), [&](const LoopSplit& split) {
    return !is_same_period(iterations, split.begins.size());
  });
  if (other == splits.end())
    return std::nullopt;

  return RunnerUp{get_function(sequence, *other), other->begins.size(),
                  other->similarity * other->explained};
}

}  // namespace

std::vector<Loop> find_loops(std::span<const Call> calls, std::uint64_t least_ticks) {
  std::vector<Loop> loops;
  std::vector<std::span<const Call>> to_search{calls};

  while (!to_search.empty()) {
    const auto part = to_search.back();
    to_search.pop_back();
    if (part.size() < fewest_iterations || part.back().end - part.front().begin < least_ticks)
      continue;

    const CallSequence sequence(part);
    const auto splits = split_by_all_markers(sequence, least_ticks);
    if (splits.empty())
      continue;

    const auto chosen = choose_split(splits);
    const auto& split = splits[chosen];
    loops.push_back(make_loop(sequence, split));
    loops.back().runner_up = find_runner_up(sequence, splits, chosen);

    to_search.push_back(part.first(split.begins.front()));
    to_search.push_back(part.subspan(split.end));
  }

  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.begin() < b.begin(); });

  return loops;
}

}  // namespace tracefold
