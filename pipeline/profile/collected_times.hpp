// How long locations took in iterations, collected while their events are read for other aims, by
// scripts of what locations like them do (call_script.hpp): so they need not be read once more
// where they turn out to do the same, and their iterations to be those of the script.
//
// Memory: 4 bytes for each metric of time in each iteration, 16 where these are not enough, and 24
// for each call that may wait.
#pragma once

#include "pipeline/events/clean_events.hpp"
#include "pipeline/profile/call_script.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// By the number of events that a location has: locations with as many may do the same.
using CallScripts = std::map<std::uint64_t, CallScript>;

// Of one location. A value.
struct CollectedTimes {
  struct Waited {
    std::uint64_t end = 0, inclusive = 0, exclusive = 0;  // ticks
  };
  // What of a number of ticks has no room in the lower 32 bits.
  struct High {
    std::size_t place = 0;  // in `ticks`
    std::uint64_t ticks = 0;
  };

  const CallScript* script = nullptr;
  std::vector<std::uint32_t> ticks;  // by iteration and slot, but without no_slot: the lower bits
  std::vector<High> high;            // by place; of few
  std::vector<Waited> waited;        // by call of the script that may wait

  // Without those in `high`.
  static std::uint64_t count_bytes(const CallScript& script) {
    return script.iterations.size() * (script.slots.size() - 1) * sizeof(std::uint32_t) +
           script.waits.calls.size() * sizeof(Waited);
  }
};

// Collects them. A sink of clean events; one location, one thread.
class TimesCollector {
 public:
  // The script must stay; it has steps.
  explicit TimesCollector(const CallScript& script);
  TimesCollector(const TimesCollector&) = delete;
  TimesCollector& operator=(const TimesCollector&) = delete;

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    spend(call.time);
    if (++step_ == next_) [[unlikely]]
      follow(nullptr);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    spend(call.time);
    if (++step_ == next_) [[unlikely]]
      follow(&call);
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}

  // Call once, after the last event. None where the location has other calls for sure; that it has
  // the same ones, only a hash of calls shows.
  std::optional<CollectedTimes> take() &&;

 private:
  [[gnu::always_inline]] void spend(std::uint64_t time) {
    ticks_[*step_] += time - last_;
    last_ = time;
  }
  // Does what the script says at the step before, which may be the end of a call.
  void follow(const CallEnd* end);
  void end_iterations_before(std::size_t iteration);
  void find_next();

  const CallScript& script_;
  CollectedTimes found_;
  std::vector<std::uint64_t> ticks_;  // of this iteration, by slot
  std::uint64_t last_ = 0;            // time
  const std::uint8_t* step_;          // the next, and where follow() is called
  const std::uint8_t* next_ = nullptr;
  std::size_t mark_ = 0;  // the next
};

}  // namespace tracefold
