// The times that are needed to find out how long processes wait for each other: when messages were
// sent, receives posted, and collective operations entered. Another pass collects them, so that no
// pass of their own is necessary.
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
    std::uint64_t parts = 0;        // in blocking collective operations
    std::uint64_t nonblocking = 0;  // in non-blocking ones
    std::uint64_t on_windows = 0;   // in those on windows
    std::uint64_t one_sided = 0;    // other synchronisations
  };

  // By process of the plan; in a team, null for processes of other members.
  std::vector<std::unique_ptr<OfProcess>> processes;
  std::unique_ptr<CollectiveMatcher> collectives = {};
};

}  // namespace tracefold
