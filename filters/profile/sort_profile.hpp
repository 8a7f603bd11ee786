// Sorts the rows of a profile, and limits their number.
//
// Source: thesis 4.4.2 ("a sorting order based on both accumulated exclusive time and its
// variation").
#pragma once

#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// `variation` stands for exclusive time × variation.
enum class SortKey { variation, exclusive, inclusive, visits, name };

// The words for the keys, in order.
inline constexpr std::string_view sort_keys[] = {"variation", "exclusive", "inclusive", "visits",
                                                 "name"};
std::optional<SortKey> find_sort_key(std::string_view word);

// Sorts numbers with the largest first, names ascending. Keeps the first `most` rows (0: all), and
// adds the number of the others to GroupProfile::left_out.
void sort_rows(GroupProfile& group, SortKey key, const std::vector<Function>& functions,
               std::size_t most);

// The same for call paths. They remain a tree, in which the callees of each path are sorted; the
// callers of a kept path are kept, too.
void sort_paths(GroupProfile& group, const std::vector<CallPath>& paths, SortKey key,
                const std::vector<Function>& functions, std::size_t most);

// For each function of `group` with a matching name: the rows of its callers, its own, and the rows
// of its callees. `pairs` has a row for each call pair. Each list is sorted and limited as by
// sort_rows().
GroupProfile list_neighbours(const std::string& glob, GroupProfile group, const GroupProfile& pairs,
                             SortKey key, const std::vector<Function>& functions, std::size_t most);

}  // namespace tracefold
