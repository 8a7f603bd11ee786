// Clean events of a location of an accelerator, where calls do not call each other: kernels and
// copies that run at the same time overlap, or one lasts longer than the other. So a Leave closes
// the oldest open call of the region that it names, and each call has all of its time.
//
// Sinks get one call after the other, ordered by begin. A call that begins while another one is
// open waits until that has ended; then `skip_time` takes the sink back to the begin of the call:
//
//   recorded:  enter a at 100, enter b at 150, leave a at 300, leave b at 800
//   passed on: enter a at 100, leave a at 300, back to 150, enter b at 150, leave b at 800
//
// Where very many calls wait for one, they are passed on inside of it. Other rules are those of
// clean_events.hpp. One location, one thread. Memory: 48 bytes for each call that waits.
#pragma once

#include "pipeline/events/clean_events.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

template <CleanEventSink Next>
class StreamCalls {
 public:
  StreamCalls(const FunctionTable& functions, Next& next) : functions_(functions), next_(next) {}
  StreamCalls(const StreamCalls&) = delete;
  StreamCalls& operator=(const StreamCalls&) = delete;

  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute>) {
    time = advance(time);
    const auto entry = functions_.find(region);
    if (entry.is_dropped()) {
      oddities_.calls_of_undefined_regions += entry.function == virtual_root;
      return;
    }

    calls_.push_back({time, region, entry.function, std::nullopt});
    ++running_;
    if (calls_.size() == 1)
      pass_enter(calls_.front());
    const auto held = std::find(held_.begin(), held_.end(), entry.function);
    if (held != held_.end()) {
      held_.erase(held);
      end_call(calls_.size() - 1, time, region);
    } else if (calls_.size() > most_waiting) {
      pass_on_inside();
    }
  }

  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute>) {
    time = advance(time);
    const auto entry = functions_.find(region);
    if (entry.is_dropped())
      return;
    const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const Call& call) {
      return call.function == entry.function && !call.end;
    });
    if (found == calls_.end())
      held_.push_back(entry.function);
    else
      end_call(static_cast<std::size_t>(found - calls_.begin()), time, region);
  }

  void other(Event& event) {
    event.time = passed_ = advance(event.time);
    next_.other(event);
  }
  void unknown(std::uint64_t time) { next_.unknown(passed_ = advance(time)); }
  bool wants(EventKind kind) const { return wants_fields(next_, kind); }

  // Call once, after the last event.
  void finish() {
    forget_held();
    for (auto& call : calls_)
      if (!call.end) {
        ++oddities_.calls_open_at_end;
        call.end = last_;
      }
    pass_on();
  }

  // The times of the first and the last record, in ticks; 0 without records.
  std::uint64_t first_time() const { return first_.value_or(0); }
  std::uint64_t last_time() const { return last_; }
  const SetAsideTimes& set_aside() const { return set_aside_; }
  // Complete after finish().
  const CallOddities& oddities() const { return oddities_; }

 private:
  static constexpr std::size_t most_waiting = 4096;

  struct Call {
    std::uint64_t begin = 0;
    std::uint64_t region = 0;
    FunctionIndex function = virtual_root;
    std::optional<std::uint64_t> end;  // none: open
  };

  std::uint64_t advance(std::uint64_t time) {
    if (!first_)
      first_ = time;
    if (time < last_) {
      ++oddities_.backward_times;
      return last_;
    }
    if (time > last_) {
      forget_held();
      if (running_ > 1)
        set_aside_.overlaps.add({last_, time}, (running_ - 1) * (time - last_));
    }
    return last_ = time;
  }

  // No Enter of the same time has followed.
  void forget_held() {
    oddities_.leaves_without_enter += held_.size();
    held_.clear();
  }

  void end_call(std::size_t place, std::uint64_t time, std::uint64_t region) {
    calls_[place].end = time;
    calls_[place].region = region;
    --running_;
    if (place == 0)
      pass_on();
  }

  // Passes on all calls that have ended, up to the first that is open; that is entered.
  void pass_on() {
    while (!calls_.empty() && calls_.front().end) {
      pass_leave(calls_.front());
      calls_.pop_front();
      if (!calls_.empty())
        pass_enter(calls_.front());
    }
  }

  // Passes on the calls that have ended inside of the first one, which keeps all of its time.
  void pass_on_inside() {
    const auto caller = calls_.front().function;
    passed_ = last_;
    for (auto call = calls_.begin() + 1; call != calls_.end(); ++call)
      if (call->end) {
        go_to(call->begin);
        pass_enter(*call, caller);
        pass_leave(*call);
      }
    go_to(last_);
    calls_.erase(std::remove_if(calls_.begin() + 1, calls_.end(),
                                [](const Call& call) { return call.end.has_value(); }),
                 calls_.end());
  }

  void go_to(std::uint64_t time) {
    skip_time_of(next_, {passed_, time});
    passed_ = time;
  }
  void pass_enter(const Call& call, FunctionIndex caller = virtual_root) {
    if (call.begin < passed_)
      go_to(call.begin);
    passed_ = call.begin;
    next_.enter(CallBegin{call.begin, call.region, call.function, caller}, {});
  }
  void pass_leave(const Call& call) {
    const auto ticks = *call.end - call.begin;
    passed_ = *call.end;
    next_.leave(CallEnd{*call.end, call.region, call.function, ticks, ticks}, {});
  }

  const FunctionTable& functions_;
  Next& next_;
  std::deque<Call> calls_;           // that are not passed on; of the first one, only the Enter
  std::uint64_t running_ = 0;        // calls that are open
  std::uint64_t passed_ = 0;         // time of what was passed on last
  std::vector<FunctionIndex> held_;  // of Leaves at last_ that fit no open call
  std::optional<std::uint64_t> first_;
  std::uint64_t last_ = 0;
  SetAsideTimes set_aside_;
  CallOddities oddities_;
};

}  // namespace tracefold
