// What a trace defines for the functions of a plan. Thread-safe.
#pragma once

#include "model/profile/function_groups.hpp"
#include "model/profile/intent.hpp"
#include "otf2/definitions.hpp"

#include <vector>

namespace tracefold {

// By function, according to its first region. If no region of it is defined, as for functions that
// only left-out processes of a reduced trace called, it has the paradigm of the plan, if known.
std::vector<FunctionKind> find_function_kinds(const Definitions& definitions,
                                              const std::vector<Function>& functions);

}  // namespace tracefold
