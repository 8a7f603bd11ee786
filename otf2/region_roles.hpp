// The names of OTF2's roles of regions, as its own tools print them.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

// "COLL_ALL2ALL"; "role 99" for a number that OTF2 3.0 does not have.
std::string name_region_role(std::uint64_t role);

}  // namespace tracefold
