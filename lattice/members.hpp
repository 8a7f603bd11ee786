// Objects of one intent, as runs: a million processes of 200 groups stay small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold::lattice {

using Object = std::uint64_t;

// first, first + stride, …, last; a run of one has stride 1.
struct Run {
  Object first, last, stride;
  std::uint64_t size() const { return (last - first) / stride + 1; }
  bool operator==(const Run&) const = default;
};

// A set of objects. Equal sets have equal runs, in whatever order they were put
// together: runs are what taking the longest run from the lowest object on gives.
//
// A run is kept as its distance from the one before, its stride and its size, in
// as many bytes as these need: 5 or so where members lie at random, and sets that
// follow each other are joined by appending bytes.
class Members {
 public:
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Object first() const { return first_; }
  Object last() const { return open_.last; }
  std::vector<Run> runs() const;
  std::vector<Object> list() const;  // ascending

  // `object` is above all that are there. Takes O(1).
  void append(Object object);

  // Takes O(bytes of other) where it lies above all that are there, O(bytes) where
  // it lies below, else O(objects). The two have no object in common.
  void add(const Members& other);

  bool operator==(const Members&) const = default;

 private:
  bool begins_run(Object object) const;
  void close_run();
  void append(const Run& run);
  void append(const Members& above);

  Object first_ = 0, closed_last_ = 0;  // closed_last_: of the last closed run
  std::uint64_t size_ = 0;
  Run open_{0, 0, 1};  // the last run; none where empty
  std::vector<std::uint8_t>
      bytes_;  // of the runs before it: distance from the last of the one before, stride, size
};

// Of objects in any order, each named once.
Members make_members(std::vector<Object> objects);

}  // namespace tracefold::lattice
