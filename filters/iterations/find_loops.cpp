#include "filters/iterations/find_loops.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Below, the calls between two anchors have too little in common, or the body
// takes too little of the time, for a loop.
constexpr double least_alike = 0.6, least_explained = 0.5;
// A shorter period has to explain so much of what the best one does.
constexpr double nearly = 0.85, nearly_explained = 0.75;
// So alike are iterations that may begin with another call as well.
constexpr double as_alike = 0.98;

// What an anchor is worth: the time it makes iterations of, and how alike they are.
double worth(const AnchorFit& f) {
  return static_cast<double>(f.ticks) * f.alike;
}

bool better(const AnchorFit& a, const AnchorFit& b) {
  return std::tuple(-worth(a), a.begins.front(), a.anchor.before, a.anchor.symbol) <
         std::tuple(-worth(b), b.begins.front(), b.anchor.before, b.anchor.symbol);
}

std::vector<AnchorFit> fits_of(const CallSequence& sequence, std::uint64_t least) {
  std::vector<AnchorFit> fits;
  for (const auto& anchor : likely_anchors(sequence)) {
    auto found = fit(sequence, anchor);
    if (!found)
      continue;
    if (found->alike >= least_alike && found->explained >= least_explained && found->ticks > 0 &&
        found->ticks >= least)
      fits.push_back(std::move(*found));
  }

  std::sort(fits.begin(), fits.end(), better);

  return fits;
}

// Seen from different calls, one period may have a few iterations more or less.
bool same_period(std::size_t n, std::size_t m) {
  return n <= m + m / 4 + 1 && m <= n + n / 4 + 1;
}

std::size_t span_of(const AnchorFit& f) {
  return f.end - f.begins.front();
}

// The same loop, but its iterations begin later: what is before a loop often prepares
// it by calls that a pass ends with.
bool is_later_turn(const AnchorFit& f, const AnchorFit& than) {
  return f.begins.size() == than.begins.size() && f.begins.front() > than.begins.front() &&
         span_of(f) >= span_of(than) && f.alike >= as_alike * than.alike;
}

// Of the fits, best first, the one with the most iterations that explains nearly
// as much as the best; of one period the one that takes in the most calls, so
// that processes with equal calls do not differ by their times.
std::size_t chosen(const std::vector<AnchorFit>& fits) {
  const auto& best = fits.front();
  const auto explains = [&](const AnchorFit& f) {
    return worth(f) >= nearly * worth(best) && f.explained >= nearly_explained * best.explained;
  };
  std::size_t period = best.begins.size();
  for (const auto& f : fits)
    if (explains(f) && f.begins.size() > period && !same_period(f.begins.size(), period))
      period = f.begins.size();

  const auto key = [](const AnchorFit& f) {
    return std::tuple(-static_cast<double>(span_of(f)) * f.alike, f.begins.front(), f.begins.size(),
                      f.anchor.before, f.anchor.symbol);
  };

  std::size_t place = fits.size();
  for (std::size_t k = 0; k < fits.size(); ++k)
    if (explains(fits[k]) && same_period(fits[k].begins.size(), period) &&
        (place == fits.size() || key(fits[k]) < key(fits[place])))
      place = k;

  for (std::size_t k = 0; k < fits.size(); ++k)
    if (explains(fits[k]) && is_later_turn(fits[k], fits[place]))
      place = k;

  return place;
}

Loop loop_of(const CallSequence& sequence, const AnchorFit& found) {
  Loop loop;
  loop.source = found.dominant == any_symbol ? LoopSource::sequence : LoopSource::call_path;
  loop.function = found.dominant == any_symbol ? sequence.calls[found.begins.front()].function
                                               : sequence.functions[found.dominant];
  for (auto place : found.begins)
    loop.add({sequence.calls[place].begin, 0}, sequence.calls[place].order);
  for (std::size_t i = 0; i + 1 < loop.iterations.size(); ++i)
    loop.iterations[i].end = loop.iterations[i + 1].begin;

  const auto& last = sequence.calls[found.end - 1];
  loop.iterations.back().end = last.end;
  if (last.begin == last.end)
    loop.end_order = last.order + 1;

  loop.ticks = found.ticks;
  loop.calls = found.calls;
  loop.confidence = found.alike * found.explained;

  return loop;
}

std::optional<RunnerUp> runner_up(const CallSequence& sequence, const std::vector<AnchorFit>& fits,
                                  std::size_t place) {
  const auto n = fits[place].begins.size();
  for (const auto& f : fits) {
    const auto m = f.begins.size();
    if (same_period(n, m))
      continue;

    return RunnerUp{f.dominant == any_symbol ? sequence.calls[f.begins.front()].function
                                             : sequence.functions[f.dominant],
                    m, f.alike * f.explained};
  }

  return std::nullopt;
}

}  // namespace

std::vector<Loop> find_loops(std::span<const Call> calls, std::uint64_t least) {
  std::vector<Loop> loops;
  std::vector<std::span<const Call>> todo{calls};

  while (!todo.empty()) {
    const auto part = todo.back();
    todo.pop_back();
    if (part.size() < fewest_iterations || part.back().end - part.front().begin < least)
      continue;

    const CallSequence sequence(part);
    const auto fits = fits_of(sequence, least);
    if (fits.empty())
      continue;

    const auto place = chosen(fits);
    const auto& found = fits[place];
    loops.push_back(loop_of(sequence, found));
    loops.back().runner_up = runner_up(sequence, fits, place);
    todo.push_back(part.first(found.begins.front()));
    todo.push_back(part.subspan(found.end));
  }

  std::sort(loops.begin(), loops.end(),
            [](const Loop& a, const Loop& b) { return a.begin() < b.begin(); });

  return loops;
}

}  // namespace tracefold
