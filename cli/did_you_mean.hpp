// A hint where a word is misspelt.
#pragma once

#include <string>
#include <vector>

namespace tracefold::cli {

// "did you mean 'NAME'?" with the name that the word is nearest to, if any is
// near; else `otherwise`.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise = "see 'tracefold --help'");

}  // namespace tracefold::cli
