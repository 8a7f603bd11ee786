// How plans name traces.
//
// The plan beside a written trace names it relative to the folder of the plan, so that both can be
// moved together. A plan that is printed may be stored anywhere, so it has the absolute path. So
// does a plan that shares only the root folder with its trace.
#pragma once

#include <filesystem>
#include <string>

namespace tracefold {

// The name of a trace in a plan in `folder`, which need not exist yet. `trace` is an absolute path;
// other names are returned unchanged.
std::string name_trace_from(const std::string& trace, const std::filesystem::path& folder);

// The absolute path of a trace that a plan in `folder` names `name`. Where an absolute path no
// longer exists, but its last parts do below `folder`, both were moved, and the path there is
// returned. The folder itself counts only if it has the name that the trace's folder had. The
// caller checks that it is the right trace.
std::string find_trace_from(const std::string& name, const std::filesystem::path& folder);

// The absolute path without symbolic links, as far as it exists.
std::filesystem::path follow_links(const std::filesystem::path& path);

// The name of a trace for people: that of its anchor's folder, of its tar without the ending, or of
// the folder that its archives are in.
// Empty where it lies in the root folder.
std::string name_after_folder(const std::string& trace);

}  // namespace tracefold
