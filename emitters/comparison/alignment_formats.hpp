// Aligned calls of two processes as people and programs read them. What holds for all formats is in
// emitters/table.hpp. Iterations are counted from 0, as everywhere.
#pragma once

#include "model/comparison/call_alignment.hpp"

#include <string>

namespace tracefold {

std::string to_table(const CallAlignment& alignment);
std::string to_csv(const CallAlignment& alignment);
std::string to_json(const CallAlignment& alignment);

}  // namespace tracefold
