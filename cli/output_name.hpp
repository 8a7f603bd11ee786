// What the name of an output says of its format: a file for viewers by its ending, else a folder.
#pragma once

#include "model/viewers/view_writer.hpp"

#include <optional>
#include <string>

namespace tracefold::cli {

inline constexpr const char* view_endings = ".json, .json.gz, .pftrace or .pftrace.gz";

// None: a folder is made. Its name may have dots, as in run.1; where it ends in '/', it may have
// any ending. Throws Error(usage) for other names that end as archives, packed files, or files of
// data or pictures do: a folder of that name is not what is meant. "-" is refused as well.
std::optional<ViewFormat> find_view_format(const std::string& output);

// The same for what can only be a folder.
void check_folder_name(const std::string& output);

}  // namespace tracefold::cli
