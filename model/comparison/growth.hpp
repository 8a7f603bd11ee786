// How times grow with the number of ranks: t(p) = a + b · p^i · (log2 p)^j, of p · t under strong
// scaling. Plain data; times are in seconds, means over the processes that make a call.
#pragma once

#include "model/comparison/scaling.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace tracefold {

struct Growth {
  double constant = 0, slope = 0;  // a and b
  double power = 0;                // i
  int log_power = 0;               // j; i = j = 0: t is constant
  double error = 0;                // leave-one-out: root mean square, by the mean of all values

  bool is_constant() const { return power == 0 && log_power == 0; }
  double at(double p) const {
    return constant + slope * std::pow(p, power) * std::pow(std::log2(p), log_power);
  }
};

struct GrowingCall {
  std::string path;           // "main > solve > MPI_Send"; "the run" for all of it
  std::vector<double> times;  // by run
  Growth growth;
  // How much longer than ideal it takes with twice the ranks of the largest run.
  double more = 0;
};

struct GrowthTable {
  Scaling scaling = Scaling::weak;
  std::vector<double> ranks;       // by run
  std::vector<GrowingCall> calls;  // the run first, then what grows worst

  // The time of a call with p ranks.
  double find_time(const GrowingCall& call, double p) const {
    return call.growth.at(p) / (scaling == Scaling::strong ? p : 1);
  }
};

}  // namespace tracefold
