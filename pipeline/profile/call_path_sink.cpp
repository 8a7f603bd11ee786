#include "pipeline/profile/call_path_sink.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

CallPathProfile CallPathSink::take() {
  auto paths = cursor_.visited();
  std::sort(paths.begin(), paths.end());

  CallPathProfile profile;
  profile.rows.reserve(paths.size());
  profile.values.reserve(2 * paths.size());

  for (auto path : paths) {
    const auto tally = std::exchange(tallies_[path], {});
    profile.rows.push_back({path, PathKind::usr});
    profile.values.insert(profile.values.end(), {tally.exclusive, tally.visits});
  }

  cursor_.begin_location();

  return profile;
}

}  // namespace tracefold
