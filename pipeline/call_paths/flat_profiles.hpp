// Profiles without call paths, made of those with them. Pure, thread-safe.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/profile.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The profiles that the profile pass would give: intents and exclusive times. `kinds` are the
// intents of the processes without call pairs, `time_column` is the column of execution time.
Profiles make_flat_profiles(const CallPathProfiles& profiles, std::size_t time_column,
                            std::vector<Intent> kinds);

}  // namespace tracefold
