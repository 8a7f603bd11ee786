#include "pipeline/archives/find_traces.hpp"

#include "base/interrupt.hpp"
#include "base/pending.hpp"
#include "otf2/anchors.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

bool has_time_left(std::chrono::steady_clock::time_point until) {
  return stop_signal.load() == 0 && std::chrono::steady_clock::now() < until;
}

struct FolderEntries {
  std::vector<fs::path> anchors, folders;  // in the order of their names
};

// Entries that vanish meanwhile, and such that are neither files nor folders, do not count.
FolderEntries list_folder(const fs::path& folder, std::chrono::steady_clock::time_point until,
                          FoundTraces& found) {
  FolderEntries entries;
  std::error_code problem, unknown;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    if (!has_time_left(until)) {
      found.is_complete = false;
      return entries;
    }
    if (at->is_symlink(unknown)) {
      if (at->is_directory(unknown) || at->path().extension() == anchor_ending)
        found.links.push_back(at->path());
      continue;
    }
    if (at->is_directory(unknown)) {
      if (!is_name_of_pending(at->path().filename().string()))
        entries.folders.push_back(at->path());
    } else if (at->path().extension() == anchor_ending && at->is_regular_file(unknown)) {
      entries.anchors.push_back(at->path());
    }
  }
  if (problem && problem != std::errc::no_such_file_or_directory)
    found.unreadable.emplace_back(folder, problem);

  std::sort(entries.anchors.begin(), entries.anchors.end());
  std::sort(entries.folders.begin(), entries.folders.end());
  return entries;
}

fs::path name_output(const fs::path& anchor, bool is_alone) {
  auto output = anchor.parent_path();
  if (!is_alone)
    output += "-" + anchor.stem().string();
  output += "-small";
  return output;
}

// FOLDER-NAME-small is also what a trace that is alone in FOLDER-NAME is reduced to.
void mark_shared_outputs(std::vector<FoundTrace>& traces) {
  std::map<fs::path, std::size_t> uses;
  for (const auto& trace : traces)
    ++uses[trace.output];
  for (auto& trace : traces)
    trace.shares_output = uses[trace.output] > 1;
}

}  // namespace

FoundTraces find_traces(const fs::path& folder, std::chrono::steady_clock::time_point until) {
  FoundTraces found;
  std::error_code problem;
  const auto top = fs::canonical(folder, problem);
  if (problem || !fs::is_directory(top, problem)) {
    const auto no_folder = std::make_error_code(std::errc::not_a_directory);
    found.unreadable.emplace_back(folder, problem ? problem : no_folder);
    return found;
  }

  std::vector<fs::path> waiting{top};  // the next one is the last
  while (!waiting.empty() && found.is_complete) {
    const auto here = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = list_folder(here, until, found);

    std::set<fs::path> event_folders;
    for (const auto& anchor : entries.anchors) {
      found.traces.push_back({anchor, name_output(anchor, entries.anchors.size() == 1)});
      event_folders.insert(anchor.parent_path() / anchor.stem());
    }
    for (auto inner = entries.folders.rbegin(); inner != entries.folders.rend(); ++inner)
      if (!event_folders.contains(*inner))
        waiting.push_back(*inner);
  }

  mark_shared_outputs(found.traces);
  return found;
}

}  // namespace tracefold
