// Measures how one location waits in its calls: takes its records and, at the end of each call,
// returns which part of its time was waiting, and for whom (wait_matcher.hpp).
//
// One location, one thread, events in order. Memory: 24 bytes for each message that an open call
// waits for, 8 for each message that was sent after it was received; for non-blocking sends that of
// operation_cursor.hpp and 32 bytes.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/call_dependencies.hpp"
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

// The waiting time of a call, and for whom: the location of the MPI rank whose process came last.
struct WaitingTime {
  Metric metric = Metric::none;
  std::uint64_t ticks = 0;
  std::optional<std::uint64_t> waited_for = {};  // none if not known
  // The location of that process that was late.
  std::uint64_t late = 0;
  // When the waiting call was entered and left, and when the call was entered that ended the
  // waiting.
  std::uint64_t begin = 0, end = 0, until = 0;
};

// A call that ends. Times are in ticks.
struct EndedCall {
  std::uint64_t time = 0;             // of its end
  std::uint64_t inclusive = 0;        // in the call
  std::uint64_t exclusive = 0;        // without its callees
  Metric time_metric = Metric::none;  // the metric of its function's time
  bool sends_wait = false;            // whether the function may wait for receivers
};

class LocationWaits {
 public:
  // The matcher must outlive this.
  LocationWaits(const WaitMatcher& matcher, std::uint64_t location);
  // Call before the first record: records also what calls depend on. It must outlive this.
  void record_dependencies(DependencyRecorder& to) { dependencies_ = &to; }

  // Whether records of this kind may cause waiting.
  static constexpr bool may_wait(EventKind kind) {
    using enum EventKind;
    switch (kind) {
      case MpiRecv:
      case MpiIrecv:
      case MpiSend:
      case MpiIsend:
      case MpiIsendComplete:
      case MpiRequestCancelled:
      case NonBlockingCollectiveRequest:
      case NonBlockingCollectiveComplete:
      case RmaCollectiveEnd:
      case MpiCollectiveEnd: return true;
      default: return false;
    }
  }

  // Adds a record, with the number of open calls.
  void add(const Event& event, std::size_t open_calls);

  // Whether a call that ends now, or one around it, may have waited.
  bool may_have_waited() const { return !calls_.empty(); }

  // Ends the innermost of `open_calls` open calls. Returned times without ticks have no metric.
  std::array<WaitingTime, 2> end(const EndedCall& call, std::size_t open_calls);

  // Number of messages that were sent after the end of the call that received them.
  std::uint64_t impossible_messages() const { return impossible_messages_; }
  // Number of collective operations that ended before others entered them for whom they wait.
  std::uint64_t impossible_collectives() const { return impossible_collectives_; }

 private:
  // The other end of a message.
  struct Peer {
    std::uint64_t communicator = 0, rank = 0;
    std::uint64_t location = 0;  // of that rank, which sent or receives
  };
  // The receive of a message.
  struct Post {
    std::uint64_t time = 0;  // 0: not known
    std::uint64_t bytes = 0;
    Peer receiver;
  };

  // What an open call waits for.
  struct Call {
    std::size_t depth = 0;                   // open calls, with this one
    std::size_t posted = 0, sent_later = 0;  // the first of its own in posted_ and sent_later_
    std::uint64_t sent = 0;                  // the latest of the messages that it receives
    Peer sender;                             // of that message
    Metric collective = Metric::none;        // the metric of its last collective operation
    std::uint64_t entered = 0;               // when those entered that it waits for there
    std::uint64_t last = 0;                  // the last location of these
  };

  // The operations of one kind on one communicator.
  struct Operations {
    bool are_matched = false;
    std::uint64_t parts = 0;  // so far
  };

  Call& open(std::size_t open_calls);
  // The last posted of the receives of messages that an ending call sent.
  Post take_last_post(const Call& call, std::uint64_t end);
  std::optional<std::uint64_t> find_location(const Peer& peer) const;
  void count_sent_later(const Call& call, std::uint64_t end);
  void receive(const Event& event, std::size_t open_calls);
  void send(const Event& event, std::size_t open_calls);
  void take_part(const Event& event, std::size_t open_calls);

  const WaitMatcher& matcher_;
  std::uint64_t location_;
  bool senders_, receivers_;  // whether these times are known
  DependencyRecorder* dependencies_ = nullptr;
  std::optional<LocationMessageMatcher> messages_;
  OperationCursor sends_;                  // numbered by index in `sent_`
  std::vector<Post> sent_;                 // receives of messages whose sends are not complete
  std::vector<std::size_t> free_;          // unused indexes of it
  std::vector<Post> posted_;               // receives of messages that open calls send
  std::vector<std::uint64_t> sent_later_;  // messages that open calls received before
  std::map<CollectiveMatcher::Key, Operations> operations_;
  CollectiveRequests requests_;  // the numbers of calls that began them, as dependencies have them
  std::vector<Call> calls_;      // open ones, from the outermost on
  std::uint64_t impossible_messages_ = 0, impossible_collectives_ = 0;
};

}  // namespace tracefold
