// Chooses the functions whose times a plan stores for each process: for each intent those with the
// most time over all of its processes. The times of the others are added up. The choice needs only
// sums over processes.
#pragma once

#include "model/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

inline constexpr std::size_t profile_functions = 32;

// The indexes of these functions, the largest first, given the total ticks of an intent's processes
// in each function.
std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& totals);

// The times of a process in these functions, in this order, and in all others.
Profiles::One keep_times(Profiles::One process, const std::vector<std::size_t>& places);

// Reduces profiles with all functions to the largest ones.
void keep_largest(Profiles& profiles);

}  // namespace tracefold
