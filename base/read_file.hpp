// Reads a whole file, or its beginning.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// None where there is no regular file of this name. Throws Error(input) with its name where it
// exists and cannot be read. Thread-safe.
std::optional<std::string> read_file(const std::filesystem::path& file);

// At most the first `most` bytes of a file; fewer where it is shorter, and none where it cannot be
// read. Thread-safe.
std::string read_file_begin(const std::filesystem::path& file, std::size_t most);

}  // namespace tracefold
