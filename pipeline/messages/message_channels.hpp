// The channels of messages of which both ends can be told.
//
// A rank means a process, and any of its locations may send or receive for it. Which of
// them got a message cannot be told where several do; so both processes must have one
// location that sends or receives, and it must be among those that are read. Immutable;
// any thread may ask.
#pragma once

#include "model/plan.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Locations that stand for processes in MPI's ranks, a communicator and a tag.
struct MessageChannel {
  std::uint64_t sender = 0, receiver = 0, comm = 0, tag = 0;

  bool operator==(const MessageChannel&) const = default;
};

struct MessageChannelHash {
  std::size_t operator()(const MessageChannel& channel) const;
};

class MessageChannels {
 public:
  // `read` are indexes into the plan's processes, which were profiled.
  MessageChannels(const Definitions& definitions, const Plan& plan,
                  const std::vector<std::size_t>& read);

  // Of a message that a location sends (MpiSend, MpiIsend) or receives (MpiRecv, MpiIrecv);
  // none where not both ends can be told.
  std::optional<MessageChannel> of_send(std::uint64_t location, const Event& event) const {
    return channel(location, event, true);
  }
  std::optional<MessageChannel> of_receive(std::uint64_t location, const Event& event) const {
    return channel(location, event, false);
  }
  // Processes that can be told, ascending.
  const std::vector<std::size_t>& talkers() const { return talkers_; }
  // The one that an end of a channel stands for.
  std::size_t talker(std::uint64_t endpoint) const { return talker_of_.at(endpoint); }

 private:
  std::optional<MessageChannel> channel(std::uint64_t location, const Event& event,
                                        bool sends) const;

  const Definitions& definitions_;
  std::vector<std::size_t> talkers_;
  std::unordered_map<std::uint64_t, std::size_t> talker_of_;  // by endpoint
};

}  // namespace tracefold
