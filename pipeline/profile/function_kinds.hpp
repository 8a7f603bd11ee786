// What a trace defines of the functions of a plan. Thread-safe.
#pragma once

#include "model/profile/function_groups.hpp"
#include "model/profile/intent.hpp"
#include "otf2/definitions.hpp"

#include <vector>

namespace tracefold {

// One for each function, as its first region says. Where no region of it is defined, as of a trace
// that was reduced and what only left-out processes called, the paradigm is that of the plan, if it
// is there, and else nothing is known.
std::vector<FunctionKind> find_function_kinds(const Definitions& definitions,
                                              const std::vector<Function>& functions);

}  // namespace tracefold
