// Fits how call paths grow with the number of ranks. Pure.
//
// Source: Calotoiu et al. 2013 (Extra-P): i in {0, 1/4, 1/3, 1/2, 2/3, 3/4, 1, 3/2, 2}, j in
// {0, 1, 2}; the term whose leave-one-out error is smallest.
#pragma once

#include "filters/comparison/common_calls.hpp"
#include "model/comparison/growth.hpp"

#include <optional>
#include <vector>

namespace tracefold {

// With fewer runs, nothing is fitted.
inline constexpr std::size_t least_fitted_runs = 5;

// As many sizes as values.
Growth fit_growth(const std::vector<double>& sizes, const std::vector<double>& values);

// Which scaling it is: of the smallest run and the largest; none where these have as many ranks.
std::optional<Scaling> find_scaling(const std::vector<const ComparedRun*>& runs,
                                    const CommonCalls& calls);

// None where fewer runs than these have different numbers of ranks. Call paths that take less than
// a hundredth of each run are left out, and those that not all runs have.
std::optional<GrowthTable> find_growth(const std::vector<const ComparedRun*>& runs,
                                       const CommonCalls& calls, Scaling scaling);

}  // namespace tracefold
