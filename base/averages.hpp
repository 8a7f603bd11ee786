// Sums, means, medians and percentiles of values. Without values they are 0. Pure.
#pragma once

#include <cstdint>

#include <span>
#include <vector>

namespace tracefold {

double compute_sum(std::span<const double> values);
double compute_mean(std::span<const double> values);
double find_most(std::span<const double> values);
// Of an even number of values, the upper and the lower one of the two in the middle.
double find_upper_median(std::vector<double> values);
double find_lower_median(std::vector<double> values);
// The rank, from 1, of the p-th percentile among n values: the smallest such that at least p
// percent of all are up to there.
std::uint64_t nearest_rank(unsigned percent, std::uint64_t n);

}  // namespace tracefold
