// What a reduced trace takes over from another run, and where that does not fit, in a few lines.
#pragma once

#include <string>

namespace tracefold {

struct Plan;

// One line, and another one where something does not fit; `all`: everything that does not. Empty
// where nothing was taken over.
std::string describe_like(const Plan& plan, bool all);

}  // namespace tracefold
