// The ids of locations by which people name the processes of a reduced trace, in tables and in
// lists of locations: those of the first original.
#pragma once

#include "model/location_list.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

class Definitions;
class PlanSession;
struct Plan;

// Where the plan is of what a reduced trace keeps, and not of all processes of the original, its
// processes get the ids that they have in the first original. Nothing can be read by it any more.
// Throws Error(input).
void take_original_ids(PlanSession& opened);
// The same for the processes and filters of any plan of a trace.
void take_original_ids(const Definitions& definitions, Plan& plan);

// A list that was given for a trace, with the ids that its locations have there in place of those
// of the first original. Throws Error(usage) for an original without a location of its own, and
// Error(input).
LocationList find_kept(const Definitions& definitions, LocationList list);
// The locations of the plan that the list refers to. Throws the same, and what find_listed()
// throws.
std::vector<std::uint64_t> find_listed_in(PlanSession& opened, const LocationList& list);

}  // namespace tracefold
