// The options of the stage `iterations`. Plain data.
#pragma once

#include "model/errors/accuracy.hpp"
#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loop_rule.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

struct FoldOptions {
  AskedIterations asked = {};
  std::size_t max_clusters = 64;         // of each loop
  bool folds_unsure = false;             // found loops whose number of iterations is unsure, too
  std::vector<std::uint64_t> keep = {};  // iterations of each loop that stay, too, from 0
  // Chooses the number of clusters, whatever max_clusters is: the least that is accurate enough.
  std::optional<Accuracy> accuracy = {};
  // The loops of another run: these alone are folded, also where they are unsure, and the same
  // iterations stay, whatever max_clusters is. Empty: all loops, and what clusters choose.
  std::vector<LoopRule> like = {};
};

}  // namespace tracefold
