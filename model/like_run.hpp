// A run whose groups, representatives and kept iterations another one takes over. Plain data.
#pragma once

#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"

#include <optional>
#include <string>

namespace tracefold {

struct LikeRun {
  std::string name;  // as it was given
  // Has processes with ranks and profiles, groups, and where they were chosen, representatives and
  // the selection that chose these.
  Plan plan;
  // False: the plan has only the processes that were kept, with the groups that these are of.
  bool knows_all = true;
  std::uint64_t processes = 0;         // of that run
  std::optional<FoldOptions> folding;  // with its loops; none: iterations were not folded
};

}  // namespace tracefold
