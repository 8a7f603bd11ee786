// Plans as tables for people.
#pragma once

#include "base/text.hpp"
#include "model/plan.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Columns aligned; numbers to the right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

// 1234567 as "1 234 567"; bytes as "1.2 MiB".
std::string with_spaces(std::uint64_t n);
std::string as_bytes(std::uint64_t n);

// Ticks of the plan's clock in a unit that fits: "1.23 ms".
std::string as_time(const Plan& plan, std::uint64_t ticks);

// "rank 3 thread 1", or "location 7" where there are no ranks.
std::string shown_process(const Process& process);

inline constexpr std::size_t largest_matrix = 20;  // rows of a table of each with each

// Groups with count, members and kept processes where chosen; what was compared
// where that is not just call pairs; whom each kept process stands for where
// groups keep several; and the similarity between groups where there are at most 20.
std::string groups_table(const Plan& plan);

}  // namespace tracefold
