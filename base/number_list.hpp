// Writes a list of numbers as one text, since many small JSON values take more time and memory:
// "3 1*12 7" is 3, twelve times 1, and 7.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

std::string write_numbers(const std::vector<std::uint64_t>& numbers);
// Throws Error(input) where the text is no such list, or has more than `most` numbers.
std::vector<std::uint64_t> parse_numbers(std::string_view text, std::size_t most);

}  // namespace tracefold
