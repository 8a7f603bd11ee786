// What one location waits for in its calls: takes its records, and tells at the end of each call
// which part of its time was waiting, and for what (wait_matcher.hpp).
//
// One location, one thread, its events in order. Memory: 24 bytes for each message that a call
// waits for, while it is open, and 8 for each that was sent after it was received; what
// operation_cursor.hpp says for non-blocking sends, and 32 bytes more.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/operation_cursor.hpp"
#include "pipeline/messages/wait_matcher.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// Part of a call's time that was waiting, and for which location: the one that MPI's ranks mean, of
// the process that came last.
struct WaitingTime {
  Metric metric = Metric::none;
  std::uint64_t ticks = 0;
  std::optional<std::uint64_t> waited_for = {};  // none where it is not known
  // The location of that process which did what was waited for, where that is known; else the same.
  std::uint64_t late = 0;
  // When the call was entered and left in which it was waited, and the one that ended that.
  std::uint64_t begin = 0, end = 0, until = 0;
};

// A call that ends. Times are in ticks.
struct EndedCall {
  std::uint64_t time = 0;             // of its end
  std::uint64_t inclusive = 0;        // in the call
  std::uint64_t exclusive = 0;        // and not in its callees
  Metric time_metric = Metric::none;  // where its function's time goes
  bool sends_wait = false;            // whether its function may wait for receivers
};

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

  // Whether a call that ends now may have waited, or one around it.
  bool may_have_waited() const { return !calls_.empty(); }

  // The innermost of so many open calls ends. Times of 0 ticks are of no metric.
  std::array<WaitingTime, 2> end(const EndedCall& call, std::size_t open_calls);

  // How many messages were sent after the call had ended that received them.
  std::uint64_t impossible_messages() const { return impossible_messages_; }
  // How many collective operations ended before those entered them that they wait for.
  std::uint64_t impossible_collectives() const { return impossible_collectives_; }

 private:
  // The other end of a message.
  struct Peer {
    std::uint64_t communicator = 0, rank = 0;
  };
  // The receive of a message.
  struct Post {
    std::uint64_t time = 0;  // 0: none is known
    Peer receiver;
  };

  // What an open call waits for.
  struct Call {
    std::size_t depth = 0;                   // open calls, with this one
    std::size_t posted = 0, sent_later = 0;  // the first of its own in posted_ and sent_later_
    std::uint64_t sent = 0;                  // the last of the messages that it receives
    Peer sender;                             // of that one
    Metric collective = Metric::none;        // of its last collective operation
    std::uint64_t entered = 0;               // by those that its operations wait for
    std::uint64_t last = 0;                  // which location of them was the last
  };

  // The operations of one kind on one communicator.
  struct Operations {
    bool are_matched = false;
    std::uint64_t parts = 0;  // so far
  };

  Call& open(std::size_t open_calls);
  // The last receive that was posted of the messages that an ending call sent.
  Post take_last_post(const Call& call, std::uint64_t end);
  std::optional<std::uint64_t> find_location(const Peer& peer) const;
  void count_sent_later(const Call& call, std::uint64_t end);
  void receive(const Event& event, std::size_t open_calls);
  void send(const Event& event, std::size_t open_calls);
  void take_part(const CollectivePart& part, std::size_t open_calls);

  const WaitMatcher& matcher_;
  std::uint64_t location_;
  bool senders_, receivers_;  // whether these times are known
  std::optional<LocationMessageMatcher> messages_;
  OperationCursor sends_;                  // numbered by their places in `sent_`
  std::vector<Post> sent_;                 // receives of messages whose sending is not complete
  std::vector<std::size_t> free_;          // places in it that are not in use
  std::vector<Post> posted_;               // the receives of messages that open calls send
  std::vector<std::uint64_t> sent_later_;  // messages that open calls received before
  std::map<CollectiveMatcher::Key, Operations> operations_;
  std::vector<Call> calls_;  // open ones, from the outermost on
  std::uint64_t impossible_messages_ = 0, impossible_collectives_ = 0;
};

}  // namespace tracefold
