// Makes the profile that `tracefold profile` shows: for each group of processes its functions, its
// call paths, or the callers and callees of some functions, sorted and limited.
//
// Pure functions. Source: thesis 4.4.2.
#pragma once

#include "filters/profile/sort_profile.hpp"
#include "model/profile/call_path_profile.hpp"
#include "model/profile/function_groups.hpp"
#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

struct ProfileOptions {
  ProfileReport::View view = ProfileReport::View::functions;
  std::string function;               // glob, for View::neighbours
  SortKey sort = SortKey::variation;  // order of rows
  std::size_t most_rows = 0;          // for each group; 0: all
  std::optional<std::size_t> group;   // only this one; absent: all
  bool counters = false;              // recorded counters are read, too
  std::string ratio = {};             // "A/B" (find_ratio.hpp); empty: none
  bool quarters = false;              // which processes are in which quarter of each row
  std::optional<FunctionGrouping> function_grouping = {};  // for View::function_groups
  std::vector<ListedFunctions> listed_functions = {};      // for FunctionGrouping::listed
};

// The indexes of the groups that were asked for, ascending. Throws Error(usage) where the plan has
// no such group.
std::vector<std::size_t> choose_groups(const Plan& plan, const ProfileOptions& options);

// The members of these groups as ascending indexes: the processes to read.
std::vector<std::size_t> find_members(const Plan& plan, const ProfileOptions& options);

// The quantity for quarters: that by which rows are sorted, otherwise exclusive time.
Quantity choose_quantity(SortKey key);

// `calls` has at least the members of the chosen groups; rows get its counters, without units.
// Where several representatives stand for a group, the members of each are shown by themselves.
// `groups` are needed for View::function_groups, and `ratio` where one is shown. Throws
// Error(usage) where the glob matches no called function.
ProfileReport make_profile_report(const Plan& plan, const CallPathProfiles& calls,
                                  const ProfileOptions& options, FunctionGroups groups = {},
                                  std::optional<MetricRatio> ratio = {});

}  // namespace tracefold
