// The order of the rows of a profile, and which of them are kept.
//
// Source: thesis 4.4.2 ("a sorting order based on both accumulated exclusive
// time and its variation").
#pragma once

#include "model/profile/group_profile.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// variation: exclusive time × variation.
enum class SortKey { variation, exclusive, inclusive, visits, name };
inline constexpr std::string_view sort_keys[] = {"variation", "exclusive", "inclusive", "visits",
                                                 "name"};
std::optional<SortKey> sort_key_of(std::string_view word);

// Largest first, names ascending. Call paths stay a tree, those of one caller are
// sorted. Of more than `most` rows the first are kept, with the paths that lead
// to them; 0 keeps all.
void sort_rows(GroupProfile& group, SortKey key, const std::vector<Function>& functions,
               std::size_t most);
void sort_paths(GroupProfile& group, const std::vector<CallPath>& paths, SortKey key,
                const std::vector<Function>& functions, std::size_t most);

// Of each function whose name matches: who calls it, itself, and whom it calls.
// `pairs` are the rows of by_call_pair; each list is sorted and cut as above.
GroupProfile neighbours_of(const std::string& glob, GroupProfile group, const GroupProfile& pairs,
                           SortKey key, const std::vector<Function>& functions, std::size_t most);

}  // namespace tracefold
