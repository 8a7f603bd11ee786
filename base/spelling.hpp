// Suggests names for misspelt ones, and lists names in messages. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// "did you mean 'NAME'?" with the known name that differs from `word` in the fewest characters, at
// most two. Returns `otherwise` where there is none.
std::string suggest_name(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise);

// "a, b, c", or "a, b, c and 25 more" where there are more than `most` names.
std::string list_some(const std::vector<std::string>& names, std::size_t most);

// The same for a shell pattern that matches no name. A pattern that matches a name but for upper
// and lower case is suggested as well. Empty where there is nothing to suggest.
std::string suggest_pattern(const std::string& pattern, const std::vector<std::string>& names);

}  // namespace tracefold
