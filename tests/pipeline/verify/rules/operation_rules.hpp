// The rule for operations of a trace in which iterations are collapsed. An operation outside of all
// collapsed iterations must be there. A message or collective has parts on several processes:
// either all of its parts are there, or none, and it may only be missing where one of its parts is
// in a collapsed iteration.
//
// Which parts belong together follows from MPI's order (channel.hpp): the n-th send on a channel is
// received by the n-th receive that is posted on it, and the n-th collective of a communicator is
// the same one on all of its members. This order is unknown where several locations of a process
// take part, or where the numbers of parts differ; a channel of that kind is not checked if
// anything on it is in a collapsed iteration.
//
// Source: docs/design.md, the rules "messages need both ends", "keep what stands alone" and
// "collapsed iterations"; MPI 4.0, 3.5 and 6.1.
#pragma once

#include "pipeline/messages/channel.hpp"
#include "pipeline/messages/operation_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// An operation or a part of one, as the original records it in a kept location.
struct OperationPart {
  static constexpr std::uint32_t alone = 0xffffffff;

  std::uint64_t time = 0;         // of its first record
  std::uint32_t channel = alone;  // by what parts belong together: index into the location's
  EventKind kind{};               // of its first record
  bool is_inside = false;         // a record of it is in a collapsed iteration
  bool has_no_partner = false;    // nothing tells who that is, or it is not kept
  bool stays = true;              // in the reduced archive
  bool lacks_test = false;  // one outside of collapsed iterations is missing in the reduced archive

  bool may_go() const { return is_inside || has_no_partner; }
};

// Those of one location, in the order in which they begin. Memory: 24 bytes for each.
struct LocationParts {
  std::vector<OperationPart> parts;
  std::vector<ChannelEnd> channels;
};

// Collects the operations of one location, in the order in which they begin. One thread.
class OperationParts {
 public:
  OperationParts(const Definitions& original, std::uint64_t location)
      : original_(original), location_(location) {}

  // Takes a record of the original that is no call. `inside` says that it is in a collapsed
  // iteration, `has_partner` that all ranks in it are kept. False for one that stands alone.
  bool add(const Event& event, bool stays, bool inside, bool has_partner);

  const std::vector<OperationPart>& parts() const { return parts_; }
  // Call once, at the end.
  LocationParts take() { return {std::move(parts_), channels_.ends()}; }

 private:
  void name_partner(OperationPart& part, const Event& event);
  std::optional<ChannelEnd> find_collective_channel(Channel::Kind kind, std::uint64_t scope,
                                                    std::uint64_t comm) const;

  const Definitions& original_;
  std::uint64_t location_;
  OperationCursor operations_;
  ChannelNumbers channels_;
  std::vector<OperationPart> parts_;  // by number
};

// Calls add_violation(words) for each channel on which a part is wrong. `locations` are
// all that are kept; `is_kept_whole` says of a process, by the location that MPI means, that its
// messages stay.
void check_operation_parts(const std::vector<const LocationParts*>& locations,
                           const std::function<bool(std::uint64_t)>& is_kept_whole,
                           const std::function<void(std::string)>& add_violation);

}  // namespace tracefold
