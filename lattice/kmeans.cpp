#include "lattice/kmeans.hpp"

#include "lattice/scaled_points.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace tracefold::lattice {

namespace {

constexpr int max_rounds = 100;
constexpr int rounds_to_choose = 20;  // enough to tell whether k clusters separate

class Lloyd {
 public:
  Lloyd(const ScaledPoints& points, std::size_t k, std::uint64_t seed, int rounds)
      : points_(points), cluster_(points.size()), distance_(points.size(), 1) {
    choose_seeds(k, seed);
    for (int round = 0; round < rounds; ++round) {
      move_centers();
      if (!assign())
        break;
    }
  }

  // Numbered by first members.
  std::vector<std::size_t> clusters() const {
    std::vector<std::size_t> number(count(), count()), clusters;
    std::size_t next = 0;
    for (auto c : cluster_) {
      if (number[c] == count())
        number[c] = next++;
      clusters.push_back(number[c]);
    }

    return clusters;
  }

 private:
  std::size_t count() const { return seeds_.size(); }
  std::span<double> center(std::size_t c) {
    return {centers_.data() + c * points_.dimensions(), points_.dimensions()};
  }

  void choose_seeds(std::size_t k, std::uint64_t seed);
  std::size_t draw(std::mt19937_64& random) const;
  void move_centers();
  bool assign();

  const ScaledPoints& points_;
  std::vector<std::size_t> cluster_;
  std::vector<double> distance_;  // squared, to the center of its cluster
  std::vector<std::size_t> seeds_;
  std::vector<double> centers_;
};

// The first seed is drawn in proportion to weight, each further one to weight
// times squared distance to the nearest so far. Where all of these are 0, all
// points that differ are seeds.
void Lloyd::choose_seeds(std::size_t k, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  seeds_.push_back(draw(random));
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());

  for (;;) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double distance = squared_distance(points_.at(i), points_.at(seeds_.back()));
      if (distance >= distance_[i])
        continue;
      distance_[i] = distance;
      cluster_[i] = count() - 1;
    }

    if (count() == k)
      break;

    const auto next = draw(random);
    if (distance_[next] == 0)
      break;

    seeds_.push_back(next);
  }

  centers_.resize(count() * points_.dimensions());
}

// A point in proportion to weight · distance_; any where all are 0.
std::size_t Lloyd::draw(std::mt19937_64& random) const {
  double total = 0;
  for (std::size_t i = 0; i < points_.size(); ++i)
    total += points_.weight(i) * distance_[i];

  const double target = static_cast<double>(random() >> 11) * 0x1p-53 * total;
  double sum = 0;
  std::size_t last = 0;

  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double part = points_.weight(i) * distance_[i];
    if (part == 0)
      continue;
    last = i;
    sum += part;
    if (sum > target)
      break;
  }

  return last;
}

// To the mean of its points, or where there are none to the point that is
// farthest from its own center.
void Lloyd::move_centers() {
  std::fill(centers_.begin(), centers_.end(), 0.0);
  std::vector<double> weights(count());

  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto sum = center(cluster_[i]);
    for (std::size_t d = 0; d < sum.size(); ++d)
      sum[d] += points_.weight(i) * points_.at(i)[d];
    weights[cluster_[i]] += points_.weight(i);
  }

  for (std::size_t c = 0; c < count(); ++c) {
    if (weights[c] > 0) {
      for (auto& x : center(c))
        x /= weights[c];
    } else {
      const auto farthest = static_cast<std::size_t>(
          std::max_element(distance_.begin(), distance_.end()) - distance_.begin());
      std::copy(points_.at(farthest).begin(), points_.at(farthest).end(), center(c).begin());
      distance_[farthest] = 0;
    }
  }
}

// To the nearest center, the first of several. Whether any point changed.
bool Lloyd::assign() {
  bool changed = false;

  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::size_t nearest = 0;
    distance_[i] = squared_distance(points_.at(i), center(0));
    for (std::size_t c = 1; c < count(); ++c) {
      const double distance = squared_distance(points_.at(i), center(c));
      if (distance >= distance_[i])
        continue;
      distance_[i] = distance;
      nearest = c;
    }

    changed = changed || nearest != cluster_[i];
    cluster_[i] = nearest;
  }

  return changed;
}

}  // namespace

std::vector<std::size_t> kmeans(const Points& points, const std::vector<std::uint64_t>& weights,
                                std::size_t k, std::uint64_t seed) {
  if (points.empty())
    return {};
  return Lloyd(ScaledPoints(points, weights), std::max<std::size_t>(k, 1), seed, max_rounds)
      .clusters();
}

std::vector<std::size_t> kmeans_auto(const Points& points,
                                     const std::vector<std::uint64_t>& weights, std::size_t max_k,
                                     std::uint64_t seed) {
  const ScaledPoints scaled(points, weights);
  std::size_t best = 1;
  double threshold = separating_silhouette;
  for (std::size_t k = 2; k <= std::min(max_k, points.size()); ++k) {
    const double silhouette =
        compute_mean_silhouette(scaled, Lloyd(scaled, k, seed, rounds_to_choose).clusters(), seed);
    if (silhouette <= threshold)
      continue;
    threshold = silhouette;
    best = k;
  }

  return best == 1 ? std::vector<std::size_t>(points.size())
                   : Lloyd(scaled, best, seed, max_rounds).clusters();
}

}  // namespace tracefold::lattice
