// Channels, by which MPI matches operations of different locations. Messages and parts of
// collectives are matched by channel and order: the n-th message sent on a channel is the n-th one
// received on it, since messages do not overtake each other; the n-th collective operation on a
// communicator is the same one on all its members.
//
// Source: MPI 4.0, 3.5 (order of messages) and 6.1 (collective operations).
#pragma once

#include "base/packed_values.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Ids are those of the trace. A process is given as the location that stands for it in MPI's ranks
// (Definitions::endpoint).
struct Channel {
  enum class Kind : std::uint8_t { message, collective, one_sided_collective };

  Kind kind = Kind::message;
  std::uint64_t scope = 0;  // communicator, or the window of a one-sided collective
  // The processes of a message. A collective that a location does alone has the location as both;
  // other collectives have neither.
  std::uint64_t sender = 0;
  std::uint64_t receiver = 0;
  std::uint64_t tag = 0;

  auto operator<=>(const Channel&) const = default;
};
auto list_members(Like<Channel> auto& channel) {
  return std::tie(channel.kind, channel.scope, channel.sender, channel.receiver, channel.tag);
}

// A channel, as one location uses it.
struct ChannelEnd {
  Channel channel;
  bool receives = false;  // messages; false: it sends them, or takes part in a collective

  auto operator<=>(const ChannelEnd&) const = default;
};
auto list_members(Like<ChannelEnd> auto& end) {
  return std::tie(end.channel, end.receives);
}

struct ChannelHash {
  std::size_t operator()(const Channel& channel) const;
  std::size_t operator()(const ChannelEnd& end) const {
    return (*this)(end.channel) ^ std::size_t{end.receives};
  }
};

constexpr bool sends_message(EventKind kind) {
  return kind == EventKind::MpiSend || kind == EventKind::MpiIsend;
}
constexpr bool receives_message(EventKind kind) {
  return kind == EventKind::MpiRecv || kind == EventKind::MpiIrecv;
}

// The channel of a record of `location` that sends or receives a message; none if the other process
// is not known. Thread-safe.
std::optional<ChannelEnd> find_message_channel(const Definitions& definitions,
                                               std::uint64_t location, const Event& event);

// Whether the process of a location is the root of a collective operation, given the recorded
// `root` and the communicator; none if not known. Thread-safe.
std::optional<bool> is_root(const Definitions& definitions, std::uint64_t location,
                            std::uint64_t communicator, std::uint64_t root);

// Numbers the channels of one location 0, 1, 2, … by first use.
class ChannelNumbers {
 public:
  std::uint32_t number(const ChannelEnd& end);
  // By number.
  const std::vector<ChannelEnd>& ends() const { return ends_; }

 private:
  std::unordered_map<ChannelEnd, std::uint32_t, ChannelHash> numbers_;
  std::vector<ChannelEnd> ends_;
};

}  // namespace tracefold
