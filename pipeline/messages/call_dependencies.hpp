// What the calls of MPI of one process depend on: the messages that they receive, the receives of
// those that they send, and the collective operations in which they take part. A run is played
// again by these (pipeline/replay/replay.hpp).
//
// One location, one thread, its records in order. Memory: 8 to 16 bytes for each message and part.
#pragma once

#include "base/packed_pairs.hpp"
#include "base/packed_values.hpp"
#include "pipeline/messages/collective_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

struct Dependency {
  enum class Kind : std::uint8_t { sent, posted, meeting };

  Kind kind = Kind::sent;
  std::uint64_t call = 0;  // the number of the call among those of the process that communicate
  // The location that sent the message or posted its receive, and when its call was entered, in
  // ticks. Of a collective operation: when the last of those entered it that others wait for.
  std::uint64_t location = 0, time = 0;
  std::uint64_t bytes = 0;  // of a message
  // Of a collective operation: the number of its kind and communicator, its number among these, and
  // whether this process waits for others there, and others for it. One that does not block has two
  // of these: others wait for the call that begins it, and the call that ends it for others.
  std::size_t key = 0;
  std::uint64_t number = 0;
  bool waits = false, is_waited_for = false;
};

// A value.
class CallDependencies {
 public:
  bool empty() const { return packed_.empty(); }
  // Whether it was known of all messages that are received when they were sent.
  bool is_whole() const { return is_whole_; }
  // Kinds and communicators of collective operations, by number.
  const std::vector<CollectiveMatcher::Key>& keys() const { return keys_; }
  // Calls visit(dependency) for all, in the order of their records.
  template <class Visit>
  void visit(const Visit& visit) const {
    Dependency one;
    const auto* at = packed_.data();
    for (const auto* const end = at + packed_.size() - (empty() ? 0 : PackedPairs::beyond);
         at != end;) {
      const auto [kind_and_calls, place] = PackedPairs::take(at);
      const auto [time, size] = PackedPairs::take(at);
      one.kind = static_cast<Dependency::Kind>(kind_and_calls % kinds);
      one.call += from_signed(kind_and_calls / kinds);
      one.time += from_signed(time);
      const bool is_meeting = one.kind == Dependency::Kind::meeting;
      one.location = is_meeting ? 0 : place;
      one.key = static_cast<std::size_t>(is_meeting ? place / 4 : 0);
      one.waits = is_meeting && place % 2 == 1;
      one.is_waited_for = is_meeting && place / 2 % 2 == 1;
      one.bytes = is_meeting ? 0 : size;
      one.number = is_meeting ? size : 0;
      visit(one);
    }
  }

 private:
  friend class DependencyRecorder;
  friend auto list_members(Like<CallDependencies> auto& of) {
    return std::tie(of.packed_, of.keys_, of.is_whole_);
  }
  static constexpr std::uint64_t kinds = 4;

  // A difference with its sign in the lowest bit, which keeps it short.
  static constexpr std::uint64_t to_signed(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
  }
  static constexpr std::uint64_t from_signed(std::uint64_t value) {
    return value / 2 ^ (0 - value % 2);
  }

  // Of each two packed pairs: its kind with how many calls it is behind the one before, and its
  // location, or the kind of operation with what waits; how much later or earlier its time is than
  // that before, and its bytes or number. Then zeros that PackedPairs wants.
  std::string packed_;
  std::vector<CollectiveMatcher::Key> keys_;
  bool is_whole_ = true;
};

class DependencyRecorder {
 public:
  void add_send(std::uint64_t location, std::uint64_t time, std::uint64_t bytes) {
    add(Dependency::Kind::sent, calls_, location, time, bytes);
  }
  void add_post(std::uint64_t location, std::uint64_t time, std::uint64_t bytes) {
    add(Dependency::Kind::posted, calls_, location, time, bytes);
  }
  void add_unknown_send() { found_.is_whole_ = false; }
  // `begun`: the number of the call that began it, where that is another one.
  void add_meeting(const CollectiveMatcher::Key& key, std::uint64_t number, std::uint64_t time,
                   bool waits, bool is_waited_for, std::optional<std::uint64_t> begun);
  // The number of the call whose records come now.
  std::uint64_t calls() const { return calls_; }
  // The calls up to now are over: what comes belongs to the next one.
  void end_call() { ++calls_; }

  // Call once, after the last record.
  CallDependencies take();

 private:
  void add(Dependency::Kind kind, std::uint64_t call, std::uint64_t place, std::uint64_t time,
           std::uint64_t size);

  std::uint64_t calls_ = 0, last_call_ = 0, last_time_ = 0;
  std::map<CollectiveMatcher::Key, std::size_t> numbers_;
  PackedPairs packed_;
  CallDependencies found_;
};

}  // namespace tracefold
