// How traces are named.
//
// A plan names its trace as seen from the folder in which the plan lies, so that both can be
// moved together, where it is known which folder that is: for the plan beside a written trace. A
// plan that is printed goes wherever the shell puts it, and has the absolute path. So has one that
// has nothing but the root of the file system in common with its trace.
#pragma once

#include <filesystem>
#include <string>

namespace tracefold {

// The absolute path of a trace as a plan in this folder says it, which need not be there yet. Other
// names stay as they are.
std::string name_trace_from(const std::string& trace, const std::filesystem::path& folder);

// The absolute path of a trace that a plan in this folder names so. Where nothing is at an absolute
// path any more, but the last parts of it are there below the folder, both were moved: it is that.
// A trace in the folder itself is it only where this has the name that the trace's folder had.
// Whoever reads the trace checks that it is the right one.
std::string find_trace_from(const std::string& name, const std::filesystem::path& folder);

// The absolute path without links, as far as there is such a file.
std::filesystem::path follow_links(const std::filesystem::path& path);

// What people call a trace by: the name of the folder of its anchor, or of the tar that holds it,
// without its ending. Empty where it lies in the root of the file system.
std::string name_after_folder(const std::string& trace);

}  // namespace tracefold
