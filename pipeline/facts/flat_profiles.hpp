// Profiles without call paths, made of those with them. Pure, thread-safe.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// The call pairs of a shape, ascending.
std::vector<CallPair> find_call_pairs(const CallShape& shape, const std::vector<CallPath>& paths);

// The profiles that the profile pass would give: intents and exclusive times. `kinds` are the
// intents of the processes without call pairs, `time_column` is the column of execution time.
// `alike`: by process a number that is that of all which do the same as far as samples tell
// (filters/groups/share_sampled_pairs.hpp), and have the pairs of all of them; empty: each has its
// own.
Profiles make_flat_profiles(const CallPathProfiles& profiles, std::size_t time_column,
                            std::vector<Intent> kinds,
                            const std::vector<std::uint64_t>& alike = {});

}  // namespace tracefold
