// The names of region roles, as OTF2's own tools print them.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

// For example "COLL_ALL2ALL"; "role 99" for a number that OTF2 3.0 does not have.
std::string name_region_role(std::uint64_t role);

}  // namespace tracefold
