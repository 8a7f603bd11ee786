// The profiles of processes as points, to measure how far they are from each other.
#pragma once

#include "lattice/medoid.hpp"
#include "model/plan.hpp"

#include <vector>

namespace tracefold {

// Exclusive times in ticks of some of a group's members, in their order, over the
// functions of all its intents, with the time of the others as one more dimension.
lattice::Points profile_vectors(const Plan& plan, const Group& group,
                                const std::vector<std::size_t>& members);

}  // namespace tracefold
