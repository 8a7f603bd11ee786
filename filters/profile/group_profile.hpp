// Groups and their call-path profile in, statistics of functions, call paths or
// call pairs out.
//
// Source: thesis 4.4.2 (box plots per function and per call path).
#pragma once

#include "model/plan.hpp"
#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// What rows there are, and to which one a call path adds.
struct Breakdown {
  std::vector<ProfileRow> rows;       // without numbers
  std::vector<std::uint32_t> row_of;  // of each call path
  std::vector<bool> outermost;  // of each call path: none that leads to it adds to the same row
};

// A row each for the functions, the call paths, and the call pairs; the latter
// are rows of callees. Inclusive time counts a call inside another one of the
// same row once.
Breakdown by_function(const CallProfile& profile);
Breakdown by_call_path(const CallProfile& profile);
Breakdown by_call_pair(const CallProfile& profile);

// `profile.processes[i]` belongs to plan.processes[i]. Rows come in the order of
// the breakdown. Besides the result at most 64 MiB are used, or 24 bytes a process.
GroupProfile profile_group(const Plan& plan, std::size_t group, const CallProfile& profile,
                           const Breakdown& breakdown);

}  // namespace tracefold
