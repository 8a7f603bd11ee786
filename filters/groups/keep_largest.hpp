// Of which functions a plan holds the times, process by process: of each intent those with the most
// time over all of its processes. The times of the others are added up. What of a process goes can
// so be known from sums alone.
#pragma once

#include "model/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

inline constexpr std::size_t profile_functions = 32;

// The places of those, largest first, where the processes of an intent have spent so many ticks in
// each function.
std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& totals);

// What a process has spent in these functions, in this order, and in the rest.
Profiles::One keep_times(Profiles::One process, const std::vector<std::size_t>& places);

// Profiles that keep all functions keep the largest only.
void keep_largest(Profiles& profiles);

}  // namespace tracefold
