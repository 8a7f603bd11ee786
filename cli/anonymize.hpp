// Names replaced by codes, for traces that are given away (otf2/name_codes.hpp).
#pragma once

#include "otf2/archive.hpp"
#include "otf2/name_codes.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tracefold::cli {

// The codes of a table; none where there is no such file. Throws Error(input).
std::optional<NameCodes> read_name_codes(const std::string& table);

// The same trace with codes in place of names; those that have none yet get one. Throws
// Error(input) where it was reduced before: what is kept beside such a trace has names of the
// original.
std::shared_ptr<const Archive> replace_names(std::shared_ptr<const Archive> archive,
                                             NameCodes& codes);

// Throws Error(usage) where the table would be in the output, or be the output.
void check_table(const std::string& table, const std::filesystem::path& output);

// Open to its owner only. Throws Error(output).
void write_name_codes(const std::string& table, const NameCodes& codes);

}  // namespace tracefold::cli
