// What the name of an output says of its format: a file for viewers or a tar by its ending, else a
// folder.
#pragma once

#include "base/tar_writer.hpp"
#include "model/viewers/view_writer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

inline constexpr const char* view_endings = ".json, .json.gz, .pftrace or .pftrace.gz";
inline constexpr const char* tar_endings = ".tar, .tar.gz or .tar.zst";

// A tar, where the name ends as one; "-" is one on stdout.
std::optional<TarOutput> find_tar_output(const std::string& output);

// The name of a tar without its ending; its folder stays. Empty where the name is nothing else.
std::string name_without_tar(const std::string& output);

// The file for viewers that a name asks for, if it is no tar; none: a folder is made, whose name
// may have dots, as in run.1, and any ending if it ends in '/' or the folder is there. Throws
// Error(usage) for other names with a short ending, as files have: no folder is meant by these.
std::optional<ViewFormat> find_view_format(const std::string& output);

// The same for outputs that can be a folder, but no file for viewers.
void check_folder_name(const std::string& output);

// A folder in this one for each trace, which has the name of the trace's own folder. Throws
// Error(usage) where two have the same, or one has none.
std::vector<std::string> name_outputs(const std::vector<std::string>& traces,
                                      const std::string& folder);

// Throws Error(usage) where a tar would go to a terminal, or to stdout together with a summary that
// was asked for.
void check_stream(const std::optional<TarOutput>& tar, bool prints_summary);

}  // namespace tracefold::cli
