// Names and lists of ranks in lines of text for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// A group in a line of text: with whole names of functions where lines may be of any width.
std::string show_group(const Plan& plan, std::size_t group);

// A name in a line of text: of at most so many characters where lines may not be wide.
std::string fit_name(const std::string& name, std::size_t most);

// Ranks in MPI of processes, each once, as "0-6:2,9"; empty where they have none.
std::string list_ranks(const Plan& plan, const std::vector<std::size_t>& processes);

}  // namespace tracefold
