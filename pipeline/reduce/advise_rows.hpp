// Which larger number of rows would make a reduced trace more accurate, if any does without keeping
// nearly all processes.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <cstddef>
#include <optional>

namespace tracefold {

class Team;
struct Plan;

struct BetterRows {
  std::size_t rows = 0;  // processes, without halo
  FoldError error;       // of processes
};

// Tries twice as many rows as the plan has, and so on, by what is recorded of all processes; the
// plan has groups, representatives and that record. Of those that leave out a quarter of the
// processes at least and make the error smaller by a fifth, it is the first that makes it good,
// else the most accurate. None: there is no such number.
std::optional<BetterRows> find_better_rows(const Plan& plan, Team* team = nullptr);

}  // namespace tracefold
