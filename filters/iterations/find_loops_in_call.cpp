#include "filters/iterations/find_loops_in_call.hpp"

#include "filters/iterations/loop_steps.hpp"
#include "filters/iterations/split_iterations.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// A loop whose iterations are one call that calls nothing has at least this many.
constexpr std::size_t fewest_single_calls = 5;

// Below these, iterations have too little in common for a loop, or what they have in common
// takes too little of the time.
constexpr double least_similarity = 0.6;
constexpr double more_of_few = 0.3;  // divided by how many others there are: few have to be alike
constexpr double least_explained = 0.5;

// A shorter period has to reach these shares of the best split's score, and of the kinds of calls
// in its iterations. Fewer kinds are enough where it is as good, or where it covers calls that the
// other one cannot explain: a step that every tenth iteration makes leaves some behind the last
// step.
constexpr double nearly_score = 0.8;
constexpr double nearly_kinds = 0.6;
constexpr double covering_score = 0.7;
constexpr double as_good = 0.95;
constexpr double fewer_kinds = 0.4;
// What only some steps do may take much of the time (see loop_steps.hpp).
constexpr double steps_score = 0.5;
constexpr double steps_kinds = 0.3;

// A shorter period has nearly twice as many iterations or more. Markers that find fewer than that
// find the same loop, and the ones whose iterations are more alike are right.
constexpr double shorter_period = 1.75;

// Shares of what is repeated exactly.
constexpr double nearly_all_repeated = 0.6;
constexpr std::size_t fewest_kinds_of_repeated = 3;
// What is repeated exactly is as sure as this at least.
constexpr double least_confidence_of_repeated = 0.3;

// Splits of one period compete if they reach this share of the best one's worth.
constexpr double as_worth = 0.95;

// Iterations that begin with a later call have to be as similar as this.
constexpr double later_similarity = 0.98;
// Where they are less of the program, they have to be more alike by more than times vary.
constexpr double more_similar = 1.001;

// Where iterations of equal worth may differ; the last resort for a unique order.
auto get_order(const LoopSplit& split) {
  return std::tuple(split.marker.before, split.marker.symbol);
}

