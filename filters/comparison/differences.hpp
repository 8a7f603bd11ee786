// How far values of processes of two runs differ, and how far that is more than noise. Pure.
//
// Source: see run_comparison.hpp.
#pragma once

#include "model/comparison/run_comparison.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The processes of both runs that are compared, as indexes into their plans. As partners, those at
// the same place belong together, and each list is as long as the other.
struct PairedProcesses {
  std::vector<std::size_t> a, b;
  bool are_partners = false;
};

// Values of such processes, in their order, and how many processes each stands for.
struct PartnerValues {
  std::vector<double> a, b, weights_a, weights_b;
  bool are_partners = false;
};

// The standard deviation of the densest two fifths of the values, as that of a normal distribution;
// 0 of a single one.
double estimate_deviation(std::vector<double> values);

// Up to this part of a value nothing is a change, and fewer processes than this tell no spread.
struct Noise {
  double relative = 0.01;
};
inline constexpr std::size_t least_spread_values = 3;

// A difference is beyond the spread where it is more than twice that, and more than noise.
Difference measure_difference(const PartnerValues& values, const Noise& noise);

// Places of partners whose own difference is more than the others' spread explains.
std::vector<std::size_t> find_changed(const PartnerValues& values, const Noise& noise);

}  // namespace tracefold
