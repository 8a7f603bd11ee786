// Measures how much values of processes of two runs differ, and whether that is more than noise.
// Pure.
//
// Source: see run_comparison.hpp.
#pragma once

#include "model/comparison/run_comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// The compared processes of both runs, as indexes into their plans. If they are partners, equal
// places correspond, and both lists have the same length.
struct PairedProcesses {
  std::vector<std::size_t> a, b;
  bool are_partners = false;
  // By place: the group of the process in its run. Empty: all are in one group.
  std::vector<std::size_t> groups_a = {}, groups_b = {};
};

// A value of each of these processes, in their order, with the number of processes that it stands
// for; 0 where it does not count, since neither it nor its partner calls the function. Without
// weights all count. Groups are as in PairedProcesses.
struct PartnerValues {
  std::vector<double> a, b, weights_a, weights_b;
  bool are_partners = false;
  std::vector<std::size_t> groups_a = {}, groups_b = {};
};

// The standard deviation of a normal distribution whose densest two fifths have the same range as
// those of the values; 0 for a single value.
double estimate_deviation(std::vector<double> values);

// The largest relative difference that is no change, for values with a spread and without one.
struct Noise {
  double relative = 0.01, without_spread = 0.05;
};

// What values mean. Each process computes by itself: then the spread of a difference is at most
// that of either run, and a difference that depends on the process is no spread:
//
//   A: 10 10 10 10 10 10 10 10   B: 15 15 15 15 5 5 5 5   spread 0: all have changed
//
// How long one waits depends on others: then only differences tell the spread.
enum class ValueKind : std::uint8_t { computation, waiting };

// Spreads are those inside of groups. Groups with fewer values have none.
inline constexpr std::size_t least_spread_values = 4;

// The mean is over the processes that count. A difference is beyond the spread if it is more than
// twice the spread, more than noise, and more than four standard errors of the mean.
Difference measure_difference(const PartnerValues& values, ValueKind kind, const Noise& noise);

// The places of partners whose difference is more than the spread of the others explains, and far
// from all other differences: of few processes, some differ by more than others by chance.
std::vector<std::size_t> find_changed(const PartnerValues& values, ValueKind kind,
                                      const Noise& noise);
// The places of partners that count, all of them.
std::vector<std::size_t> list_counted(const PartnerValues& values);

// 0 without any places.
double get_mean(const std::vector<double>& values, const std::vector<std::size_t>& places);

}  // namespace tracefold
