// What folding may cost at most. Plain data.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <optional>

namespace tracefold {

// Shares of the time of their kind, for the error of processes and for that of iterations alike.
struct Accuracy {
  double computation = 0;
  std::optional<double> communication = {};  // none: whatever it is

  bool is_met_by(const FoldError& error) const {
    return error.computation.of_own <= computation &&
           (!communication || error.communication.of_own <= *communication);
  }

  bool operator==(const Accuracy&) const = default;
};

}  // namespace tracefold
