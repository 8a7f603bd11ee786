// What folding iterations needs of all processes, as a reading collected it that had other aims,
// too.
#pragma once

#include "pipeline/events/call_hash.hpp"
#include "pipeline/messages/collected_waits.hpp"
#include "pipeline/profile/collected_times.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

struct CollectedCalls {
  CollectedWaits waits;
  std::vector<CallHash> hashes;  // by process; none where only sends were asked for
  // By process, where it does what one of the scripts says; none where there are no scripts.
  std::vector<std::optional<CollectedTimes>> times;
  std::shared_ptr<const CallScripts> scripts;
};

}  // namespace tracefold
