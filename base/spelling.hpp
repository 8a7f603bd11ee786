// Suggestions where a name is misspelt, and lists of names in messages. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// "did you mean 'NAME'?" with the known name that differs from the word in the fewest
// characters, at most two; `otherwise` where there is none.
std::string suggest_name(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise);

// "a, b, c", or of more names than `most` "a, b, c and 25 more".
std::string list_some(const std::vector<std::string>& names, std::size_t most);

// The same as suggest_name() for a shell pattern that matches none of the names: also one that
// would match if upper and lower case were the same. "" where there is none.
std::string suggest_pattern(const std::string& pattern, const std::vector<std::string>& names);

}  // namespace tracefold
