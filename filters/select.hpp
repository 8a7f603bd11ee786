// select: groups in, one representative of each out.
#pragma once

#include "model/plan.hpp"

#include <string_view>

namespace tracefold {

enum class Choice { first, medoid, slowest };

// "first", "medoid" or "slowest"; throws Error(usage) on another word.
Choice choice_of(std::string_view word);

// Fills plan.representatives, one per group, in the order of groups. The
// representative of a group of threads or streams comes from a process that is
// kept anyway where one fits.
//   first    lowest id
//   medoid   smallest sum of Manhattan distances over exclusive times
//   slowest  most time in all functions
// Throws Error(usage) where the plan has no groups.
void select(Plan& plan, Choice choice);

}  // namespace tracefold