// The splits that are loops, by their worth.
std::vector<LoopSplit> split_by_all_markers(const CallSequence& sequence, double least_work) {
  std::vector<LoopSplit> splits;
  SegmentComparer comparer(sequence);

  for (const auto& marker : choose_loop_markers(sequence)) {
    auto split = split_by_marker(comparer, marker);
    if (!split || split->work < least_work)
      continue;
    // A few calls that call nothing are no loop.
    if (split->begins.size() < fewest_single_calls && split->subcalls <= split->begins.size())
      continue;
    const auto others = static_cast<double>(split->begins.size() - 1);
    if (split->similarity >= least_similarity + more_of_few / others &&
        split->explained >= least_explained)
      splits.push_back(std::move(*split));
  }

  const auto key = [](const LoopSplit& split) {
    return std::tuple(-split.get_worth(), split.begins.front(), get_order(split));
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
  if (split.begins.size() != than.begins.size() || split.begins.front() <= than.begins.front())
    return false;
  return split.size() >= than.size() ? split.similarity >= later_similarity * than.similarity
                                     : split.similarity > more_similar * than.similarity &&
                                           split.whole >= than.whole && !split.is_partial;
}

// Chooses, of the splits that are nearly as good as the best one, the period with the most
// iterations, and of this period the split with the most whole iterations. Returns its place.
std::size_t choose_split(const CallSequence& sequence, const std::vector<LoopSplit>& splits) {
  const auto& best = *std::max_element(
      splits.begin(), splits.end(),
      [](const LoopSplit& a, const LoopSplit& b) { return a.get_score() < b.get_score(); });
  const auto is_good = [&](const LoopSplit& split) {
    const bool covers_more = split.size() >= best.size() + split.calls + split.calls / 2;
    const auto score = split.get_score() / best.get_score();
    const auto kinds = static_cast<double>(split.kinds) / static_cast<double>(best.kinds);
    return (score >= nearly_score && kinds >= nearly_kinds) ||
           (score >= (covers_more ? covering_score : as_good) && kinds >= fewer_kinds) ||
           (score >= steps_score && kinds >= steps_kinds && are_steps_of(sequence, split, best));
  };

  // By worth: the first one of several that differ by less stays.
  auto period = best.begins.size();
  for (const auto& split : splits) {
    const auto iterations = split.begins.size();
    const bool is_shorter =
        static_cast<double>(iterations) > shorter_period * static_cast<double>(period);
    if (is_shorter && !is_same_period(iterations, period) && is_good(split))
      period = iterations;
  }

  double worth = 0;
  for (const auto& split : splits)
    if (is_same_period(split.begins.size(), period) && is_good(split))
      worth = std::max(worth, split.get_worth());

  const auto is_candidate = [&](const LoopSplit& split) {
    return is_same_period(split.begins.size(), period) && split.get_worth() >= as_worth * worth;
  };
  const auto key = [](const LoopSplit& split) {
    return std::tuple(-static_cast<double>(split.whole), -static_cast<double>(split.size()),
                      split.is_partial, split.begins.front(), get_order(split));
  };

  std::optional<std::size_t> chosen;
  for (std::size_t k = 0; k < splits.size(); ++k)
    if (is_candidate(splits[k]) && (!chosen || key(splits[k]) < key(splits[*chosen])))
      chosen = k;

  for (std::size_t k = 0; k < splits.size(); ++k)
    if (is_candidate(splits[k]) && begins_later(splits[k], splits[*chosen]))
      chosen = k;

  return *chosen;
}

// Whether nearly all calls are of a sequence that is repeated again and again, and no short one.
bool is_repeated(const CallSequence& sequence, const LoopSplit& split) {
  if (sequence.first_place == any_symbol || split.kinds < fewest_kinds_of_repeated)
    return false;

  const auto begin = sequence.symbol.begin();
  const auto repeated =
      std::count_if(begin + static_cast<std::ptrdiff_t>(split.begins.front()),
                    begin + static_cast<std::ptrdiff_t>(split.end),
                    [&](std::uint32_t symbol) { return symbol >= sequence.first_place; });
  return static_cast<double>(repeated) >= nearly_all_repeated * static_cast<double>(split.size());
}

// The best split with another period than the chosen one.
const LoopSplit* find_other_period(const std::vector<LoopSplit>& splits, std::size_t chosen) {
  const LoopSplit* other = nullptr;
  for (const auto& split : splits)
    if (!is_same_period(splits[chosen].begins.size(), split.begins.size()) &&
        (!other || split.get_score() > other->get_score()))
      other = &split;

  return other;
}

// Another period that is as good leaves this much of the confidence.
constexpr double least_margin = 0.3;
// If it is of several steps each, which do the same.
constexpr double least_margin_of_steps = 0.6;

// The first or last iteration may be missing.
constexpr double less_beside = 0.75;

// What looks like warm-up or set-up may be an iteration that did something only once.
constexpr double less_warm_up = 0.93;

// How sure the number of iterations is, but for how much of the process the loop is.
double compute_confidence(const CallSequence& sequence, const std::vector<LoopSplit>& splits,
                          std::size_t chosen) {
  const auto& split = splits[chosen];
  bool is_partial = split.is_partial;
  double agreeing = 0;
  double all = 0;
  for (const auto& other : splits) {
    if (!is_same_period(split.begins.size(), other.begins.size()) ||
        other.get_worth() < as_worth * split.get_worth())
      continue;
    ++all;
    const bool agrees = other.begins.size() == split.begins.size();
    agreeing += agrees;
    if (agrees && !other.is_partial)
      is_partial = false;
  }

  auto confidence = split.similarity * agreeing / all;
  if (const auto* other = find_other_period(splits, chosen)) {
    const auto margin = 1 - other->get_score() / split.get_score();
    const auto least = are_steps_of(sequence, split, *other) ? least_margin_of_steps : least_margin;
    confidence *= std::clamp(least_margin + 2 * margin, least, 1.0);
  }

  confidence *= 1 - 1 / (static_cast<double>(split.begins.size()) - 1);
  if (split.has_part_beside)
    confidence *= less_beside;
  if (split.is_cut)
    confidence *= less_warm_up;

  return confidence / (split.is_dominated || is_partial ? 2 : 1);
}

// Passes before the loop, as any marker sees them that finds the same iterations: others begin
// inside of these passes, or see the first of them as a part of the loop's beginning.
std::size_t find_warm_up(const std::vector<LoopSplit>& splits, const LoopSplit& chosen) {
  std::size_t passes = 0;
  for (const auto& split : splits)
    if (split.begins.size() == chosen.begins.size() &&
        split.begins.front() == chosen.begins.front())
      passes = std::max(passes, split.warm_up);
  return passes;
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
  loop.subcalls = split.subcalls;
  loop.fewest_subcalls = split.fewest_subcalls;
  loop.score = split.similarity * split.strict / (split.is_dominated ? 2 : 1);
  loop.explained = split.dominant == any_symbol ? split.explained : split.dominant_share;
  loop.is_dominated = split.is_dominated;

  return loop;
}

}  // namespace

std::vector<Loop> find_loops_in_call(std::span<const Call> calls, double least_work, CallKey key) {
  std::vector<Loop> loops;
  std::vector<std::span<const Call>> to_search{calls};
  double all_ticks = 0, all_subcalls = 0;  // of the first part, which is all

  while (!to_search.empty()) {
    const auto part = to_search.back();
    to_search.pop_back();
    if (part.size() < fewest_iterations)
      continue;

    const CallSequence sequence(part, key);
    if (part.size() == calls.size()) {
      all_ticks = sequence.ticks;
      all_subcalls = sequence.subcalls;
    }

    const auto share_of_part = (sequence.ticks / all_ticks + sequence.subcalls / all_subcalls) / 2;
    const auto splits = split_by_all_markers(sequence, least_work / share_of_part);
    if (splits.empty())
      continue;

    const auto chosen = choose_split(sequence, splits);
    const bool is_exact = is_repeated(sequence, splits[chosen]);
    const auto outer = is_exact ? find_outer_loop(sequence, splits[chosen]) : std::nullopt;
    const auto& split = outer ? *outer : splits[chosen];
    auto& loop = loops.emplace_back(make_loop(sequence, split));
    loop.is_repeated = is_exact;
    loop.confidence = compute_confidence(sequence, splits, chosen);
    if (is_exact)
      loop.confidence = std::max(loop.confidence, least_confidence_of_repeated);
    loop.warm_up = outer ? 0 : find_warm_up(splits, split);
    const auto* other = outer ? &splits[chosen] : find_other_period(splits, chosen);
    if (other)
      loop.runner_up = RunnerUp{get_function(sequence, *other), other->begins.size(),
                                std::min(1.0, other->get_score() / splits[chosen].get_score())};

    to_search.push_back(part.first(split.begins.front()));
    to_search.push_back(part.subspan(split.end));
  }

  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.begin() < b.begin(); });

  return loops;
}

}  // namespace tracefold
