// When the messages of a trace were sent, as a reading collected it that had other aims, too: then
// the trace need not be read once more for late senders.
#pragma once

#include "pipeline/messages/message_matcher.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct CollectedMessages {
  std::vector<LocationMessages> of_processes;  // of all processes of a plan

  // Whether memory was enough for all, and so it was if each of so many processes had a share of
  // it.
  bool is_complete(std::size_t share) const {
    return std::all_of(of_processes.begin(), of_processes.end(), [&](const auto& messages) {
      return messages.left_out == 0 && messages.count_sends() <= share;
    });
  }
};

}  // namespace tracefold
