// Filters that match nothing in a trace, which is most likely a mistake.
#pragma once

#include "base/error.hpp"
#include "otf2/definitions.hpp"

namespace tracefold {

struct FilterSection;

// Warns of each pattern that no function's name matches, and of locations that the trace
// does not have.
void warn_of_idle_filters(const Definitions& definitions, const FilterSection& filter,
                          Diagnostics& diagnostics);

}  // namespace tracefold
