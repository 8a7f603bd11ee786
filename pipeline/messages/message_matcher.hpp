// Matches the messages of a trace: tells a location that receives a message when it was
// sent. First a pass collects what the matching needs of each process; then each location
// is matched while its events are read once more.
//
// A rank means a process, and any of its locations may send or receive for it. Which of
// them got a message is not known where several do; so both processes must have one
// location that sends or receives, and it must be among those that are read.
//
// Memory: 8 bytes for each message that is sent, for at most `most_sends`, an equal share
// for each process; of those that come later it is not known when they were sent, and a
// warning says so. And for receives what receive_order.hpp says. The result does not depend
// on the number of threads.
//
// Source: dynamics 1.5 and 3.3 (late senders need both ends of a message).
#pragma once

#include "model/plan.hpp"
#include "model/profile/metric.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/messages/channel.hpp"
#include "pipeline/messages/receive_order.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

// What one location knows of its messages. A value.
struct LocationMessages {
  // By channel: when the calls that send were entered, in ticks and in the order of sending.
  // A message whose call is not recorded has its own time.
  std::unordered_map<Channel, std::vector<std::uint64_t>, ChannelHash> send_times;
  std::uint64_t left_out = 0;  // messages sent beyond the most that are kept
  // Of receives: their places in the order of their channels, and from which receive on
  // these are not known.
  ReceiveOrder::Places receive_places;
  std::uint64_t known_receives = 0;
};

// Immutable once made; any thread may ask.
class MessageMatcher {
 public:
  static constexpr std::size_t most_sends = std::size_t{1} << 24;

  // `read` are indexes into the plan's processes, which were profiled; `time_metrics` of
  // each function. The archive must stay. Throws Error(input).
  MessageMatcher(const Archive& archive, const Plan& plan, const std::vector<std::size_t>& read,
                 const FunctionTable& functions, const std::vector<Metric>& time_metrics,
                 const ReadOptions& options, Diagnostics& diagnostics,
                 std::size_t most = most_sends);

  // The channel of a record that sends or receives a message, which `location` recorded;
  // none where a process at one of its ends cannot be matched.
  std::optional<ChannelEnd> find_channel(std::uint64_t location, const Event& event) const;

  // The messages of a process at an end of a channel.
  const LocationMessages& messages(std::uint64_t endpoint) const { return messages_.at(endpoint); }

  // The ends of all channels with messages: sender and receiver, ascending, each pair once.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> list_neighbours() const;

 private:
  std::vector<std::size_t> find_matchable(const Plan& plan, const std::vector<std::size_t>& read);

  const Definitions& definitions_;
  std::unordered_map<std::uint64_t, LocationMessages> messages_;  // by endpoint
};

// Matches what one location receives: one thread, each receive record once, in order.
class ReceiveMatcher {
 public:
  // The matcher must stay.
  ReceiveMatcher(const MessageMatcher& matcher, std::uint64_t location)
      : matcher_(matcher), location_(location) {}

  // When the call was entered that sent what an MpiRecv or MpiIrecv receives, in ticks;
  // none where that is not known.
  std::optional<std::uint64_t> find_send_time(const Event& receive);
  // How many messages were received before they were sent.
  std::uint64_t impossible() const { return impossible_; }

 private:
  struct Sender {
    const std::vector<std::uint64_t>* send_times = nullptr;
    std::uint32_t received = 0;
  };

  const MessageMatcher& matcher_;
  std::uint64_t location_;
  std::unordered_map<Channel, Sender, ChannelHash> senders_;
  std::uint64_t receives_ = 0;
  std::uint64_t impossible_ = 0;
};

}  // namespace tracefold
