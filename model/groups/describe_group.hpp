// What a group is called where people read of it.
#pragma once

#include "model/plan.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

// "like rank 36": the first of its representatives, or of its members where none was chosen.
std::string describe_group(const Plan& plan, std::size_t group);

}  // namespace tracefold
