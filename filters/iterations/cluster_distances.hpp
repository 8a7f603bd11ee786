// The distances between the items of a set, and the nearest pair.
//
// Each item knows its nearest one, so that adding, changing or removing an item takes O(n), plus
// O(n) for each item whose nearest one it was. Of equally near pairs, the one with the lowest rank
// of the elder item wins, then that with the lowest rank of the younger one. Memory: O(n²), at most
// four times as much as necessary. One thread at a time.
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

  // Adds an item at place size(). `distances` are to all others, by place; ranks are distinct.
  void push(std::uint32_t rank, std::span<const double> distances);

  // Replaces the distances of an item; that to itself is ignored.
  void replace(std::size_t place, std::span<const double> distances);

  // The last item moves to this place.
  void remove(std::size_t place);

  // None if there are fewer than two items. Takes O(n).
  std::optional<Pair> nearest() const;

  std::size_t bytes() const {
    return matrix_.capacity() * sizeof(double) + items_.capacity() * sizeof(Item);
  }

 private:
  struct Item {
    std::uint32_t rank = 0, nearest = 0;  // `nearest` is a place; its own if alone
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
