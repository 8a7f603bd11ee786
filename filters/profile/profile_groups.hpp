// Statistics over the processes of a group: a plan's groups and their call-path profile in, rows
// of functions, call paths or call pairs out.
//
// Pure functions, safe from any thread.
//
// Source: thesis 4.4.2 (box plots for each function and each call path).
#pragma once

#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

struct Plan;

// The rows of a table, and to which of them each call path adds its numbers.
struct Breakdown {
  std::vector<ProfileRow> rows;        // without numbers
  std::vector<std::uint32_t> get_row;  // for each call path, the index of its row

  // For each call path whether none of the paths that lead to it adds to the same row. Only such a
  // path adds to inclusive time, so that a call inside a call of the same row counts once.
  std::vector<bool> is_outermost;
};

// One row for each function, for each call path, or for each call pair. A call pair is a row of the
// callee whose `subject` is the caller.
enum class BreakDownBy { function, call_path, call_pair };
Breakdown break_down(const CallPathProfiles& profile, BreakDownBy by);
// One row for each group of functions: by function the number of its group.
Breakdown break_down(const CallPathProfiles& profile, const std::vector<std::uint32_t>& group_of);

// The rows that some process of the group has, in the order of the breakdown.
// `profile.processes[i]` belongs to plan.processes[i]. Besides the result it takes at most 64 MiB,
// or 24 bytes for each process where that is more, and 8 bytes for each counter that the profile
// has. Processes are put into quarters by a quantity where one is given.
GroupProfile profile_group(const Plan& plan, std::size_t group, const CallPathProfiles& profile,
                           const Breakdown& breakdown,
                           std::optional<Quantity> quarters_of = std::nullopt);
// The same of the processes of all groups together.
GroupProfile profile_all(const Plan& plan, const CallPathProfiles& profile,
                         const Breakdown& breakdown,
                         std::optional<Quantity> quarters_of = std::nullopt);

}  // namespace tracefold
