// What calls of MPI wait for, told once for all locations that make the same calls with the same
// records in them (pipeline/profile/record_hash.hpp): by the numbers of messages and collective
// operations, of which each location has its own.
//
// Times of waiting are those that LocationWaits finds by the records, of locations that receive
// messages in the order in which receives were posted (LocationMessages::are_in_order). Memory: 24
// bytes for each call that may wait, and 12 for each message or operation that it waits for.
#pragma once

#include "model/profile/metric.hpp"
#include "pipeline/messages/message_matcher.hpp"
#include "pipeline/messages/open_requests.hpp"
#include "pipeline/messages/wait_matcher.hpp"
#include "pipeline/messages/waiting_times.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// A value.
struct WaitScript {
  enum class Kind : std::uint32_t { receive, send, part };

  // What a call waits for: a message, or others in a collective operation.
  struct Reason {
    Kind kind = Kind::part;
    std::uint32_t number = 0;  // of the location's channel, or kind of operation, by first use
    std::uint32_t before = 0;  // how many the location had of these before
  };
  struct Call {
    std::uint64_t end = 0;              // its end, among all begins and ends of calls, from 0
    std::uint32_t reasons = 0;          // its own, in the list
    std::uint32_t iteration = outside;  // through all loops
    Metric time_metric = Metric::none;  // where its function's time goes
    bool sends_wait = false;            // whether its function may wait for receivers
  };
  static constexpr std::uint32_t outside = 0xffffffff;  // in no iteration

  std::vector<Call> calls;
  std::vector<Reason> reasons;  // of one call after the other
};

// Makes the script from the records of a location, in order. One thread. Memory: the script, and
// what open_requests.hpp says for sends that do not block.
class WaitScripter {
 public:
  // A record of a message, as the location numbers it, or of a request, in the innermost of so many
  // open calls; there is one.
  void add(const Event& event, MessageNumber message, std::size_t open_calls);
  // A part in a collective operation of a kind on a communicator, by its number; whether the
  // location may wait in it.
  void take_part(std::uint32_t operation, bool may_wait, std::size_t open_calls);
  // The innermost of so many open calls ends: each call of the location. `call` lacks what the
  // records tell.
  void end(std::size_t open_calls, WaitScript::Call call);
  // Call once, after the last.
  WaitScript take() && {
    script_.calls.shrink_to_fit();
    script_.reasons.shrink_to_fit();
    return std::move(script_);
  }
  // Of the script so far.
  std::uint64_t bytes() const {
    return script_.calls.size() * sizeof(WaitScript::Call) +
           script_.reasons.size() * sizeof(WaitScript::Reason);
  }

 private:
  struct OpenCall {
    std::size_t depth = 0;  // open calls, with this one
    std::size_t first = 0;  // of its own in reasons_
  };

  void add_reason(WaitScript::Kind kind, std::uint32_t number, std::uint32_t before,
                  std::size_t open_calls);

  WaitScript script_;
  std::vector<OpenCall> open_;               // that may wait, from the outermost on
  std::vector<WaitScript::Reason> reasons_;  // of open calls
  OpenRequests open_sends_;                  // channel, and how many before
  std::vector<std::uint32_t> parts_;         // so far, by number
};

// Tells the times of waiting of one location, call by call. One thread.
class ScriptedWaits {
 public:
  // The kinds of operations are those of the location by their numbers. All must stay.
  ScriptedWaits(const WaitMatcher& matcher, std::uint64_t location, const WaitScript& script,
                std::span<const CollectiveMatcher::Key> operations);

  // The next call of the script; null after the last.
  const WaitScript::Call* next() const {
    return call_ < script_.calls.size() ? &script_.calls[call_] : nullptr;
  }
  // What it was on this location, with times in ticks.
  std::array<WaitingTime, 2> end(std::uint64_t time, std::uint64_t inclusive,
                                 std::uint64_t exclusive);

  std::uint64_t impossible_messages() const { return impossible_messages_; }
  std::uint64_t impossible_collectives() const { return measure_.impossible_collectives(); }

 private:
  using Times = std::vector<std::uint64_t>;

  const WaitMatcher& matcher_;
  const WaitScript& script_;
  std::span<const CollectiveMatcher::Key> operations_;
  bool senders_, receivers_;           // whether these times are known
  std::vector<const Times*> times_;    // by channel: of its other end; null where it is not known
  std::vector<bool> are_known_;        // by kind of operation
  std::size_t call_ = 0, reason_ = 0;  // the next in the script
  WaitMeasure measure_;
  std::uint64_t impossible_messages_ = 0;
};

}  // namespace tracefold
