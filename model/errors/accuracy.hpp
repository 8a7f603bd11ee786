// The largest error that folding may cause. Plain data.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

// Shares of all time, and of the time in communication. They hold for the error of processes and
// for that of iterations.
struct Accuracy {
  double all = 0;
  std::optional<double> communication = {};  // none: no limit

  // How far an error exceeds the limits; 0 where it is within them.
  double measure_excess(const FoldError& error) const {
    const auto excess = std::max(error.all - all, 0.0);
    return communication ? std::max(excess, error.communication.of_own - *communication) : excess;
  }
  bool is_met_by(const FoldError& error) const { return measure_excess(error) == 0; }

  bool operator==(const Accuracy&) const = default;
};

}  // namespace tracefold
