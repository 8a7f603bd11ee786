// Statistics over the processes of a group: turns a plan's groups and their call-path profiles into
// rows of functions, call paths or call pairs.
//
// Pure functions.
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

// The rows of a table, and the row to which each call path contributes.
struct Breakdown {
  std::vector<ProfileRow> rows;        // without values
  std::vector<std::uint32_t> get_row;  // by call path: index of its row

  // By call path: whether none of its callers contributes to the same row. Only such a path
  // contributes to inclusive time, so that a call inside of a call of the same row counts once.
  std::vector<bool> is_outermost;
};

// A row for each function, call path, or call pair. For a call pair, the row is that of the callee,
// and `subject` is the caller.
enum class BreakDownBy { function, call_path, call_pair };
Breakdown break_down(const CallPathProfiles& profile, BreakDownBy by);
// A row for each group of functions. `group_of` has the group of each function.
Breakdown break_down(const CallPathProfiles& profile, const std::vector<std::uint32_t>& group_of);

// The rows that any process of the group, or of a cluster of it, has, in the order of the
// breakdown. profile.processes[i] corresponds to plan.processes[i]. Takes at most 64 MiB besides
// the result, or 24 bytes for each process where that is more, and 8 bytes for each counter of the
// profile. With `quarters_of`, processes are sorted into quarters by that quantity. `ratio` may be
// null.
GroupProfile profile_group(const Plan& plan, std::size_t group, const CallPathProfiles& profile,
                           const Breakdown& breakdown,
                           std::optional<Quantity> quarters_of = std::nullopt,
                           const MetricRatio* ratio = nullptr,
                           std::optional<std::size_t> cluster = std::nullopt);
// The same for the processes of all groups together.
GroupProfile profile_all(const Plan& plan, const CallPathProfiles& profile,
                         const Breakdown& breakdown,
                         std::optional<Quantity> quarters_of = std::nullopt,
                         const MetricRatio* ratio = nullptr);

}  // namespace tracefold
