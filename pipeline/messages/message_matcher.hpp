// Matches the messages of a trace: tells a location that receives a message when it was sent, and a
// location that sends a message when its receive was posted. First, a pass (wait_matcher.hpp)
// collects the necessary times of each process; then each location is matched while its events are
// read again.
//
// A rank means a process, and any of its locations may send or receive for it. Where several use
// one channel, their messages are ordered by when their calls were entered, as MPI orders sends and
// receives that follow each other. MPI does not order those of calls that overlap: these may be
// matched with each other's.
//
// Memory: 8 bytes for each message that is sent and, if times of posting are wanted, for each that
// is received, and 20 more where several locations use its channel; for receives that of
// receive_order.hpp.
//
// Source: dynamics 1.5 and 3.3 (late senders need both ends of a message); Scalasca 2.6,
// performance properties (late sender, late receiver); MPI 4.0, 3.5 (order of messages of threads).
#pragma once

#include "pipeline/messages/channel.hpp"
#include "pipeline/messages/location_channels.hpp"
#include "pipeline/messages/receive_order.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;

// What one location knows of its messages. A value. Times are in ticks and those of the call that
// sends or posts, or of the record without a recorded call.
struct LocationMessages {
  using Times = std::unordered_map<Channel, std::vector<std::uint64_t>, ChannelHash>;

  Times send_times;  // in order of sending
  Times post_times;  // in order of posting; only completed receives
  std::vector<std::pair<ChannelEnd, std::uint64_t>> ends;  // number of messages on each channel
  ReceiveOrder::Places receive_places;  // of receives, in the order of their channels
  std::uint64_t unknown = 0;            // number of messages with an unknown channel
  // Number of non-blocking receives that were posted, and of those that completed.
  std::uint64_t posts = 0, completed_posts = 0;
};
auto list_members(Like<LocationMessages> auto& messages) {
  return std::tie(messages.send_times, messages.post_times, messages.ends, messages.receive_places,
                  messages.unknown, messages.posts, messages.completed_posts);
}

// Thread-safe after finish().
class MessageMatcher {
 public:
  // Both must outlive this. The plan must have profiles.
  MessageMatcher(const Definitions& definitions, const Plan& plan);

  // The processes with messages, as ascending indexes.
  const std::vector<std::size_t>& processes() const { return processes_; }
  // Those at an end of a channel, ascending; empty if there are none. May be called at any time.
  std::span<const std::size_t> find_processes(std::uint64_t endpoint) const {
    const auto found = by_endpoint_.find(endpoint);
    return found == by_endpoint_.end() ? std::span<const std::size_t>() : found->second;
  }
  // Whether other locations have messages of its MPI rank, too. Then times of posting are needed.
  bool is_one_of_several(std::size_t process) const;

  // Call for each of these processes; in a team, for those that this member knows something of
  // (deal_messages.hpp).
  void add(std::size_t process, LocationMessages messages);
  // Call once, when all were added.
  void finish();

  // How many messages of a process are matched, and how many are not.
  struct Counts {
    std::uint64_t matched = 0, unmatched = 0;
  };
  Counts count(const LocationMessages& messages) const;

  // Whether the processes at both ends of a channel are matched. May be called at any time.
  bool matches(const Channel& channel) const {
    return by_endpoint_.contains(channel.sender) && by_endpoint_.contains(channel.receiver);
  }
  const Definitions& definitions() const { return definitions_; }

  // The messages of a location; null if it has none, or this member of a team knows nothing of
  // them.
  const LocationMessages* find_messages(std::uint64_t location) const {
    const auto found = messages_.find(location);
    return found == messages_.end() ? nullptr : &found->second;
  }

  // The times at which an end of a channel sent messages or posted receives, in order, and which
  // location did.
  struct Times {
    const std::vector<std::uint64_t>* times = nullptr;  // null: not known
    std::uint64_t location = 0;
    const std::vector<std::uint64_t>* locations = nullptr;  // of each; null: all of one
  };
  Times find_times(const ChannelEnd& end) const;
  // The places of a location's own messages among all of its end of a channel; null if all are its
  // own.
  const std::vector<std::uint32_t>* find_places(std::uint64_t location,
                                                const ChannelEnd& end) const;

  // The (sender, receiver) pairs of all channels with messages, ascending and distinct. In a team,
  // no member knows all of them.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> list_neighbours() const;

 private:
  // What several locations of a process sent or posted.
  struct SharedEnd {
    std::vector<std::uint64_t> times, locations;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places;  // by location
  };
  static const LocationMessages::Times& get_times(const LocationMessages& messages, bool receives) {
    return receives ? messages.post_times : messages.send_times;
  }
  void share(const std::vector<std::size_t>& processes, bool receives);

  const Definitions& definitions_;
  const Plan& plan_;
  std::vector<std::size_t> processes_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_endpoint_;
  std::unordered_map<std::uint64_t, LocationMessages> messages_;  // by location; of a team, some
  std::unordered_map<ChannelEnd, SharedEnd, ChannelHash> shared_;
};

// Collects the messages of one location. One thread, records in order.
class MessageCollector {
 public:
  // The definitions must outlive this.
  MessageCollector(const Definitions& definitions, std::uint64_t location, bool wants_posts)
      : channels_(definitions, location), order_(wants_posts) {}

  // Adds any record, with the time when its call was entered.
  void add(const Event& event, std::uint64_t entered);
  // Call once, after the last event.
  LocationMessages take();

 private:
  void send(const Event& event, std::uint64_t entered);
  void receive(const Event& event, std::uint64_t entered);
  std::optional<std::uint32_t> count(const Event& event);

  LocationChannels channels_;
  std::vector<std::uint64_t> counts_;                   // by channel: number of messages
  std::vector<std::vector<std::uint64_t>> send_times_;  // by channel
  ReceiveOrder order_;
  LocationMessages found_;
};

// Matches the messages of one location. One thread; each record of a message once, in order.
class LocationMessageMatcher {
 public:
  // The matcher must outlive this.
  LocationMessageMatcher(const MessageMatcher& matcher, std::uint64_t location)
      : matcher_(matcher),
        location_(location),
        own_(matcher.find_messages(location)),
        channels_(matcher.definitions(), location) {}

  // The other end of a message: when the call was entered that sent it or posted its receive, in
  // ticks, and the location that did. (An optional one would be returned through memory.)
  struct OtherEnd {
    const std::uint64_t* time = nullptr;  // null: not known
    std::uint64_t location = 0;
  };
  // Of an MpiRecv or MpiIrecv, and of an MpiSend or MpiIsend.
  OtherEnd find_send(const Event& receive);
  OtherEnd find_post(const Event& send);

 private:
  // What the other end of a channel recorded.
  struct Partner {
    MessageMatcher::Times of;
    const std::vector<std::uint32_t>* own_places = nullptr;
    std::uint32_t messages = 0;  // number so far
    bool is_known = false;
  };
  // Null if nothing is known of the channel.
  Partner* find_partner(const Event& event);
  // `place`: of the message among those of its channel that this location sends or receives.
  static OtherEnd find(const Partner& partner, std::size_t place);

  const MessageMatcher& matcher_;
  std::uint64_t location_;
  const LocationMessages* own_;
  LocationChannels channels_;
  std::vector<Partner> partners_;  // by channel
  std::uint64_t receives_ = 0;
  std::size_t passed_places_ = 0;  // of `own_`, those of receives before the next one
};

}  // namespace tracefold
