// Sets of ids as text: "0-6:2,9" is 0, 2, 4, 6, 9 (first-last:stride).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Ids must be ascending. Runs of three and more with one stride are condensed.
std::string to_ranges(const std::vector<std::uint64_t>& ids);

// Ascending and without repetitions. Throws Error(usage) on text that is no
// list of ranges, or one that names more than `limit` ids.
std::vector<std::uint64_t> parse_ranges(std::string_view text, std::size_t limit = 1u << 24);

// Shell pattern: `*`, `?`, `[a-z]`, `[!a]`, backslash quotes.
bool matches_glob(std::string_view pattern, std::string_view name);
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);

// A name without the count that a reduction has put before it: "15× Rank 1" is "Rank 1".
std::string_view strip_count(std::string_view name);

}  // namespace tracefold
