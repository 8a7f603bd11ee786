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
class Members {
 public:
  const std::vector<Run>& runs() const { return runs_; }
  std::uint64_t size() const { return size_; }
  bool empty() const { return runs_.empty(); }
  Object first() const { return runs_.front().first; }
  Object last() const { return runs_.back().last; }
  std::vector<Object> list() const;  // ascending

  // `object` is above all that are there. Takes O(1).
  void append(Object object);

  // Takes O(runs) where all of one side are above all of the other, else
  // O(objects). The two have no object in common.
  void add(const Members& other);

  bool operator==(const Members&) const = default;

 private:
  bool begins_run(Object object) const;
  void append(const Members& above);
  std::vector<Run> runs_;
  std::uint64_t size_ = 0;
};

// Of objects in any order, each named once.
Members members_of(std::vector<Object> objects);

}  // namespace tracefold::lattice
