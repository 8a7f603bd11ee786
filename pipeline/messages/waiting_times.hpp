// Which part of a call's time was waiting, from what it waited for: see wait_matcher.hpp.
#pragma once

#include "model/profile/metric.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace tracefold {

struct WaitingTime {
  Metric metric = Metric::none;
  std::uint64_t ticks = 0;
};

// A call of MPI. Times are in ticks.
struct EndedCall {
  std::uint64_t time = 0;             // of its end
  std::uint64_t inclusive = 0;        // in the call
  std::uint64_t exclusive = 0;        // and not in its callees
  Metric time_metric = Metric::none;  // where its function's time goes
  bool sends_wait = false;            // whether its function may wait for receivers
};

// What it waited for. Times are in ticks.
struct WaitedFor {
  std::optional<std::uint64_t> sent = {};  // the last of the messages that it received
  std::uint64_t posted = 0;  // the last receive of the messages that it sent; 0: none is known
  Metric collective = Metric::none;  // of its last collective operation
  std::uint64_t entered = 0;         // by the last of those that its operations wait for

  void receive(std::uint64_t sent_at) { sent = std::max(sent.value_or(0), sent_at); }
  // A receive that was posted after the call is none that it waited for: the message was buffered.
  void send(std::uint64_t posted_at, std::uint64_t end) {
    if (posted_at < end)
      posted = std::max(posted, posted_at);
  }
};

// One location, one thread.
class WaitMeasure {
 public:
  explicit WaitMeasure(bool knows_senders) : knows_senders_(knows_senders) {}

  // Times of 0 ticks are of no metric.
  std::array<WaitingTime, 2> measure(const EndedCall& call, const WaitedFor& waited_for) {
    std::array<WaitingTime, 2> out;
    const auto begin = call.time - call.inclusive;
    const auto find_ticks = [&](std::uint64_t until) {
      until = std::min(until, call.time);
      return until > begin ? std::min(until - begin, call.exclusive) : 0;
    };

    if (waited_for.collective != Metric::none &&
        get_entry(waited_for.collective).parent == call.time_metric) {
      impossible_collectives_ += waited_for.entered > call.time;
      if (const auto ticks = find_ticks(waited_for.entered))
        out[0] = {waited_for.collective, ticks};
    }
    if (call.time_metric != Metric::mpi_point_to_point_time)
      return out;

    const auto for_senders = find_ticks(waited_for.sent.value_or(0));
    if (for_senders > 0 && knows_senders_)
      out[0] = {Metric::mpi_late_sender_time, for_senders};

    const auto for_all = find_ticks(waited_for.posted);
    if (call.sends_wait && for_all > for_senders)
      out[1] = {Metric::mpi_late_receiver_time, for_all - for_senders};

    return out;
  }

  // How many collective operations ended before those entered them that they wait for.
  std::uint64_t impossible_collectives() const { return impossible_collectives_; }

 private:
  bool knows_senders_;
  std::uint64_t impossible_collectives_ = 0;
};

}  // namespace tracefold
