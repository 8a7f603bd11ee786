#include "pipeline/viewers/message_links.hpp"

#include <unordered_map>

namespace tracefold {

std::optional<std::uint32_t> MessageCounter::count(const Event& event) {
  const auto channel = channels_.find(event);
  if (!channel) {
    ++unknown_;
    return channel;
  }

  if (counts_.size() <= *channel)
    counts_.resize(*channel + 1);
  ++counts_[*channel];

  return channel;
}

void MessageCounter::add(const Event& event) {
  using enum EventKind;
  switch (event.kind) {
    case MpiSend:
    case MpiIsend: count(event); break;
    case MpiIrecvRequest:
    case MpiRequestCancelled: order_.add(event); break;
    case MpiRecv:
    case MpiIrecv: order_.add(event, 0, count(event)); break;
    default: break;
  }
}

MessageCounts MessageCounter::take() {
  order_.finish();
  MessageCounts found;
  for (std::size_t c = 0; c < counts_.size(); ++c)
    found.channels.emplace_back(channels_.ends()[c], counts_[c]);
  found.receive_places = std::move(order_.places());
  found.unknown = unknown_;

  return found;
}

namespace {

// Both ends of a channel.
struct ChannelUse {
  struct End {
    std::size_t locations = 0;
    std::uint64_t messages = 0;
  };
  End sends, receives;
  std::uint64_t first_number = 0;  // 0: not chosen yet, or none

  bool is_known() const {
    return sends.locations == 1 && receives.locations == 1 && sends.messages == receives.messages;
  }
};

}  // namespace

MessageLinks::MessageLinks(std::vector<MessageCounts> counts) : counts_(std::move(counts)) {
  std::unordered_map<Channel, ChannelUse, ChannelHash> uses;
  for (const auto& location : counts_) {
    unlinked_ += location.unknown;
    for (const auto& [end, messages] : location.channels) {
      auto& use = uses[end.channel];
      auto& of_end = end.receives ? use.receives : use.sends;
      ++of_end.locations;
      of_end.messages += messages;
    }
  }

  for (const auto& location : counts_) {
    auto& first = first_numbers_.emplace_back();
    for (const auto& [end, messages] : location.channels) {
      auto& use = uses[end.channel];
      if (!use.is_known()) {
        unlinked_ += messages;
      } else if (use.first_number == 0) {
        use.first_number = next_;
        next_ += messages;
      }
      first.push_back(use.first_number);
    }
  }
}

MessageNumbers::LinkEnd MessageNumbers::find(const Event& event) {
  const bool receives = receives_message(event.kind);
  const auto number = receives ? receives_++ : 0;
  const auto channel = channels_.find(event);
  if (!channel)
    return {};

  const auto& counts = links_.counts(place_);
  auto place = passed_[*channel]++;
  if (receives) {
    // Where it is among those of its channel as they were posted.
    const auto& places = counts.receive_places;
    while (passed_places_ < places.size() && places[passed_places_].first < number)
      ++passed_places_;
    if (passed_places_ < places.size() && places[passed_places_].first == number)
      place = places[passed_places_].second;
  }

  const auto& ends = counts.channels[*channel].first.channel;
  const auto first = links_.first_number(place_, *channel);
  return {first == 0 ? 0 : first + place, receives ? ends.sender : ends.receiver};
}

}  // namespace tracefold
