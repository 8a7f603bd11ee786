// Sets of ids as text: "0-6:2,9" (first-last:stride) is 0, 2, 4, 6, 9. And shell patterns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// `ids` are ascending. Three or more ids with one stride become a range.
std::string to_ranges(const std::vector<std::uint64_t>& ids);

// The ids are ascending and without repetitions. Throws Error(usage) where the text is no list of
// ranges, or names more than `limit` ids.
std::vector<std::uint64_t> parse_ranges(std::string_view text, std::size_t limit = 1u << 24);

// Shell patterns: `*`, `?`, `[a-z]`, `[!a]`; a backslash quotes the next character.
bool matches_glob(std::string_view pattern, std::string_view name);
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);
// The pattern that matches this name only.
std::string quote_glob(std::string_view name);

// Removes the count that a reduction has put before a name: "15× Rank 1" becomes "Rank 1".
std::string_view strip_count(std::string_view name);

}  // namespace tracefold
