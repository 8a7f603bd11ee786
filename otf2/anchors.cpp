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

std::vector<fs::path> find_anchors_below(const fs::path& folder, int levels) {
  constexpr std::size_t most = 2;  // then it is known that it is not one alone
  std::error_code problem;
  auto anchors = list_anchors(folder, problem);
  for (fs::directory_iterator at(folder, problem), end;
       levels > 0 && anchors.size() < most && !problem && at != end; at.increment(problem)) {
    std::error_code unknown;
    if (!at->is_directory(unknown) || at->is_symlink(unknown))
      continue;
    const auto below = find_anchors_below(at->path(), levels - 1);
    anchors.insert(anchors.end(), below.begin(), below.end());
  }
  return anchors;
}

}  // namespace tracefold
