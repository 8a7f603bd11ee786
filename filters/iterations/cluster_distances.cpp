#include "filters/iterations/cluster_distances.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace tracefold {

// For one item the ranks of pairs are ordered as those of the other items are.
bool ClusterDistances::nearer(std::size_t of, std::size_t candidate, std::size_t than) const {
  const double a = distance(of, candidate), b = distance(of, than);
  return a < b || (a == b && items_[candidate].rank < items_[than].rank);
}

void ClusterDistances::search(std::size_t place) {
  std::size_t best = place;
  for (std::size_t k = 0; k < size(); ++k)
    if (k != place && (best == place || nearer(place, k, best)))
      best = k;
  items_[place].nearest = static_cast<std::uint32_t>(best);
}

void ClusterDistances::offer(std::size_t of, std::size_t candidate) {
  auto& nearest = items_[of].nearest;
  if (nearest == of || nearer(of, candidate, nearest))
    nearest = static_cast<std::uint32_t>(candidate);
}

void ClusterDistances::resize_rows(std::size_t stride) {
  std::vector<double> matrix(stride * stride);
  const auto width = std::min(size(), stride_);
  for (std::size_t row = 0; row < width; ++row)
    std::copy_n(matrix_.begin() + static_cast<std::ptrdiff_t>(row * stride_), width,
                matrix.begin() + static_cast<std::ptrdiff_t>(row * stride));

  matrix_ = std::move(matrix);
  stride_ = stride;
}

void ClusterDistances::push(std::uint32_t rank, std::span<const double> distances) {
  const auto place = size();
  assert(distances.size() >= place);
  if (place == stride_)
    resize_rows(place + std::max<std::size_t>(2, place / 4));

  items_.push_back({rank, static_cast<std::uint32_t>(place)});
  for (std::size_t k = 0; k < place; ++k) {
    set(place, k, distances[k]);
    offer(k, place);
  }

  search(place);
}

void ClusterDistances::replace(std::size_t place, std::span<const double> distances) {
  assert(distances.size() >= size());
  for (std::size_t k = 0; k < size(); ++k)
    if (k != place)
      set(place, k, distances[k]);

  for (std::size_t k = 0; k < size(); ++k) {
    if (k == place)
      continue;
    if (items_[k].nearest == place)
      search(k);
    else
      offer(k, place);
  }

  search(place);
}

void ClusterDistances::remove(std::size_t place) {
  const auto last = size() - 1;
  for (std::size_t k = 0; k < size(); ++k)
    set(place, k, distance(last, k));
  for (std::size_t k = 0; k < last; ++k)
    if (items_[k].nearest == place)
      items_[k].nearest = static_cast<std::uint32_t>(size());  // lost, searched for below

  if (items_[last].nearest == place)
    items_[last].nearest = static_cast<std::uint32_t>(size());

  items_[place] = items_[last];
  items_.pop_back();

  for (std::size_t k = 0; k < last; ++k) {
    if (items_[k].nearest == last)
      items_[k].nearest = static_cast<std::uint32_t>(place);
    else if (items_[k].nearest > last)
      search(k);
  }

  if (size() < stride_ / 2)
    resize_rows(size() + 2);
}

std::optional<ClusterDistances::Pair> ClusterDistances::nearest() const {
  if (size() < 2)
    return std::nullopt;

  const auto find_pair = [&](std::size_t k) {
    const std::size_t other = items_[k].nearest;
    return items_[k].rank < items_[other].rank ? Pair{distance(k, other), k, other}
                                               : Pair{distance(k, other), other, k};
  };

  const auto key = [&](const Pair& pair) {
    return std::tuple(pair.distance, items_[pair.elder].rank, items_[pair.younger].rank);
  };
  auto best = find_pair(0);
  for (std::size_t k = 1; k < size(); ++k)
    if (const auto pair = find_pair(k); key(pair) < key(best))
      best = pair;

  return best;
}

}  // namespace tracefold
