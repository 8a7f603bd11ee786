#include "lattice/scaled_points.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <random>

namespace tracefold::lattice {

ScaledPoints::ScaledPoints(const Points& points, const std::vector<std::uint64_t>& weights)
    : dimensions_(points.empty() ? 0 : points[0].size()) {
  assert(points.size() == weights.size());
  std::uint64_t largest = 1;
  for (const auto& point : points)
    for (auto x : point)
      largest = std::max(largest, x);

  coordinates_.reserve(points.size() * dimensions_);
  for (const auto& point : points) {
    assert(point.size() == dimensions_);
    for (auto x : point)
      coordinates_.push_back(static_cast<double>(x) / static_cast<double>(largest));
  }

  for (auto w : weights)
    weights_.push_back(static_cast<double>(w));
}

namespace {

constexpr std::size_t sample_limit = 1024;

struct Sampled {
  std::size_t point, cluster;
  double weight;  // with that of points that were not drawn
};

std::vector<Sampled> sample(const ScaledPoints& points, const std::vector<std::size_t>& clusters,
                            std::size_t count, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> members(count);
  for (std::size_t i = 0; i < clusters.size(); ++i)
    members[clusters[i]].push_back(i);

  std::mt19937_64 random(seed);
  std::vector<Sampled> sampled;

  for (std::size_t c = 0; c < count; ++c) {
    auto& of = members[c];
    const auto drawn = std::min(of.size(), std::max<std::size_t>(1, sample_limit / count));
    double whole = 0, part = 0;
    for (auto i : of)
      whole += points.weight(i);

    for (std::size_t k = 0; k < drawn; ++k) {
      if (drawn < of.size())
        std::swap(of[k], of[k + random() % (of.size() - k)]);
      part += points.weight(of[k]);
    }

    for (std::size_t k = 0; k < drawn; ++k)
      sampled.push_back({of[k], c, points.weight(of[k]) * (whole / part)});
  }

  return sampled;
}

// (b - a) / max(a, b), with a the mean distance to the others of its cluster and b
// that to the nearest other cluster; 0 where it is alone.
double silhouette(const ScaledPoints& points, const std::vector<Sampled>& sampled,
                  const std::vector<double>& weights, const Sampled& one) {
  if (weights[one.cluster] <= 1)
    return 0;

  std::vector<double> distances(weights.size());
  for (const auto& other : sampled)
    distances[other.cluster] +=
        other.weight * std::sqrt(squared_distance(points.at(one.point), points.at(other.point)));

  const double a = distances[one.cluster] / (weights[one.cluster] - 1);
  double b = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < weights.size(); ++c)
    if (c != one.cluster)
      b = std::min(b, distances[c] / weights[c]);

  return a == b ? 0 : (b - a) / std::max(a, b);
}

}  // namespace

double compute_mean_silhouette(const ScaledPoints& points, const std::vector<std::size_t>& clusters,
                               std::uint64_t seed) {
  if (clusters.empty())
    return 0;

  const auto count = *std::max_element(clusters.begin(), clusters.end()) + 1;
  if (count == 1)
    return 0;

  const auto sampled = sample(points, clusters, count, seed);
  std::vector<double> weights(count);
  for (const auto& one : sampled)
    weights[one.cluster] += one.weight;

  double sum = 0, total = 0;
  for (const auto& one : sampled) {
    sum += one.weight * silhouette(points, sampled, weights, one);
    total += one.weight;
  }

  return sum / total;
}

}  // namespace tracefold::lattice
