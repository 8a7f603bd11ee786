// Which communicators each rank is in. Each rank numbers its own communicators by their ids,
// including those in which it is alone. Immutable, thread-safe.
//
// Memory: 4 bytes for each member of each communicator.
#pragma once

#include "model/messages/messages.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

class OwnCommunicators {
 public:
  OwnCommunicators() = default;
  explicit OwnCommunicators(const Messages& messages);

  // The index into Messages::communicators of the communicator that has this number on a rank.
  std::optional<std::uint32_t> find(std::uint32_t rank, std::uint64_t number) const;

 private:
  std::vector<std::uint32_t> selves_;                // in which each rank is alone
  std::vector<std::vector<std::uint32_t>> by_rank_;  // all others
};

}  // namespace tracefold
