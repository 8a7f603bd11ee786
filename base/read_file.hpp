// The whole content of a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tracefold {

// Nothing where there is no such regular file. Throws Error(input) that names the file
// where it is there and cannot be read. Thread-safe.
std::optional<std::string> read_file(const std::filesystem::path& file);

}  // namespace tracefold
