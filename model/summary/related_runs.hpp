// Whether runs are of one program, so that their times can be compared. Pure.
#pragma once

#include <vector>

namespace tracefold {

struct Summary;

// Whether two runs have half of their functions in common: by their number in the one that has
// fewer, or by time in both. Neither main nor MPI's functions count, which programs have that have
// nothing else to do with each other, unless there are no others.
bool are_related(const Summary& a, const Summary& b);
// The same of the first one with each of the others.
bool are_related(const std::vector<Summary>& runs);

}  // namespace tracefold
