// How people are shown a group of a plan, wherever one is named: in tables, drawings, messages and
// written traces. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

struct Plan;

// A name of a group takes no more bytes; plans with longer ones are refused.
inline constexpr std::size_t most_group_name_bytes = std::size_t{16} << 10;

// What sets the group apart, as "inside of the grid" (Group::name), or where nothing does, its
// first member: "like rank 3", whichever of its members stay. It can be printed, whatever the plan
// says. The plan has groups, and so many.
std::string describe_group(const Plan& plan, std::size_t group);

// The same where there is little room, as in drawings and in the tree of a written trace: names of
// functions are shortened, and it has at most so many characters.
inline constexpr std::size_t longest_group_label = 100;
std::string label_group(const Plan& plan, std::size_t group);

}  // namespace tracefold
