// A run whose groups, representatives and kept iterations are applied to another run. Plain data.
#pragma once

#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"

#include <optional>
#include <string>

namespace tracefold {

struct LikeRun {
  std::string name;  // as it was given
  // It has processes with ranks and profiles, and groups; and representatives and the selection, if
  // they were chosen.
  Plan plan;
  // False: the plan has only the kept processes, with their groups.
  bool knows_all = true;
  std::uint64_t processes = 0;         // of that run
  std::optional<FoldOptions> folding;  // with its loops; none: iterations were not folded
};

}  // namespace tracefold
