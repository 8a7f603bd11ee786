#include "filters/correlation/propose_grid.hpp"

#include "filters/correlation/grid.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace tracefold::correlation {

namespace {

// Pairs of neighbours by how far they are apart, whoever of them sends.
std::map<std::size_t, std::size_t> count_distances(const Neighbours& neighbours) {
  std::map<std::size_t, std::size_t> counts;
  for (const auto& [from, to] : neighbours)
    if (from < to || (from > to && !neighbours.contains({to, from})))
      ++counts[static_cast<std::size_t>(from < to ? to - from : from - to)];
  return counts;
}

// A grid by its strides, the largest first, and how well it fits.
struct Fit {
  std::vector<GridAxis> axes;
  std::size_t explained = 0;  // pairs that talk
  bool fits = true;
};

Fit judge(std::size_t ranks, const std::vector<std::size_t>& strides,
          const Neighbours& neighbours) {
  const auto talk = [&](std::size_t a, std::size_t b) {
    return neighbours.contains({a, b}) || neighbours.contains({b, a});
  };

  Fit fit;
  auto whole = ranks;
  for (auto stride : strides) {
    const auto size = whole / stride;
    std::size_t inside = 0;
    std::size_t around = 0;

    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const auto place = rank / stride % size;
      if (place + 1 < size)
        inside += talk(rank, rank + stride);
      else if (size > 2)
        around += talk(rank, rank - place * stride);
    }

    const auto lines = ranks / size;
    const bool periodic = 2 * around >= lines && size > 2;
    fit.axes.push_back({size, periodic});
    fit.explained += inside + (periodic ? around : 0);
    fit.fits = fit.fits && size > 1 && 4 * inside >= 3 * lines * (size - 1);
    whole = stride;
  }
  return fit;
}

}  // namespace

std::vector<GridAxis> propose_grid(std::size_t ranks, const Neighbours& neighbours) {
  std::vector<GridAxis> one_axis{{ranks, false}};
  const auto counts = count_distances(neighbours);

  std::size_t pairs = 0;
  std::vector<std::pair<std::size_t, std::size_t>> likely;
  for (const auto& [distance, count] : counts) {
    pairs += count;
    if (2 * count >= ranks && ranks % distance == 0 && distance > 1)
      likely.emplace_back(count, distance);
  }
  if (ranks < 2 || 10 * pairs >= 9 * (ranks * (ranks - 1) / 2))
    return one_axis;

  // Along an axis at least three quarters of half of all ranks have to talk.
  if (8 * pairs < 3 * ranks)
    return one_axis;

  constexpr std::size_t most_candidates = 8;
  std::sort(likely.begin(), likely.end(), std::greater<>());
  likely.resize(std::min(likely.size(), most_candidates));

  // Two axes are left for threads and iterations.
  Fit best;
  for (std::size_t chosen = 0; chosen < std::size_t{1} << likely.size(); ++chosen) {
    std::vector<std::size_t> strides{1};
    for (std::size_t i = 0; i < likely.size(); ++i)
      if (chosen >> i & 1)
        strides.push_back(likely[i].second);
    std::sort(strides.begin(), strides.end(), std::greater<>());

    bool divide = strides.size() <= most_axes - 2;
    for (std::size_t i = 0; i + 1 < strides.size(); ++i)
      divide = divide && strides[i] % strides[i + 1] == 0;
    if (!divide)
      continue;

    auto fit = judge(ranks, strides, neighbours);
    if (fit.fits && fit.explained > best.explained)
      best = std::move(fit);
  }
  return best.axes.empty() ? one_axis : best.axes;
}

}  // namespace tracefold::correlation
