// Distances between the items of one set, and which two of them are nearest.
//
// Each item knows who is nearest to it, so that adding an item, changing its
// distances or removing it costs O(n), and O(n) more for each item whose nearest
// one it was. Of equally near pairs the one whose elder item has the lowest rank
// counts, then the one whose younger has. Memory O(n²), at most four times what is
// needed. One thread at a time.
//
// Source: dynamics 4.1.2, Table 4.2 (there a hierarchy of linked lists).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

class ClusterDistances {
 public:
  struct Pair {
    double distance = 0;
    std::size_t elder = 0, younger = 0;  // places; the elder's rank is lower
  };

  std::size_t size() const { return items_.size(); }
  double distance(std::size_t a, std::size_t b) const { return matrix_[a * stride_ + b]; }

  // At place size(). `distances` are to all others, by place; ranks are distinct.
  void push(std::uint32_t rank, std::span<const double> distances);

  // New distances of an item; that to itself is ignored.
  void replace(std::size_t place, std::span<const double> distances);

  // The last item takes its place.
  void remove(std::size_t place);

  // None where there are fewer than two items. O(n).
  std::optional<Pair> nearest() const;

  std::size_t bytes() const {
    return matrix_.capacity() * sizeof(double) + items_.capacity() * sizeof(Item);
  }

 private:
  struct Item {
    std::uint32_t rank = 0, nearest = 0;  // `nearest` is a place; its own where alone
  };
  bool nearer(std::size_t of, std::size_t candidate, std::size_t than) const;
  void search(std::size_t place);
  void offer(std::size_t of, std::size_t candidate);
  void set(std::size_t a, std::size_t b, double distance) {
    matrix_[a * stride_ + b] = matrix_[b * stride_ + a] = distance;
  }
  void resize_rows(std::size_t stride);

  std::vector<Item> items_;
  std::vector<double> matrix_;
  std::size_t stride_ = 0;
};

}  // namespace tracefold
