#include "filters/iterations/anchor.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::size_t most_pairs = 4096, most_of_a_count = 3, most_anchors = 16;

// What one look at the sequence tells of an anchor.
struct Glance {
  Anchor anchor;
  std::size_t count = 0, first = 0, last = 0;
  double jumps = 0, last_gap = 0;  // changes of the distance from one gap to the next, and the last
                                   // distance; in octaves
  double promise = 0;

  void see(std::size_t place) {
    if (count++ == 0) {
      first = last = place;
      return;
    }

    const auto gap = std::log2(static_cast<double>(place - last));
    if (count > 2)
      jumps += std::abs(gap - last_gap);

    last_gap = gap;
    last = place;
  }
};

std::vector<Glance> glances(const CallSequence& sequence) {
  std::vector<Glance> single(sequence.functions.size());
  std::unordered_map<std::uint64_t, std::size_t> place_of;
  std::vector<Glance> pairs;

  for (std::size_t k = 0; k < sequence.symbol.size(); ++k) {
    const auto symbol = sequence.symbol[k];
    single[symbol].anchor = {any_symbol, symbol};
    single[symbol].see(k);
    if (k == 0 || sequence.symbol[k - 1] == symbol)
      continue;

    const auto before = sequence.symbol[k - 1];
    const auto key = std::uint64_t{before} << 32 | symbol;
    auto at = place_of.find(key);

    if (at == place_of.end()) {
      if (pairs.size() == most_pairs)
        continue;
      at = place_of.emplace(key, pairs.size()).first;
      pairs.push_back({{before, symbol}});
    }

    pairs[at->second].see(k);
  }

  single.insert(single.end(), pairs.begin(), pairs.end());

  return single;
}

// How much of the whole lies between the first and the last, and how evenly.
double promise_of(const Glance& glance, double span, double all) {
  return (all > 0 ? span / all : 1) / (1 + glance.jumps / static_cast<double>(glance.count - 1));
}

}  // namespace

std::vector<Anchor> likely_anchors(const CallSequence& sequence) {
  std::map<std::size_t, std::vector<Glance>> by_count;

  for (auto& glance : glances(sequence)) {
    if (glance.count < fewest_iterations)
      continue;

    // By calls, so that of one count the same are chosen whatever the times are.
    glance.promise = promise_of(glance, static_cast<double>(glance.last - glance.first),
                                static_cast<double>(sequence.calls.size()));
    by_count[glance.count].push_back(glance);
  }

  std::vector<Glance> chosen;

  for (auto& [count, same] : by_count) {
    // The most regular; of those as regular the one where a pass begins first, and the one where it
    // ends last.
    const auto better = [](const Glance& a, const Glance& b) {
      return std::tuple(-a.promise, a.first) < std::tuple(-b.promise, b.first);
    };
    std::sort(same.begin(), same.end(), better);
    const auto most = same.front().promise;
    const auto regular = std::partition_point(
        same.begin(), same.end(), [most](const Glance& g) { return g.promise >= 0.9 * most; });
    const auto earliest = std::min_element(
        same.begin(), regular, [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto latest = std::max_element(
        same.begin(), regular, [](const auto& a, const auto& b) { return a.last < b.last; });
    std::vector<std::size_t> of_count{0, static_cast<std::size_t>(earliest - same.begin()),
                                      static_cast<std::size_t>(latest - same.begin())};
    std::sort(of_count.begin(), of_count.end());
    of_count.erase(std::unique(of_count.begin(), of_count.end()), of_count.end());
    for (std::size_t k = 0; k < std::min(of_count.size(), most_of_a_count); ++k)
      chosen.push_back(same[of_count[k]]);
  }

  const auto ticks = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(sequence.calls[to].end - sequence.calls[from].begin);
  };
  for (auto& glance : chosen)
    glance.promise =
        promise_of(glance, ticks(glance.first, glance.last), ticks(0, sequence.calls.size() - 1));

  std::sort(chosen.begin(), chosen.end(), [](const Glance& a, const Glance& b) {
    return std::tuple(-a.promise, a.count, a.first, a.anchor.before, a.anchor.symbol) <
           std::tuple(-b.promise, b.count, b.first, b.anchor.before, b.anchor.symbol);
  });

  std::vector<Anchor> anchors;
  for (std::size_t k = 0; k < std::min(most_anchors, chosen.size()); ++k)
    anchors.push_back(chosen[k].anchor);

  return anchors;
}

}  // namespace tracefold
