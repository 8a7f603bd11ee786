// What one location waits for in its calls: takes its records, and tells at the end of each call
// which part of its time was waiting, and for what (wait_matcher.hpp).
//
// One location, one thread, its events in order. Memory: 8 bytes for each message that a call
// waits for, while it is open, what open_requests.hpp says for non-blocking sends.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/open_requests.hpp"
#include "pipeline/messages/wait_matcher.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

class LocationWaits {
 public:
  // The matcher must stay.
  LocationWaits(const WaitMatcher& matcher, std::uint64_t location);

  // Whether such records tell of any waiting.
  static constexpr bool may_wait(EventKind kind) {
    using enum EventKind;
    switch (kind) {
      case MpiRecv:
      case MpiIrecv:
      case MpiSend:
      case MpiIsend:
      case MpiIsendComplete:
      case MpiRequestCancelled:
      case MpiCollectiveEnd: return true;
      default: return false;
    }
  }

  // A record, while so many calls are open.
  void add(const Event& event, std::size_t open_calls);

  // Whether any call that is open may have waited.
  bool any() const { return !calls_.empty(); }

  struct Time {
    Metric metric = Metric::none;
    std::uint64_t ticks = 0;
  };
  struct Ended {
    std::uint64_t time;       // ticks
    std::uint64_t inclusive;  // ticks in the call
    std::uint64_t exclusive;  // and not in its callees
  };
  // The innermost of so many open calls ends. Its function's time goes to `time_metric`, and
  // `sends_wait` says whether it may wait for receivers. Times of 0 ticks are of no metric.
  std::array<Time, 2> end(const Ended& call, std::size_t open_calls, Metric time_metric,
                          bool sends_wait);

  // How many messages were received before they were sent.
  std::uint64_t impossible_messages() const { return messages_ ? messages_->impossible() : 0; }
  // How many collective operations ended before those entered them that they wait for.
  std::uint64_t impossible_collectives() const { return impossible_collectives_; }

 private:
  // What an open call waits for.
  struct Call {
    std::size_t depth = 0;              // open calls, with this one
    std::optional<std::uint64_t> sent;  // the last of the messages that it receives
    std::size_t posted = 0;             // the first of its own in posted_
    Metric collective = Metric::none;   // of its last collective operation
    std::uint64_t entered = 0;          // by those that the operation waits for
  };

  // Of a kind on a communicator.
  struct Operations {
    bool are_matched = false;
    std::uint64_t parts = 0;  // so far
  };

  Call& open(std::size_t open_calls);
  void receive(const Event& event, std::size_t open_calls);
  void send(const Event& event, std::size_t open_calls);
  void complete_send(const Event& event, std::size_t open_calls);
  void take_part(const CollectivePart& part, std::size_t open_calls);

  const WaitMatcher& matcher_;
  std::uint64_t location_;
  bool senders_, receivers_;  // whether these times are known
  std::optional<LocationMessageMatcher> messages_;
  OpenRequests open_sends_;            // when the receive was posted
  std::vector<std::uint64_t> posted_;  // the receives of messages that open calls send
  std::map<CollectiveMatcher::Key, Operations> operations_;
  std::vector<Call> calls_;  // open ones, from the outermost on
  std::uint64_t impossible_collectives_ = 0;
};

}  // namespace tracefold
