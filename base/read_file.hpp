// The content of a file, or how it begins.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// Nothing where there is no such regular file. Throws Error(input) that names the file
// where it is there and cannot be read. Thread-safe.
std::optional<std::string> read_file(const std::filesystem::path& file);

// The first bytes of a file, at most so many; fewer, or none, where there are no more or it cannot
// be read. Thread-safe.
std::string read_file_begin(const std::filesystem::path& file, std::size_t most);

}  // namespace tracefold
