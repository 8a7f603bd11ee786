#include "lattice/kmeans.hpp"

#include "lattice/scaled_points.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace tracefold::lattice {

namespace {

constexpr int max_rounds = 100;
constexpr double least_gain = 1e-9;   // less is rounding
constexpr int rounds_to_choose = 20;  // enough to tell whether k clusters separate

class Lloyd {
 public:
  Lloyd(const ScaledPoints& points, std::size_t k, std::uint64_t seed, int rounds)
      : points_(&points), cluster_(points.size()), distance_(points.size(), 1) {
    choose_seeds(k, seed);
    for (int round = 0; round < rounds; ++round) {
      move_centers();
      ++rounds_;
      if (!assign())
        break;
    }
  }

  // Moves single points to other clusters as long as that makes the spread less, which ends lower
  // than assigning all points to their nearest centers at once.
  void move_points(int rounds) {
    move_centers();
    for (int round = 0; round < rounds; ++round) {
      ++rounds_;
      bool changed = false;
      for (std::size_t i = 0; i < points_->size(); ++i)
        changed = move_point(i) || changed;
      if (!changed)
        break;
    }
    measure_distances();
  }

  // The sum of squared distances to the centers, by weight.
  double spread() const {
    double sum = 0;
    for (std::size_t i = 0; i < points_->size(); ++i)
      sum += points_->weight(i) * distance_[i];
    return sum;
  }
  // Coordinates that were compared.
  std::uint64_t steps() const {
    return std::uint64_t{rounds_ + 1} * count() * points_->size() * points_->dimensions();
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
    return {centers_.data() + c * points_->dimensions(), points_->dimensions()};
  }

  void choose_seeds(std::size_t k, std::uint64_t seed);
  std::size_t draw(std::mt19937_64& random) const;
  void move_centers();
  bool assign();
  bool move_point(std::size_t i);
  void measure_distances();

  const ScaledPoints* points_;
  std::vector<std::size_t> cluster_;
  std::vector<double> distance_;  // squared, to the center of its cluster
  std::vector<std::size_t> seeds_;
  std::vector<double> centers_, weights_;  // of clusters
  std::uint64_t rounds_ = 0;
};

// The first seed is drawn in proportion to weight, each further one to weight
// times squared distance to the nearest so far. Where all of these are 0, all
// points that differ are seeds.
void Lloyd::choose_seeds(std::size_t k, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  seeds_.push_back(draw(random));
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());

  for (;;) {
    for (std::size_t i = 0; i < points_->size(); ++i) {
      const double distance = squared_distance(points_->at(i), points_->at(seeds_.back()));
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

  centers_.resize(count() * points_->dimensions());
}

// A point in proportion to weight · distance_; any where all are 0.
std::size_t Lloyd::draw(std::mt19937_64& random) const {
  double total = 0;
  for (std::size_t i = 0; i < points_->size(); ++i)
    total += points_->weight(i) * distance_[i];

  const double target = static_cast<double>(random() >> 11) * 0x1p-53 * total;
  double sum = 0;
  std::size_t last = 0;

  for (std::size_t i = 0; i < points_->size(); ++i) {
    const double part = points_->weight(i) * distance_[i];
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
  auto& weights = weights_;
  weights.assign(count(), 0.0);

  for (std::size_t i = 0; i < points_->size(); ++i) {
    const auto sum = center(cluster_[i]);
    for (std::size_t d = 0; d < sum.size(); ++d)
      sum[d] += points_->weight(i) * points_->at(i)[d];
    weights[cluster_[i]] += points_->weight(i);
  }

  for (std::size_t c = 0; c < count(); ++c) {
    if (weights[c] > 0) {
      for (auto& x : center(c))
        x /= weights[c];
    } else {
      const auto farthest = static_cast<std::size_t>(
          std::max_element(distance_.begin(), distance_.end()) - distance_.begin());
      std::copy(points_->at(farthest).begin(), points_->at(farthest).end(), center(c).begin());
      distance_[farthest] = 0;
    }
  }
}

// Where another cluster would take the point with less spread than its own has by it. No cluster
// becomes empty.
bool Lloyd::move_point(std::size_t i) {
  const auto own = cluster_[i];
  const auto weight = points_->weight(i);
  const auto left = weights_[own] - weight;
  if (left <= 0)
    return false;

  const double gain = weights_[own] / left * squared_distance(points_->at(i), center(own));
  std::size_t best = own;
  double least = gain * (1 - least_gain);
  for (std::size_t c = 0; c < count(); ++c) {
    if (c == own)
      continue;
    const double loss =
        weights_[c] / (weights_[c] + weight) * squared_distance(points_->at(i), center(c));
    if (loss < least) {
      least = loss;
      best = c;
    }
  }
  if (best == own)
    return false;

  const auto from = center(own), to = center(best);
  const auto point = points_->at(i);
  for (std::size_t d = 0; d < point.size(); ++d) {
    from[d] += (from[d] - point[d]) * weight / left;
    to[d] += (point[d] - to[d]) * weight / (weights_[best] + weight);
  }
  weights_[own] = left;
  weights_[best] += weight;
  cluster_[i] = best;
  return true;
}

void Lloyd::measure_distances() {
  move_centers();
  for (std::size_t i = 0; i < points_->size(); ++i)
    distance_[i] = squared_distance(points_->at(i), center(cluster_[i]));
}

// To the nearest center, the first of several. Whether any point changed.
bool Lloyd::assign() {
  bool changed = false;

  for (std::size_t i = 0; i < points_->size(); ++i) {
    std::size_t nearest = 0;
    distance_[i] = squared_distance(points_->at(i), center(0));
    for (std::size_t c = 1; c < count(); ++c) {
      const double distance = squared_distance(points_->at(i), center(c));
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

// The clusters of the start that ends with the least spread; of equal ones the first.
std::vector<std::size_t> choose_best(const ScaledPoints& points, std::size_t k,
                                     std::uint64_t seed) {
  Lloyd best(points, k, seed, max_rounds);
  best.move_points(max_rounds);
  auto left = most_kmeans_steps - std::min(best.steps(), most_kmeans_steps);
  for (std::uint64_t start = 1; start < most_kmeans_starts && best.spread() > 0; ++start) {
    Lloyd other(points, k, seed + start, max_rounds);
    other.move_points(max_rounds);
    if (other.steps() > left)
      break;
    left -= other.steps();
    if (other.spread() < best.spread())
      best = std::move(other);
  }
  return best.clusters();
}

}  // namespace

std::vector<std::size_t> kmeans(const Points& points, const std::vector<std::uint64_t>& weights,
                                std::size_t k, std::uint64_t seed) {
  if (points.empty())
    return {};
  return choose_best(ScaledPoints(points, weights), std::max<std::size_t>(k, 1), seed);
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

  return best == 1 ? std::vector<std::size_t>(points.size()) : choose_best(scaled, best, seed);
}

}  // namespace tracefold::lattice
