// The profile that `tracefold profile` shows: of each group of processes its functions,
// its call paths, or the callers and callees of some functions, sorted and cut.
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
  std::string function;               // glob, of View::neighbours
  SortKey sort = SortKey::variation;  // order of rows
  std::size_t most_rows = 0;          // of each group; 0: all
  std::optional<std::size_t> group;   // only this one; absent: all
  bool counters = false;              // those that the trace records are read, too
  bool quarters = false;              // which processes are in which quarter of a row
  std::optional<FunctionGrouping> function_grouping = {};  // of View::function_groups
  std::vector<ListedFunctions> listed_functions = {};      // of FunctionGrouping::listed
};

// Indexes of the plan's groups that are asked for, ascending. Throws Error(usage) where
// the plan has no group of that number.
std::vector<std::size_t> choose_groups(const Plan& plan, const ProfileOptions& options);

// Indexes of the members of these groups, ascending: the processes to be read.
std::vector<std::size_t> find_members(const Plan& plan, const ProfileOptions& options);

// What a row's processes are put into quarters by: what rows are sorted by, or else exclusive time.
Quantity choose_quantity(SortKey key);

// `calls` is of the members of the chosen groups at least; rows have its counters, whose units are
// not known here. `groups` of functions are those of View::function_groups. Throws Error(usage)
// where no function that is called matches the glob.
ProfileReport make_profile_report(const Plan& plan, const CallPathProfiles& calls,
                                  const ProfileOptions& options, FunctionGroups groups = {});

}  // namespace tracefold
