#include "pipeline/facts/call_path_sink.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

LocationPaths CallPathSink::take() {
  LocationPaths out{cursor_.visited(), {}};
  std::sort(out.paths.begin(), out.paths.end());
  out.values.reserve(LocationPaths::columns * out.paths.size());

  for (auto path : out.paths) {
    const auto tally = std::exchange(tallies_[path], {});
    out.values.insert(out.values.end(), {tally.exclusive, tally.visits});
  }

  cursor_.begin_location();

  return out;
}

}  // namespace tracefold
