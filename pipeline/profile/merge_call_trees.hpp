// Joins the call trees that threads made into one that does not depend on which
// thread read what. Pure, safe from any thread.
//
// Source: dynamics 3 (call-path profiles of all processes over one call tree).
#pragma once

#include "model/profile/call_profile.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

struct MergedTree {
  std::vector<CallPath> paths;  // as in CallProfile
  std::vector<std::vector<PathIndex>>
      from;  // of each tree, of each of its paths: which one it is; of the first path no_path
};

// The first path of a tree stands for the virtual root.
MergedTree merge_call_trees(std::span<const std::span<const CallPath>> trees);

// A set of paths of one tree in the numbers of all: the shape, and which place
// of the set each of its places was.
std::pair<CallShape, std::vector<std::uint32_t>> shape_of(const std::vector<PathIndex>& set,
                                                          const std::vector<PathIndex>& from,
                                                          const std::vector<CallPath>& paths);

}  // namespace tracefold
