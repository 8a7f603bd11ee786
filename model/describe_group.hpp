// The names by which people are shown a group of a plan: in tables, drawings, messages and written
// traces. Pure functions.
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

struct Plan;

// The longest name of a group. Plans with longer ones are refused.
inline constexpr std::size_t most_group_name_bytes = std::size_t{16} << 10;

// The group's name, such as "inside of the grid" (Group::name). Without one, it is named after its
// first member: "like rank 3", even if that one is not kept. The result is printable. The plan must
// have that group.
std::string describe_group(const Plan& plan, std::size_t group);

// The same for drawings and the system tree of a written trace: at most so many characters, with
// names of functions shortened.
inline constexpr std::size_t longest_group_label = 100;
std::string label_group(const Plan& plan, std::size_t group);

}  // namespace tracefold
