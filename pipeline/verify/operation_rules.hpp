// The rule for operations that several processes have a part in, where iterations are collapsed: a
// message or a collective outside of all collapsed iterations is there, and of all of them either
// all parts are or none.
//
// Parts belong together by MPI's own order (channel.hpp): the n-th that is sent on a channel is the
// n-th that is posted on it, and the n-th collective of a communicator is one on all its members.
// Where that does not tell, since several locations of a process take part or the numbers of parts
// differ, nothing is asked of a channel on which anything is in a collapsed iteration.
//
// Source: DESIGN's rules 5 and 7 of rewriting; MPI 4.0, 3.5 and 6.1.
#pragma once

#include "pipeline/messages/channel.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// A part of an operation, as the original records it in a kept location.
struct OperationPart {
  std::optional<ChannelEnd> channel;  // none while nothing tells with whom it belongs together
  bool may_go = false;                // a record of it is in a collapsed iteration
  bool stays = false;                 // in the reduced archive
};

// Collects the parts of one location, in the order in which they begin. One thread.
class OperationParts {
 public:
  OperationParts(const Definitions& original, std::uint64_t location)
      : original_(original), location_(location) {}

  // Takes a record of the original; `inside` says that it is in a collapsed iteration.
  void add(const Event& event, bool stays, bool inside);

  const std::vector<OperationPart>& parts() const { return parts_; }

 private:
  std::size_t begin(bool inside);
  void complete(std::optional<std::size_t> part, std::optional<ChannelEnd> channel, bool stays,
                bool inside);
  std::optional<ChannelEnd> find_collective_channel(std::uint64_t comm) const;

  const Definitions& original_;
  std::uint64_t location_;
  std::vector<OperationPart> parts_;
  std::unordered_map<std::uint64_t, std::size_t> requests_;  // the parts that are open
  std::optional<std::size_t> collective_;
};

// Calls add_violation(words) for each channel on which a part is wrong. `parts` are those of all
// kept locations; `is_kept_whole` says of a process, by the location that MPI means, that its
// messages stay.
void check_operation_parts(const std::map<std::uint64_t, std::vector<OperationPart>>& parts,
                           const std::function<bool(std::uint64_t)>& is_kept_whole,
                           const std::function<void(std::string)>& add_violation);

}  // namespace tracefold
