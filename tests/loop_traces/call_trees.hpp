// Call paths of all locations, and classes of iterations with equal call trees.
//
// A call path is numbered when it is first entered, callers before their callees; the
// same path has one number on all locations. Classes are numbered in the order of
// first use. Kept apart from the classes of the program under test.
//
// Source: dynamics 4.1.4 (weak: the same call paths; strong: each as many times).
#pragma once

#include "tests/loop_traces/regions.hpp"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold::testing {

inline constexpr std::uint32_t no_path = 0xffffffffu;

class CallTrees {
 public:
  struct Path {
    std::uint32_t caller = no_path;
    Region region = main_region;
  };
  struct Class {
    std::uint32_t weak = 0, strong = 0;
  };
  using Numbers = std::vector<std::uint32_t>;

  std::uint32_t path(std::uint32_t caller, Region region) {
    const auto [at, fresh] = path_of_.try_emplace(std::uint64_t{caller} << 32 | region,
                                                  static_cast<std::uint32_t>(paths_.size()));
    if (fresh)
      paths_.push_back({caller, region});
    return at->second;
  }

  // The class of an iteration with these call paths, ascending, each visited this often.
  Class class_of(const Numbers& paths, const Numbers& visits) {
    const auto weak =
        weak_.try_emplace(paths, static_cast<std::uint32_t>(weak_.size())).first->second;
    const auto strong =
        strong_.try_emplace({weak, visits}, static_cast<std::uint32_t>(strong_.size()))
            .first->second;

    return {weak, strong};
  }

  const std::vector<Path>& paths() const { return paths_; }
  const std::map<Numbers, std::uint32_t>& weak() const { return weak_; }
  const std::map<std::pair<std::uint32_t, Numbers>, std::uint32_t>& strong() const {
    return strong_;
  }

 private:
  std::vector<Path> paths_;
  std::unordered_map<std::uint64_t, std::uint32_t> path_of_;
  std::map<Numbers, std::uint32_t> weak_;
  std::map<std::pair<std::uint32_t, Numbers>, std::uint32_t> strong_;
};

}  // namespace tracefold::testing
