// The times that are needed to tell how long processes wait for each other: when messages were sent
// and receives posted, and when collective operations were entered. A reading that has other aims
// collects them as well, so that the trace need not be read once more for them.
#pragma once

#include "pipeline/messages/collective_matcher.hpp"
#include "pipeline/messages/message_matcher.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace tracefold {

struct CollectedWaits {
  struct OfProcess {
    LocationMessages messages;
    std::uint64_t parts = 0;        // in collective operations that block
    std::uint64_t nonblocking = 0;  // in others
  };

  // All of a plan; of a team, each member has its own, and null for others.
  std::vector<std::unique_ptr<OfProcess>> processes;
  std::unique_ptr<CollectiveMatcher> collectives = {};
};

}  // namespace tracefold
