// Measures the similarity of sets, and merges similar groups. Pure functions on sets of integers.
//
// Sets are ascending. They are converted to rows of bits; a matrix of n sets then takes 8·n² bytes
// and O(n² · attributes / 64) time.
//
// Source: structural V (Jaccard similarity), VII (subsumption; thesis 3.5, which for
// call pairs takes the closed sets of lattice/closure.hpp), VIII.B (greedy merging).
#pragma once

#include "lattice/context.hpp"

#include <optional>

namespace tracefold::lattice {

// Square, row by row, 1 on the diagonal.
class Matrix {
 public:
  explicit Matrix(std::size_t size = 0) : size_(size), values_(size * size, 1.0) {}
  std::size_t size() const { return size_; }
  double at(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
  void set(std::size_t i, std::size_t j, double v) {
    values_[i * size_ + j] = values_[j * size_ + i] = v;
  }  // both ways
  void set_one(std::size_t i, std::size_t j, double v) { values_[i * size_ + j] = v; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// Row i, column j: Jaccard similarity |Si ∩ Sj| / |Si ∪ Sj|, 1 where both are empty; symmetric.
Matrix compute_similarity_matrix(const BitRows& sets);
Matrix compute_similarity_matrix(const std::vector<Set>& sets);

// Row i, column j: |Si ∩ Sj| / |Sj|, 1 where Sj is empty: the share of Sj that Si has, too. Not
// symmetric.
Matrix compute_subsumption_matrix(const BitRows& sets);
Matrix compute_subsumption_matrix(const std::vector<Set>& sets);

struct TwoSets {
  std::size_t first = 0, second = 0;  // rows, ascending
  double similarity = 1;              // Jaccard
};

// The two least similar rows, the first pair of several; none if there are fewer than two rows.
std::optional<TwoSets> find_least_similar(const BitRows& sets);

struct Merged {
  std::vector<std::vector<std::size_t>>
      groups;         // indexes of the merged entries, ascending, by first index
  Matrix similarity;  // between the merged groups
};

// Merges the two most similar groups as long as their similarity is at least `threshold`. The
// similarity of a merged group to another one is the average, weighted by `weights` (numbers of
// processes). Of equal pairs, the lowest index comes first. Only groups of equal `kinds` are
// merged. All inputs have matrix.size() entries. Each merge takes at most O(n²) time, usually O(n).
Merged merge_similar(Matrix matrix, std::vector<std::uint64_t> weights,
                     const std::vector<std::size_t>& kinds, double threshold);

}  // namespace tracefold::lattice
