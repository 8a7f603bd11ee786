#include "lattice/medoid.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace tracefold::lattice {

namespace {

// Sums of distances exceed 64 bits.
__extension__ using Wide = unsigned __int128;

// Adds to `sums` the weighted distances of each point to all others in dimension `d`.
void add_dimension(const Points& points, const std::vector<std::uint64_t>& weights, std::size_t d,
                   std::vector<std::size_t>& order, std::vector<Wide>& sums) {
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return points[a][d] < points[b][d]; });
  Wide below = 0, below_weight = 0, above = 0, above_weight = 0;
  for (auto i : order) {
    above += Wide{points[i][d]} * weights[i];
    above_weight += weights[i];
  }

  for (auto i : order) {
    const Wide x = points[i][d];
    sums[i] += (x * below_weight - below) + (above - x * above_weight);
    below += x * weights[i];
    below_weight += weights[i];
    above -= x * weights[i];
    above_weight -= weights[i];
  }
}

std::vector<std::size_t> nearest_to_mean(const Points& points,
                                         const std::vector<std::uint64_t>& weights,
                                         const std::vector<std::size_t>& candidates,
                                         std::size_t limit) {
  std::vector<long double> mean(points[0].size());
  long double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    total += static_cast<long double>(weights[i]);
    for (std::size_t d = 0; d < mean.size(); ++d)
      mean[d] += static_cast<long double>(points[i][d]) * static_cast<long double>(weights[i]);
  }

  std::vector<std::pair<long double, std::size_t>> by_distance;

  for (auto i : candidates) {
    long double distance = 0;
    for (std::size_t d = 0; d < mean.size(); ++d) {
      const auto x = static_cast<long double>(points[i][d]) - mean[d] / total;
      distance += x < 0 ? -x : x;
    }
    by_distance.emplace_back(distance, i);
  }

  std::sort(by_distance.begin(), by_distance.end());
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < limit; ++k)
    found.push_back(by_distance[k].second);

  std::sort(found.begin(), found.end());

  return found;
}

}  // namespace

std::size_t find_medoid(const Points& points, const std::vector<std::uint64_t>& weights,
                        const std::vector<std::size_t>& candidates, std::size_t limit) {
  assert(!candidates.empty() && weights.size() == points.size());
  if (candidates.size() == 1)
    return candidates[0];

  std::vector<Wide> sums(points.size());
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t d = 0; d < points[0].size(); ++d)
    add_dimension(points, weights, d, order, sums);

  limit = std::max<std::size_t>(limit, 1);
  const auto chosen =
      candidates.size() > limit ? nearest_to_mean(points, weights, candidates, limit) : candidates;

  return *std::min_element(chosen.begin(), chosen.end(),
                           [&](auto a, auto b) { return sums[a] < sums[b]; });
}

}  // namespace tracefold::lattice
