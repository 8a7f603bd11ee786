#include "otf2/anchors.hpp"

#include <algorithm>

namespace fs = std::filesystem;

namespace tracefold {

std::vector<fs::path> list_anchors(const fs::path& folder, std::error_code& problem) {
  std::vector<fs::path> anchors;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code unknown;
    if (at->path().extension() == anchor_ending && at->is_regular_file(unknown))
      anchors.push_back(at->path());
  }

  std::sort(anchors.begin(), anchors.end());
  return anchors;
}

}  // namespace tracefold
