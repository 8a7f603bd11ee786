// Suggestions where a name is misspelt. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace tracefold {

// "did you mean 'NAME'?" with the known name that differs from the word in the fewest
// characters, at most two; `otherwise` where there is none.
std::string suggest_name(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise);

// The same for a shell pattern that matches none of the names: also one that would match
// if upper and lower case were the same. "" where there is none.
std::string suggest_pattern(const std::string& pattern, const std::vector<std::string>& names);

}  // namespace tracefold
