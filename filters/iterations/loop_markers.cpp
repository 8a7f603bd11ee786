#include "filters/iterations/loop_markers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

constexpr std::size_t most_pairs = 4096;          // symbols behind another that are looked at
constexpr std::size_t most_with_equal_calls = 3;  // markers with the same number of calls
constexpr std::size_t most_markers = 24;          // that are worth a closer look
constexpr double nearly_as_regular = 0.9;         // of the most regular one's score

std::array<double, 256> measure_short_octaves() {
  std::array<double, 256> octaves{};
  for (std::size_t distance = 1; distance < octaves.size(); ++distance)
    octaves[distance] = std::log2(static_cast<double>(distance));
  return octaves;
}

// The octaves of short distances, which most are.
const auto short_octaves = measure_short_octaves();

double measure_octaves(std::size_t distance) {
  return distance < short_octaves.size() ? short_octaves[distance]
                                         : std::log2(static_cast<double>(distance));
}

// Where a marker is called, and how evenly, after one look at the sequence.
struct Candidate {
  LoopMarker marker;
  std::size_t calls = 0, first = 0, last = 0;  // places in the sequence
  double unevenness = 0;     // sum of the changes of the distance from call to call, in octaves
  double last_distance = 0;  // between the last two calls, in octaves
  double score = 0;

  void add_call(std::size_t place) {
    if (calls++ == 0) {
      first = last = place;
      return;
    }

    const auto distance = measure_octaves(place - last);
    if (calls > 2)
      unevenness += std::abs(distance - last_distance);

    last_distance = distance;
    last = place;
  }
};

std::vector<Candidate> collect_candidates(const CallSequence& sequence) {
  std::vector<Candidate> candidates(sequence.functions.size());
  constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place_by_pair(sequence.pairs, unknown);
  std::vector<Candidate> pairs;

  for (std::size_t k = 0; k < sequence.symbol.size(); ++k) {
    const auto symbol = sequence.symbol[k];
    candidates[symbol].marker = {any_symbol, symbol};
    candidates[symbol].add_call(k);
    if (k == 0 || sequence.symbol[k - 1] == symbol)
      continue;

    const auto before = sequence.symbol[k - 1];
    auto& place = place_by_pair[sequence.pair[k]];
    if (place == unknown) {
      if (pairs.size() == most_pairs)
        continue;
      place = pairs.size();
      pairs.push_back({{before, symbol}});
    }

    pairs[place].add_call(k);
  }

  candidates.insert(candidates.end(), pairs.begin(), pairs.end());

  return candidates;
}

// How much of the whole lies between a candidate's first and last call, and how evenly they
// are spread.
double compute_score(const Candidate& candidate, double between, double whole) {
  const auto share = whole > 0 ? between / whole : 1;
  return share / (1 + candidate.unevenness / static_cast<double>(candidate.calls - 1));
}

// Among candidates with the same number of calls: the most regular one, and of those that
// are nearly as regular the one that is called first, where an iteration begins, and the one
// that is called last, where an iteration ends.
void choose_among_equal_calls(std::vector<Candidate>& candidates, std::vector<Candidate>& chosen) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.score, a.first) < std::tuple(-b.score, b.first);
  });

  const auto least = nearly_as_regular * candidates.front().score;
  const auto regular_end =
      std::partition_point(candidates.begin(), candidates.end(),
                           [least](const Candidate& c) { return c.score >= least; });
  const auto earliest =
      std::min_element(candidates.begin(), regular_end,
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto latest =
      std::max_element(candidates.begin(), regular_end,
                       [](const auto& a, const auto& b) { return a.last < b.last; });

  std::vector<std::size_t> places{0, static_cast<std::size_t>(earliest - candidates.begin()),
                                  static_cast<std::size_t>(latest - candidates.begin())};
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());

  for (std::size_t k = 0; k < std::min(places.size(), most_with_equal_calls); ++k)
    chosen.push_back(candidates[places[k]]);
}

}  // namespace

std::vector<LoopMarker> choose_loop_markers(const CallSequence& sequence) {
  std::map<std::size_t, std::vector<Candidate>> by_calls;

  for (auto& candidate : collect_candidates(sequence)) {
    if (candidate.calls < fewest_iterations)
      continue;

    // The first choice counts calls, not ticks: among candidates with the same number of
    // calls it is then the same on processes that make the same calls in other times.
    candidate.score =
        compute_score(candidate, static_cast<double>(candidate.last - candidate.first),
                      static_cast<double>(sequence.calls.size()));
    by_calls[candidate.calls].push_back(candidate);
  }

  std::vector<Candidate> chosen;
  for (auto& [calls, candidates] : by_calls)
    choose_among_equal_calls(candidates, chosen);

  const auto ticks_between = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(sequence.calls[to].end - sequence.calls[from].begin);
  };
  for (auto& candidate : chosen)
    candidate.score = compute_score(candidate, ticks_between(candidate.first, candidate.last),
                                    ticks_between(0, sequence.calls.size() - 1));

  std::sort(chosen.begin(), chosen.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(-a.score, a.calls, a.first, a.marker.before, a.marker.symbol) <
           std::tuple(-b.score, b.calls, b.first, b.marker.before, b.marker.symbol);
  });

  std::vector<LoopMarker> markers;
  for (std::size_t k = 0; k < std::min(most_markers, chosen.size()); ++k)
    markers.push_back(chosen[k].marker);

  return markers;
}

}  // namespace tracefold
