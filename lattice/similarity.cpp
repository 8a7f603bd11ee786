#include "lattice/similarity.hpp"

#include <cassert>

namespace tracefold::lattice {

namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

// Calls visit(i, j, |i|, |j|, |i ∩ j|) for each i < j.
template <class Visit>
void for_each_two(const BitRows& sets, Visit visit) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < sets.size(); ++i)
    sizes.push_back(count_bits(sets.row(i)));
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t j = i + 1; j < sets.size(); ++j)
      visit(i, j, sizes[i], sizes[j], count_common(sets.row(i), sets.row(j)));
}

// For each living group its most similar partner of a higher index.
class NearestPartners {
 public:
  NearestPartners(const Matrix& matrix, const std::vector<std::size_t>& kinds)
      : matrix_(matrix), kinds_(kinds), alive_(matrix.size(), true), best_(matrix.size(), none) {
    for (std::size_t i = 0; i < best_.size(); ++i)
      renew(i);
  }

  // The most similar pair (i, j), i < j; i == none where there is none.
  std::pair<std::size_t, std::size_t> most_similar() const {
    std::size_t found = none;
    for (std::size_t i = 0; i < best_.size(); ++i)
      if (alive_[i] && best_[i] != none && (found == none || value(i) > value(found)))
        found = i;
    return found == none ? std::pair(none, none) : std::pair(found, best_[found]);
  }

  // Group j is gone and the similarities of i have changed.
  void merged(std::size_t i, std::size_t j) {
    alive_[j] = false;
    renew(i);
    for (std::size_t k = 0; k < i; ++k) {
      if (!alive_[k])
        continue;
      if (best_[k] == i || best_[k] == j)
        renew(k);
      else
        offer(k, i);
    }

    for (std::size_t k = i + 1; k < best_.size(); ++k)
      if (alive_[k] && best_[k] == j)
        renew(k);
  }

  bool alive(std::size_t i) const { return alive_[i]; }
  static constexpr std::size_t none = ~std::size_t{0};

 private:
  double value(std::size_t i) const { return matrix_.at(i, best_[i]); }
  void offer(std::size_t i, std::size_t j) {
    if (!alive_[j] || kinds_[i] != kinds_[j])
      return;
    if (best_[i] == none || matrix_.at(i, j) > value(i) ||
        (matrix_.at(i, j) == value(i) && j < best_[i]))
      best_[i] = j;
  }
  void renew(std::size_t i) {
    best_[i] = none;
    for (std::size_t j = i + 1; j < best_.size(); ++j)
      offer(i, j);
  }
  const Matrix& matrix_;
  const std::vector<std::size_t>& kinds_;
  std::vector<bool> alive_;
  std::vector<std::size_t> best_;
};

}  // namespace

Matrix compute_similarity_matrix(const BitRows& sets) {
  Matrix matrix(sets.size());
  for_each_two(sets, [&](auto i, auto j, auto a, auto b, auto common) {
    matrix.set(i, j, ratio(common, a + b - common));
  });
  return matrix;
}

std::optional<TwoSets> find_least_similar(const BitRows& sets) {
  std::optional<TwoSets> found;
  for_each_two(sets, [&](auto i, auto j, auto a, auto b, auto common) {
    const auto similarity = ratio(common, a + b - common);
    if (!found || similarity < found->similarity)
      found = {i, j, similarity};
  });

  return found;
}

Matrix compute_subsumption_matrix(const BitRows& sets) {
  Matrix matrix(sets.size());
  for_each_two(sets, [&](auto i, auto j, auto a, auto b, auto common) {
    matrix.set_one(i, j, ratio(common, b));
    matrix.set_one(j, i, ratio(common, a));
  });

  return matrix;
}

Matrix compute_similarity_matrix(const std::vector<Set>& sets) {
  return compute_similarity_matrix(to_rows(sets));
}
Matrix compute_subsumption_matrix(const std::vector<Set>& sets) {
  return compute_subsumption_matrix(to_rows(sets));
}

Merged merge_similar(Matrix matrix, std::vector<std::uint64_t> weights,
                     const std::vector<std::size_t>& kinds, double threshold) {
  const std::size_t n = matrix.size();
  assert(weights.size() == n && kinds.size() == n);
  std::vector<std::vector<std::size_t>> groups(n);
  for (std::size_t i = 0; i < n; ++i)
    groups[i] = {i};

  NearestPartners nearest(matrix, kinds);

  for (;;) {
    const auto [i, j] = nearest.most_similar();
    if (i == NearestPartners::none || matrix.at(i, j) < threshold)
      break;

    const auto wi = static_cast<double>(weights[i]), wj = static_cast<double>(weights[j]);
    for (std::size_t k = 0; k < n; ++k)
      if (k != i && k != j && nearest.alive(k))
        matrix.set(i, k, (wi * matrix.at(i, k) + wj * matrix.at(j, k)) / (wi + wj));

    weights[i] += weights[j];
    groups[i].insert(groups[i].end(), groups[j].begin(), groups[j].end());
    nearest.merged(i, j);
  }

  Merged out;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < n; ++i)
    if (nearest.alive(i))
      left.push_back(i);

  out.similarity = Matrix(left.size());

  for (std::size_t a = 0; a < left.size(); ++a) {
    std::sort(groups[left[a]].begin(), groups[left[a]].end());
    out.groups.push_back(groups[left[a]]);
    for (std::size_t b = a + 1; b < left.size(); ++b)
      out.similarity.set(a, b, matrix.at(left[a], left[b]));
  }

  return out;
}

}  // namespace tracefold::lattice
