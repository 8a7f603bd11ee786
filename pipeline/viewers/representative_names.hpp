// How viewers are told what a kept process stands for: by ranks and threads, as in tables. The
// written trace alone tells only ids of locations, and the numbers of groups.
//
// Pure and thread-safe.
#pragma once

#include "model/plan.hpp"
#include "otf2/archive.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct RepresentativeNames {
  // By location of the first original: "rank 0-7 thread 1-3". Empty where the trace was reduced
  // before, whose plan does not know the ranks of all members.
  std::unordered_map<std::uint64_t, std::string> members = {};
  std::vector<std::string> groups = {};  // what sets each of them apart
};

// For the processes that a plan of this archive keeps.
RepresentativeNames find_representative_names(const Archive& archive, const Plan& plan);

}  // namespace tracefold
