// What folding may cost at most. Plain data.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

// Shares of the time of their kind, for the error of processes and for that of iterations alike.
struct Accuracy {
  double computation = 0;
  std::optional<double> communication = {};  // none: whatever it is

  // How far an error is above what is allowed; 0 where it is accurate enough.
  double measure_excess(const FoldError& error) const {
    const auto excess = std::max(error.computation.of_own - computation, 0.0);
    return communication ? std::max(excess, error.communication.of_own - *communication) : excess;
  }
  bool is_met_by(const FoldError& error) const { return measure_excess(error) == 0; }

  bool operator==(const Accuracy&) const = default;
};

}  // namespace tracefold
