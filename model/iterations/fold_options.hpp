// The options of the stage `iterations`. Plain data.
#pragma once

#include "model/iterations/asked_iterations.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// On which processes the errors of folding are measured, and loops found for that.
enum class MeasuredProcesses { all, kept };

struct FoldOptions {
  AskedIterations asked = {};
  std::size_t max_clusters = 64;         // of each loop
  bool folds_unsure = false;             // found loops whose number of iterations is unsure, too
  std::vector<std::uint64_t> keep = {};  // iterations of each loop that stay, too, from 0
  MeasuredProcesses errors = MeasuredProcesses::all;
};

}  // namespace tracefold
