// Similarity of sets and greedy merging of groups. Knows sets of integers and
// nothing of traces; pure functions, safe from any thread.
//
// Source: structural V (Jaccard similarity) and VIII.B (greedy merging).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold::lattice {

using Element = std::uint64_t;

// |A ∩ B| / |A ∪ B| of two ascending sets, 1 where both are empty.
double jaccard(std::span<const Element> a, std::span<const Element> b);

// Square and symmetric, row by row, 1 on the diagonal.
class Matrix {
 public:
  explicit Matrix(std::size_t size = 0) : size_(size), values_(size * size, 1.0) {}
  std::size_t size() const { return size_; }
  double at(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }
  void set(std::size_t i, std::size_t j, double v) { values_[i * size_ + j] = values_[j * size_ + i] = v; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// Jaccard similarity of each to each.
Matrix similarity_matrix(const std::vector<std::vector<Element>>& sets);

struct Merged {
  std::vector<std::vector<std::size_t>> groups;  // indexes of what was merged, ascending, by first index
  Matrix similarity;                             // between the merged groups
};

// Repeatedly merges the two most similar groups while their similarity is at
// least `threshold`; a merged group's similarity to another is the average
// weighted by `weights` (numbers of processes). Ties go to the lowest index.
// Only groups of equal `kinds` merge. All three inputs have matrix.size()
// entries. Takes O(n²) time for each merge at most, O(n) as a rule.
Merged merge_similar(Matrix matrix, std::vector<std::uint64_t> weights, const std::vector<std::size_t>& kinds,
                     double threshold);

}  // namespace tracefold::lattice
