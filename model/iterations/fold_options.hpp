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
  bool folds_unsure = false;             // also loops whose number of iterations is unsure
  std::vector<std::uint64_t> keep = {};  // iterations of each loop that are also kept, from 0
  // Chooses the smallest number of clusters that is accurate enough; max_clusters is then ignored.
  std::optional<Accuracy> accuracy = {};
  // The loops of another run. Only these are folded, even where they are unsure, and the same
  // iterations are kept; max_clusters is then ignored. Empty: all loops are folded, by clusters.
  std::vector<LoopRule> like = {};
};

}  // namespace tracefold
