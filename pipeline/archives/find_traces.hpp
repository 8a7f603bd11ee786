// The traces below the folder of a job.
#pragma once

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

struct AsOneOptions;

struct FoundTrace {
  std::filesystem::path anchor;  // or the folder of a run
  std::filesystem::path output;  // FOLDER-small beside the FOLDER that the anchor is in
  bool shares_output = false;    // another trace would be reduced to the same name
  // How all archives below that folder are put together (archives/as_one.hpp); null: it is one.
  const AsOneOptions* as_one = nullptr;
};

struct FoundTraces {
  std::vector<FoundTrace> traces;  // in the order of their names
  // Folders that could not be read, and why; the first is the job's folder where that was it.
  std::vector<std::pair<std::filesystem::path, std::error_code>> unreadable;
  std::vector<std::filesystem::path> links;  // to folders and anchors, which are not followed
  bool is_complete = true;                   // false: time ran out, or a stop was asked for
};

// Files NAME.otf2 at any depth. No link is followed but `folder` itself, the folders NAME of event
// files are not looked into, and neither is what an unfinished run has left. Where several anchors
// are in one folder their outputs are FOLDER-NAME-small. Never throws because of what is there.
FoundTraces find_traces(const std::filesystem::path& folder,
                        std::chrono::steady_clock::time_point until);

}  // namespace tracefold
