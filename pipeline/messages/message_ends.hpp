// What one location tells of its messages, and the sink that collects it: when the calls
// that send were entered, and the order of its receives.
//
// One location, one thread. Memory: 8 bytes for each message that it sends, of at most
// `most`, and what pipeline/receive_order.hpp says.
#pragma once

#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/series_form.hpp"
#include "pipeline/messages/message_channels.hpp"
#include "pipeline/messages/receive_order.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct MessageEnds {
  std::unordered_map<MessageChannel, std::vector<std::uint64_t>, MessageChannelHash>
      sent;                     // ticks, in the order of sending
  std::uint64_t left_out = 0;   // messages beyond the most that are kept
  ReceiveOrder::Places places;  // of receives, and up to where they are told
  std::uint64_t receives_told = 0;
};

class MessageEndsSink {
 public:
  // All must stay.
  MessageEndsSink(const MessageChannels& channels, const SeriesForm& form, std::uint64_t location,
                  std::size_t most)
      : channels_(channels), form_(form), location_(location), most_(most), order_(most) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    open_.push_back({call.time, form_.kind(call.function)});
  }
  [[gnu::always_inline]] void leave(const CallEnd&, std::span<const Attribute>) {
    open_.pop_back();
  }
  void other(const Event& event);
  void unknown(std::uint64_t) {}

  // Once, after the last event.
  MessageEnds take();

 private:
  struct Open {
    std::uint64_t entered;
    PathKind kind;
  };
  void sent(const Event& event);
  void received(const Event& event, std::optional<std::uint64_t> request);

  const MessageChannels& channels_;
  const SeriesForm& form_;
  std::uint64_t location_;
  std::size_t most_, sends_ = 0;
  ReceiveOrder order_;
  std::unordered_map<MessageChannel, std::size_t, MessageChannelHash>
      received_;  // channels that it received from, numbered
  MessageEnds ends_;
  std::vector<Open> open_;  // calls
};

}  // namespace tracefold
