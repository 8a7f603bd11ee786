// Measures how much values of processes of two runs differ, and whether that is more than noise.
// Pure.
//
// Source: see run_comparison.hpp.
#pragma once

#include "model/comparison/run_comparison.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The compared processes of both runs, as indexes into their plans. If they are partners, equal
// places correspond, and both lists have the same length.
struct PairedProcesses {
  std::vector<std::size_t> a, b;
  bool are_partners = false;
};

// A value of each of these processes, in their order, with the number of processes that it stands
// for.
struct PartnerValues {
  std::vector<double> a, b, weights_a, weights_b;
  bool are_partners = false;
};

// The standard deviation of a normal distribution whose densest two fifths have the same range as
// those of the values; 0 for a single value.
double estimate_deviation(std::vector<double> values);

// `relative` is the largest relative difference that is no change. With fewer values than
// least_spread_values there is no spread.
struct Noise {
  double relative = 0.01;
};
inline constexpr std::size_t least_spread_values = 3;

// A difference is beyond the spread if it is more than twice the spread, and more than noise.
Difference measure_difference(const PartnerValues& values, const Noise& noise);

// The places of partners whose difference is more than the spread of the others explains.
std::vector<std::size_t> find_changed(const PartnerValues& values, const Noise& noise);

}  // namespace tracefold
