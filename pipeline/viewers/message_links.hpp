// Gives both ends of each message the same number, so that viewers draw an arrow between them.
//
// Messages of a channel do not overtake each other (pipeline/messages/channel.hpp): the n-th that
// is sent is the n-th that a receive was posted for. So both ends count by themselves. Where
// several locations of a process use one channel, or not as many messages are received on it as are
// sent, it is not known which ends belong together, and none of the channel get a number.
//
//   count   MessageCounter, one for each location: its records in order
//   link    MessageLinks, once, of the counts of all locations
//   number  MessageNumbers, one for each location: its records once more
//
// Memory: some 100 bytes for each channel of each location, and what receive_order.hpp says.
#pragma once

#include "pipeline/messages/location_channels.hpp"
#include "pipeline/messages/receive_order.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// How many messages a location sends and receives on each of its channels, which are numbered by
// first use. A value.
struct MessageCounts {
  std::vector<std::pair<ChannelEnd, std::uint64_t>> channels;
  ReceiveOrder::Places receive_places;
  std::uint64_t unknown = 0;  // messages whose other process is not known
};

// One location, one thread. The definitions have to stay.
class MessageCounter {
 public:
  MessageCounter(const Definitions& definitions, std::uint64_t location)
      : channels_(definitions, location) {}

  // Any record.
  void add(const Event& event);
  // Call once, after the last one.
  MessageCounts take();

 private:
  std::optional<std::uint32_t> count(const Event& event);

  LocationChannels channels_;
  ReceiveOrder order_;
  std::vector<std::uint64_t> counts_;  // by channel
  std::uint64_t unknown_ = 0;
};

// Once made, any thread may ask. Does not depend on the number of threads.
class MessageLinks {
 public:
  // `counts` is by location, for all of them.
  explicit MessageLinks(std::vector<MessageCounts> counts);

  const MessageCounts& counts(std::size_t location) const { return counts_[location]; }
  // What the first message of a channel of a location gets; the others follow. 0: none get any.
  std::uint64_t first_number(std::size_t location, std::uint32_t channel) const {
    return first_numbers_[location][channel];
  }
  // Ends of messages that got no number.
  std::uint64_t unlinked() const { return unlinked_; }

 private:
  std::vector<MessageCounts> counts_;
  std::vector<std::vector<std::uint64_t>> first_numbers_;  // by location and channel
  std::uint64_t next_ = 1, unlinked_ = 0;
};

// One location, one thread; each record that sends or receives a message, in order. The links and
// definitions have to stay.
class MessageNumbers {
 public:
  MessageNumbers(const MessageLinks& links, std::size_t place, const Definitions& definitions,
                 std::uint64_t location)
      : links_(links),
        place_(place),
        channels_(definitions, location),
        passed_(links.counts(place).channels.size()) {}

  struct LinkEnd {
    std::uint64_t number = 0;                   // 0: the other end is not known
    std::optional<std::uint64_t> partner = {};  // the endpoint of the other process
  };
  LinkEnd find(const Event& event);

 private:
  const MessageLinks& links_;
  std::size_t place_;
  LocationChannels channels_;
  std::vector<std::uint64_t> passed_;  // by channel: messages so far
  std::uint64_t receives_ = 0;
  std::size_t passed_places_ = 0;
};

}  // namespace tracefold
