// The order in which a run is played: each process goes on until it depends on what comes later,
// and again when that is there. So it does not matter when that was in the recorded run, and what
// ends in the same tick waits for each other as well.
//
// Where all wait, which takes a circle of calls that end in one tick, or a damaged file, the one
// that began first goes on.
//
// One thread. Memory: 28 bytes for each collective operation, and some for each process.
#pragma once

#include "base/interrupt.hpp"
#include "pipeline/replay/replay.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// `Own` is derived from this, and has of the next segment of a process
//   bool is_over(process)                  whether there is none
//   std::uint64_t find_begin(process)      when it begins, by any clock that all share
//   bool waits_for(process, on)            whether it waits for one of its dependencies
//   void enter(process, meeting)           it takes part in an operation, in which others wait for
//   it void finish(process, dependencies)     it is played: those that are there do not change any
//   more
template <class Own>
class Replay::PlayOrder {
 public:
  void play() {
    for (std::uint32_t p = 0; p < at_.size(); ++p)
      next_.push_back(p);
    for (;;) {
      check_stop();
      if (!next_.empty()) {
        const auto process = next_.back();
        next_.pop_back();
        go_on(process, Must::wait);
      } else if (const auto first = find_first_blocked()) {
        go_on(*first, Must::go_on);
      } else {
        return;
      }
    }
  }

 protected:
  explicit PlayOrder(const Replay& replay) : replay_(replay) {}
  // Call once, when dependencies are known.
  void begin() {
    at_.resize(replay_.played_.size());
    missing_.resize(replay_.meetings_.size());
    waiting_.resize(missing_.size());
    for (const auto& played : replay_.played_)
      for (const auto& on : played.dependencies)
        if (on.is_meeting)
          missing_[on.place] += on.is_waited_for;
  }

  // The number of the next one.
  std::size_t segment(std::size_t process) const { return at_[process].segment; }
  bool is_there(const On& on) const {
    return on.is_meeting ? missing_[on.place] == 0 : on.place < at_[on.process].segment;
  }

 private:
  enum class Must : bool { wait, go_on };

  struct At {
    std::size_t segment = 0, call = 0;  // the next ones
    bool is_entered = false;            // the call, by which others may have waited
    bool is_blocked = false;
    // Who waits for which of its segments, the first one on top.
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::greater<>>
        waiting = {};
  };

  Own& own() { return static_cast<Own&>(*this); }

  std::optional<std::uint32_t> find_first_blocked() {
    std::optional<std::uint32_t> first;
    for (std::uint32_t p = 0; p < at_.size(); ++p)
      if (at_[p].is_blocked && (!first || own().find_begin(p) < own().find_begin(*first)))
        first = p;
    return first;
  }

  void go_on(std::uint32_t process, Must must) {
    auto& at = at_[process];
    at.is_blocked = false;
    for (; !own().is_over(process); must = Must::wait)
      if (const auto* missing = play_segment(process, must)) {
        at.is_blocked = true;
        if (missing->is_meeting)
          waiting_[missing->place].push_back(process);
        else
          at_[missing->process].waiting.emplace(missing->place, process);
        break;
      }
    while (!at.waiting.empty() && at.waiting.top().first < at.segment) {
      wake(at.waiting.top().second);
      at.waiting.pop();
    }
  }
  void wake(std::uint32_t process) {
    if (std::exchange(at_[process].is_blocked, false))
      next_.push_back(process);
  }

  // Null, or what it has to wait for.
  const On* play_segment(std::uint32_t process, Must must) {
    auto& at = at_[process];
    const auto& played = replay_.played_[process];
    const bool is_at_call =
        at.call < played.calls.size() && played.calls[at.call].segment == at.segment;
    const auto dependencies = is_at_call ? played.list(at.call) : std::span<const On>();
    if (!at.is_entered)
      for (const auto& on : dependencies)
        if (on.is_meeting && on.is_waited_for)
          enter(process, on.place);
    at.is_entered = true;
    if (must == Must::wait)
      for (const auto& on : dependencies)
        if (!is_there(on) && own().waits_for(process, on))
          return &on;
    own().finish(process, dependencies);
    ++at.segment;
    at.call += is_at_call;
    at.is_entered = false;
    return nullptr;
  }
  void enter(std::uint32_t process, std::uint32_t meeting) {
    own().enter(process, meeting);
    if (--missing_[meeting] == 0)
      for (const auto waiting : std::exchange(waiting_[meeting], {}))
        wake(waiting);
  }

  const Replay& replay_;
  std::vector<At> at_;
  std::vector<std::uint32_t> next_;  // that can go on
  // Of operations: how many others wait for that did not enter yet, and who waits.
  std::vector<std::uint32_t> missing_;
  std::vector<std::vector<std::uint32_t>> waiting_;
};

}  // namespace tracefold
