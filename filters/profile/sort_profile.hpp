// The order of the rows of a profile, and which of them are kept.
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

// `variation` is exclusive time × variation.
enum class SortKey { variation, exclusive, inclusive, visits, name };

// The words of the keys, in their order.
inline constexpr std::string_view sort_keys[] = {"variation", "exclusive", "inclusive", "visits",
                                                 "name"};
std::optional<SortKey> find_sort_key(std::string_view word);

// Numbers are sorted with the largest first, names ascending. Of more than `most` rows the first
// ones are kept, and the number of the others is added to GroupProfile::left_out; 0 keeps all.
void sort_rows(GroupProfile& group, SortKey key, const std::vector<Function>& functions,
               std::size_t most);

// The same for rows of call paths. They stay a tree, in which the callees of one path are sorted;
// the paths that lead to a kept one are kept, too.
void sort_paths(GroupProfile& group, const std::vector<CallPath>& paths, SortKey key,
                const std::vector<Function>& functions, std::size_t most);

// For each function of `group` whose name matches: the rows of its callers, itself, and the rows of
// its callees. `pairs` has a row for each call pair. Each of these lists is sorted and
// cut as sort_rows does.
GroupProfile list_neighbours(const std::string& glob, GroupProfile group, const GroupProfile& pairs,
                             SortKey key, const std::vector<Function>& functions, std::size_t most);

}  // namespace tracefold
