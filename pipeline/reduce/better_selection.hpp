// Which larger number of processes of each group would make a reduced trace more accurate, if any
// does without keeping nearly all of them.
#pragma once

#include "model/errors/fold_errors.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracefold {

class Team;
struct Plan;

struct BetterSelection {
  std::size_t per_group = 1;  // or auto_per_group
  std::uint64_t kept = 0;     // processes, without halo
  FoldError error;            // of processes
};

// Tries some numbers, by the plan's profiles and by what is recorded of all processes; the plan has
// both. Of those that leave out a quarter of the processes at least and make the error smaller by a
// fifth, it is the smallest that makes it good, else the most accurate. None: there is no such
// number. Takes the time of measuring the error a few times; a team measures it together.
std::optional<BetterSelection> find_better_selection(const Plan& plan, Team* team = nullptr);

}  // namespace tracefold
