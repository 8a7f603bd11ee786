// Aligned calls of two processes as people and programs read them. What holds for all formats is in
// emitters/table.hpp. Iterations are counted from 0, as everywhere.
#pragma once

#include "model/comparison/call_alignment.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

// What costs most: "main > solve takes 2 s more in B in iteration 5", with at most so many
// characters of the call path.
std::string write_headline(const CallAlignment& alignment, std::size_t longest_path = 10'000);
// Lines that say what was not looked at; empty where all was.
std::string describe_limits(const CallAlignment& alignment);

std::string to_table(const CallAlignment& alignment);
std::string to_csv(const CallAlignment& alignment);
std::string to_json(const CallAlignment& alignment);

}  // namespace tracefold
