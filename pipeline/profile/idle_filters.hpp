// Warns of filters that match nothing in a trace, which is probably a mistake.
#pragma once

#include "base/error.hpp"
#include "otf2/definitions.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct FilterSection;

// Warns of each pattern that matches no function, also of those inside of which a part of the time
// is, and of locations that the trace does not have.
void warn_of_idle_filters(const Definitions& definitions, const FilterSection& filter,
                          const std::vector<std::string>& inside, Diagnostics& diagnostics);

}  // namespace tracefold
