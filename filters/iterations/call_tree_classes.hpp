// Which iterations have equivalent call trees.
//
// Weakly: they visited the same call paths. Strongly: each as many times. In sampled
// traces only call paths that lead to MPI are known for sure, and visits only of calls
// of MPI: nothing else is compared there. Classes are numbered in the order of first
// use; call paths and visits are compared, not only their hashes.
//
// Memory: one list of numbers per class, 8 bytes a call path. O(call paths) per
// iteration. One thread at a time.
//
// Source: dynamics 4.1.4, 5.4.2.
#pragma once

#include "model/iterations/iteration_profile.hpp"

#include <unordered_map>

namespace tracefold {

// Hashes of an iteration's weak class and strong class, equal on all machines.
// Different classes agree in one with a chance of 2^-64.
struct TreeHash {
  std::uint64_t weak = 0, strong = 0;

  auto operator<=>(const TreeHash&) const = default;
};

class CallTreeClasses {
 public:
  struct Indexes {
    std::uint32_t strong = 0, weak = 0;
  };
  CallTreeClasses(const MetricColumns& columns, bool sampled);

  // Once strong classes were forgotten, `strong` is 0.
  Indexes classify(const IterationProfile& profile);
  TreeHash hash(const IterationProfile& profile);
  void forget_strong();

  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::vector<std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  using Map = std::unordered_map<Key, std::uint32_t, Hash>;
  std::uint32_t index_of(Map& map, const Key& key);
  void make_keys(const IterationProfile& profile);

  std::size_t visits_;  // column
  bool sampled_;
  bool strong_counts_ = true;
  Map weak_, strong_;
  Key paths_, visited_;  // of the iteration at hand: the call paths compared; the weak class or 0,
                         // and visits compared
  std::size_t bytes_ = 0;
};

}  // namespace tracefold
