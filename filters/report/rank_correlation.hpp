// How two numbers of each rank go together. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace tracefold {

// Pearson's r; 0 where one of them does not vary.
double correlate_values(const std::vector<double>& a, const std::vector<double>& b);

// The chance that so many pairs of independent numbers with a normal distribution have an |r| as
// large, or larger; 1 for less than three.
double find_correlation_chance(double r, std::size_t pairs);

}  // namespace tracefold
