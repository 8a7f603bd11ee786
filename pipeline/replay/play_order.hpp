// The order in which a run is played: each process goes on until it depends on what comes later,
// and again when that is there. So it does not matter when that was in the recorded run, and what
// ends in the same tick waits for each other as well.
//
// Where all wait, since calls that end in one tick seem to wait for each other, or a file is
// damaged, the one that began first goes on, with what is there.
//
// One thread. Memory: 28 bytes for each collective operation, and some for each process; 16 for
// each time that one has to wait, once all did.
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
//
// - bool is_over(process): whether there is none;
// - std::uint64_t find_begin(process): when it begins, by any clock that all share;
// - bool waits_for(process, on): whether it waits for one of its dependencies;
// - void enter(process, meeting): it takes part in an operation, in which others wait for it;
// - void finish(process, dependencies): it is played.
template <class Own>
class Replay::PlayOrder {
 public:
  void play() {
    for (std::uint32_t p = 0; p < turns_.size(); ++p)
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
    turns_.resize(replay_.played_.size());
    missing_.resize(replay_.meetings_.size());
    waiting_.resize(missing_.size());
    for (const auto& played : replay_.played_)
      for (const auto& on : played.dependencies)
        if (on.is_meeting)
          missing_[on.place] += on.is_waited_for;
  }

  // The number of the next one.
  std::size_t segment(std::size_t process) const { return turns_[process].segment; }
  bool is_there(const On& on) const {
    return on.is_meeting ? missing_[on.place] == 0 : on.place < turns_[on.process].segment;
  }

 private:
  enum class Must : bool { wait, go_on };

  // With processes, the least on top.
  template <class Number>
  using Queue = std::priority_queue<std::pair<Number, std::uint32_t>,
                                    std::vector<std::pair<Number, std::uint32_t>>, std::greater<>>;
  struct Turn {
    std::size_t segment = 0, call = 0;  // the next ones
    bool is_entered = false;            // the call, by which others may have waited
    bool is_blocked = false;
    // Who waits for which of its segments, the first one on top.
    Queue<std::uint32_t> waiting = {};
  };

  Own& own() { return static_cast<Own&>(*this); }

  std::optional<std::uint32_t> find_first_blocked() {
    if (!std::exchange(has_forced_, true))
      for (std::uint32_t p = 0; p < turns_.size(); ++p)
        if (turns_[p].is_blocked)
          blocked_.emplace(own().find_begin(p), p);
    while (!blocked_.empty()) {
      const auto [begin, process] = blocked_.top();
      blocked_.pop();
      if (turns_[process].is_blocked && own().find_begin(process) == begin)
        return process;
    }
    return std::nullopt;
  }

  void go_on(std::uint32_t process, Must must) {
    auto& turn = turns_[process];
    turn.is_blocked = false;
    for (; !own().is_over(process); must = Must::wait)
      if (const auto* missing = play_segment(process, must)) {
        turn.is_blocked = true;
        if (has_forced_)
          blocked_.emplace(own().find_begin(process), process);
        if (missing->is_meeting)
          waiting_[missing->place].push_back(process);
        else
          turns_[missing->process].waiting.emplace(missing->place, process);
        break;
      }
    while (!turn.waiting.empty() && turn.waiting.top().first < turn.segment) {
      wake(turn.waiting.top().second);
      turn.waiting.pop();
    }
  }
  void wake(std::uint32_t process) {
    if (std::exchange(turns_[process].is_blocked, false))
      next_.push_back(process);
  }

  // Null, or what it has to wait for.
  const On* play_segment(std::uint32_t process, Must must) {
    auto& turn = turns_[process];
    const auto& played = replay_.played_[process];
    const bool is_at_call =
        turn.call < played.calls.size() && played.calls[turn.call].segment == turn.segment;
    const auto dependencies = is_at_call ? played.list(turn.call) : std::span<const On>();
    if (!turn.is_entered)
      for (const auto& on : dependencies)
        if (on.is_meeting && on.is_waited_for)
          enter(process, on.place);
    turn.is_entered = true;
    if (must == Must::wait)
      for (const auto& on : dependencies)
        if (!is_there(on) && own().waits_for(process, on))
          return &on;
    own().finish(process, dependencies);
    ++turn.segment;
    turn.call += is_at_call;
    turn.is_entered = false;
    return nullptr;
  }
  void enter(std::uint32_t process, std::uint32_t meeting) {
    own().enter(process, meeting);
    if (--missing_[meeting] == 0)
      for (const auto waiting : std::exchange(waiting_[meeting], {}))
        wake(waiting);
  }

  const Replay& replay_;
  std::vector<Turn> turns_;
  std::vector<std::uint32_t> next_;  // that can go on
  bool has_forced_ = false;          // one to go on
  Queue<std::uint64_t> blocked_;     // then: since when, and who; some went on since
  // Of operations: how many others wait for that did not enter yet, and who waits.
  std::vector<std::uint32_t> missing_;
  std::vector<std::vector<std::uint32_t>> waiting_;
};

}  // namespace tracefold
