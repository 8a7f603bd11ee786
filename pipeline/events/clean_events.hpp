// Clean events: the calls of a location are nested, times are ascending, and what filters drop is
// left out. All passes read events through CleanEvents, so that they see the same calls.
//
// A time that steps back is set to the last one. A Leave without an open call is dropped; one that
// names another region than the innermost open call keeps its region and closes that call. Calls
// that are open at the end are closed at the last time. If a region is dropped, its callees belong
// to its caller. A Leave that fits no open call, followed by an Enter of the same region at the
// same time, is a call of length zero whose records were sorted wrongly, as by GPU profilers: it
// becomes Enter and Leave.
//
// Time in which the recorder does not measure, since recording is off or since it writes its buffer
// to a file, is in no CallEnd::exclusive. A sink that follows time by itself has a function
// `skip_time`, which is called at the end of such time, before the next event.
//
// One location, one thread.
#pragma once

#include "base/error.hpp"
#include "model/iterations/spread_ticks.hpp"
#include "otf2/event.hpp"
#include "otf2/measurement_modes.hpp"
#include "pipeline/events/function_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

struct CallBegin {
  std::uint64_t time;    // ticks
  std::uint64_t region;  // as recorded
  FunctionIndex function;
  FunctionIndex caller;  // the virtual root without another open call
  // False if it comes from a record of a calling context and not from an Enter (context_calls.hpp).
  bool is_recorded = true;
};

struct CallEnd {
  std::uint64_t time;
  std::uint64_t region;
  FunctionIndex function;
  std::uint64_t inclusive;  // ticks from its begin to its end
  std::uint64_t exclusive;  // ticks in the call without its callees, while the recorder measures
  bool is_recorded = true;  // by a Leave
};

// Receives clean events in the order of the location's records: `enter` and `leave` for calls (each
// `leave` ends the innermost open call), `other` for any other record, which the sink may change,
// and `unknown` for a record of a kind that later versions of OTF2 add, or that the sink does not
// want (see EventSink). Exceptions pass through.
template <class Sink>
concept CleanEventSink = requires(Sink& sink, const CallBegin& begin, const CallEnd& end,
                                  std::span<const Attribute> attributes, Event& event,
                                  std::uint64_t time) {
  sink.enter(begin, attributes);
  sink.leave(end, attributes);
  sink.other(event);
  sink.unknown(time);
};

// Time that belongs to no call, in ticks. `to` is before `from` where a sink has to go back
// (stream_calls.hpp).
struct SkippedTime {
  std::uint64_t from, to;
  bool is_flush = false;  // the recorder writes its buffer to a file
};

// Tells a sink of it that follows time by itself.
template <class Sink>
void skip_time_of(Sink& sink, const SkippedTime& time) {
  if constexpr (requires { sink.skip_time(time); })
    sink.skip_time(time);
}

// How often the records of a location were irregular. Plain data.
struct CallOddities {
  std::uint64_t backward_times = 0;        // set to the time before
  std::uint64_t leaves_without_enter = 0;  // dropped
  std::uint64_t overlapping_calls = 0;     // a Leave names another region than the open call
  std::uint64_t first_overlap = 0;         // times of the first and last such Leave, if any
  std::uint64_t last_overlap = 0;
  std::uint64_t calls_open_at_end = 0;           // closed at the last time
  std::uint64_t calls_of_undefined_regions = 0;  // dropped

  void warn(Diagnostics& diagnostics, std::uint64_t location) const;
};

template <CleanEventSink Next>
class CleanEvents {
 public:
  CleanEvents(const FunctionTable& functions, Next& next)
      : functions_(functions),
        entries_(functions.entries()),
        next_(next),
        frames_(64),
        top_(frames_.data()),
        end_(top_ + frames_.size() - 1) {}
  CleanEvents(const CleanEvents&) = delete;
  CleanEvents& operator=(const CleanEvents&) = delete;

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes,
                                    bool is_recorded = true) {
    if (time < last_) [[unlikely]] {
      time = step_back(time);
      if (last_ == slow)
        return enter_slowly(time, region, attributes, is_recorded);
    }
    last_ = time;
    open(time, region, attributes, is_recorded);
  }

  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes,
                                    bool is_recorded = true) {
    time = clamp(time);
    if (region == top_->region && top_ != frames_.data()) [[likely]]
      close(time, region, attributes, is_recorded);
    else
      leave_other(time, region, attributes, is_recorded);
  }

  void other(Event& event) {
    event.time = clamp(event.time);
    if (is_of_recorder(event.kind)) [[unlikely]]
      other_of_recorder(event);
    else
      next_.other(event);
  }

  void unknown(std::uint64_t time) { next_.unknown(clamp(time)); }
  [[gnu::always_inline]] bool wants(EventKind kind) const {
    return is_of_recorder(kind) || wants_fields(next_, kind);
  }

  // The time of a record, or the time before if it steps back.
  std::uint64_t advance(std::uint64_t time) { return clamp(time); }
  // Subtracts ticks from the exclusive time of the innermost open call.
  void withhold(std::uint64_t ticks) { top_->in_callees += ticks; }
  // Up to where time was left out, since the recorder did not measure; 0: none was.
  std::uint64_t skipped_until() const { return skipped_until_; }
  const SetAsideTimes& set_aside() const { return set_aside_; }

  // The times of the first and the last record, in ticks; 0 without records.
  std::uint64_t first_time() const { return seen_ ? first_ : 0; }
  std::uint64_t last_time() const { return !seen_ ? 0 : last_ == slow ? slow_time_ : last_; }

  // Call once, after the last event.
  void finish() {
    apply_held();
    oddities_.calls_open_at_end = static_cast<std::uint64_t>(top_ - frames_.data());
    while (top_ != frames_.data())
      close_other(last_time(), top_->region == dropped ? top_->entered : top_->region, {});
  }

  // Complete after finish().
  const CallOddities& oddities() const { return oddities_; }

 private:
  static constexpr std::uint64_t dropped = ~std::uint64_t{0};  // as a region; ids have 32 bits
  // As the last time: a Leave is held or the recorder pauses, so that every record comes to
  // step_back().
  static constexpr std::uint64_t slow = ~std::uint64_t{0};

  struct Frame {
    std::uint64_t entered = 0;     // ticks; the region if the call is dropped
    std::uint64_t in_callees = 0;  // ticks
    std::uint64_t region = dropped;
    // The function that calls what is entered next: that of the innermost open call that is not
    // dropped.
    FunctionIndex calls = virtual_root;
  };

  // Since slow_time_, the recorder does not measure.
  struct Pause {
    bool is_flush = false;  // of its buffer; else recording is off
    std::uint64_t until = ~std::uint64_t{0};
  };

  // A Leave that fits no open call. The next record decides what it means.
  struct HeldLeave {
    std::uint64_t region = 0;
    std::vector<Attribute> attributes;
    bool is_recorded = true;
  };

  [[gnu::always_inline]] void open(std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes, bool is_recorded) {
    const auto entry = region < entries_.size() ? entries_[region] : functions_.find_sparse(region);
    if (top_ == end_) [[unlikely]]
      grow();

    const auto caller = top_->calls;
    *++top_ = {time, 0, region, entry.function};
    if (entry.dropped != Dropped::none && drops(entry)) [[unlikely]]
      drop(entry, caller);
    else
      next_.enter(CallBegin{time, region, entry.function, caller, is_recorded}, attributes);
  }

  static constexpr bool is_of_recorder(EventKind kind) {
    return kind == EventKind::MeasurementOnOff || kind == EventKind::BufferFlush;
  }

  [[gnu::noinline]] void other_of_recorder(Event& event) {
    using enum EventKind;
    const auto time = event.time;
    if (event.kind == BufferFlush) {
      if (!pause_)
        pause_at(time, {true, get_field<"stopTime", BufferFlush>(event)});
    } else if (get_field<"measurementMode", MeasurementOnOff>(event) ==
               otf2_value::measurement_off) {
      pause_at(time, {});
    } else if (pause_ && !pause_->is_flush) {
      end_pause();
    }

    if (wants_fields(next_, event.kind))
      next_.other(event);
    else
      next_.unknown(time);
  }

  void pause_at(std::uint64_t time, Pause pause) {
    pause_ = pause;
    slow_time_ = time;
    last_ = slow;
  }

  void end_pause() {
    pause_.reset();
    if (held_.empty())
      last_ = slow_time_;
  }

  // Leaves out the time since slow_time_ as far as the recorder pauses.
  void leave_out_pause(std::uint64_t time) {
    const Interval out{slow_time_, std::min(time, std::max(pause_->until, slow_time_))};
    const auto ticks = out.end - out.begin;
    (pause_->is_flush ? set_aside_.flushes : set_aside_.off).add(out);
    withhold(ticks);
    skipped_until_ = out.end;
    if (ticks > 0)
      skip_time_of(next_, {out.begin, out.end, pause_->is_flush});
    slow_time_ = time;
    if (time >= pause_->until)
      end_pause();
  }

  // While a Leave is held, every record comes here: it may have the same time or a later one. So
  // does every record while the recorder pauses.
  [[gnu::noinline]] void enter_slowly(std::uint64_t time, std::uint64_t region,
                                      std::span<const Attribute> attributes, bool is_recorded) {
    const auto held = std::find_if(held_.begin(), held_.end(),
                                   [&](const auto& leave) { return leave.region == region; });
    if (held == held_.end()) {
      apply_held();
      open(time, region, attributes, is_recorded);
      return;
    }

    const auto leave = std::move(*held);
    held_.erase(held);
    open(time, region, attributes, is_recorded);
    close_other(time, region, leave.attributes, leave.is_recorded);
    if (held_.empty() && !pause_)
      last_ = time;
  }

  [[gnu::noinline]] void leave_other(std::uint64_t time, std::uint64_t region,
                                     std::span<const Attribute> attributes, bool is_recorded) {
    const bool has_open = top_ != frames_.data();
    const auto open = top_->region == dropped ? top_->entered : top_->region;
    if (has_open &&
        (region == open || functions_.find(region).function == functions_.find(open).function)) {
      close_other(time, region, attributes, is_recorded);
      return;
    }

    held_.push_back({region, {attributes.begin(), attributes.end()}, is_recorded});
    slow_time_ = time;
    last_ = slow;
  }

  // The held Leaves have no Enter: each closes the innermost open call.
  void apply_held() {
    if (held_.empty())
      return;

    if (!pause_)
      last_ = slow_time_;
    for (const auto& leave : std::exchange(held_, {})) {
      if (top_ == frames_.data())
        ++oddities_.leaves_without_enter;
      else
        close_other(slow_time_, leave.region, leave.attributes, leave.is_recorded);
    }
  }

  // Whether the innermost call is dropped, which has this entry.
  bool drops(FunctionTable::Entry entry) const {
    const auto around = static_cast<std::uint64_t>(top_ - frames_.data()) - 1;
    return entry.is_dropped() || around >= functions_.max_depth();
  }

  void drop(FunctionTable::Entry entry, FunctionIndex caller) {
    oddities_.calls_of_undefined_regions += entry.function == virtual_root;
    *top_ = {top_->region, 0, dropped, caller};
  }

  [[gnu::always_inline]] void close(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes, bool is_recorded) {
    const Frame& frame = *top_--;
    const auto inclusive = time - frame.entered;
    top_->in_callees += inclusive;
    next_.leave(
        CallEnd{time, region, frame.calls, inclusive, inclusive - frame.in_callees, is_recorded},
        attributes);
  }

  // Closes a call that is dropped, or whose Leave names another region.
  void close_other(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes,
                   bool is_recorded = true) {
    const bool is_dropped = top_->region == dropped;
    const auto open = is_dropped ? top_->entered : top_->region;

    if (region != open) {
      const auto recorded = functions_.find(region);
      // Several regions may be one function.
      const bool overlaps = recorded.function != functions_.find(open).function;
      if (overlaps)
        note_overlap(time);
      if (overlaps && recorded.is_dropped())
        region = open;
    }

    if (!is_dropped) {
      close(time, region, attributes, is_recorded);
      return;
    }

    const auto in_callees = top_->in_callees;
    --top_;
    top_->in_callees += in_callees;
  }

  void note_overlap(std::uint64_t time) {
    if (oddities_.overlapping_calls++ == 0)
      oddities_.first_overlap = time;
    oddities_.last_overlap = time;
  }

  [[gnu::always_inline]] std::uint64_t clamp(std::uint64_t time) {
    if (time < last_) [[unlikely]] {
      time = step_back(time);
      if (last_ == slow)
        return time;
    }
    return last_ = time;
  }

  // Corrects the time of a record that steps back, or that comes while a Leave is held or the
  // recorder pauses; held ones are applied when their time is over. Afterwards `last_` is the time
  // before, or still `slow`.
  [[gnu::cold]] std::uint64_t step_back(std::uint64_t time) {
    if (!seen_) {
      seen_ = true;
      first_ = time;
      last_ = time;
      return time;
    }
    if (last_ != slow) {
      ++oddities_.backward_times;
      return last_;
    }
    if (time <= slow_time_) {
      oddities_.backward_times += time < slow_time_;
      return slow_time_;
    }

    apply_held();
    if (pause_)
      leave_out_pause(time);
    return time;
  }

  void grow() {
    const auto open = static_cast<std::size_t>(top_ - frames_.data());
    frames_.resize(2 * frames_.size());
    top_ = frames_.data() + open;
    end_ = frames_.data() + frames_.size() - 1;
  }

  const FunctionTable& functions_;
  std::span<const FunctionTable::Entry> entries_;
  Next& next_;
  std::vector<Frame> frames_;  // the first stands for the virtual root
  Frame* top_;                 // the innermost open call
  Frame* end_;                 // the last place for one
  std::uint64_t first_ = 0;
  std::uint64_t last_ = slow;    // so that the first time steps back
  bool seen_ = false;            // any record
  std::vector<HeldLeave> held_;  // in their order
  std::optional<Pause> pause_;
  std::uint64_t slow_time_ = 0;  // of the last record, while last_ is `slow`
  std::uint64_t skipped_until_ = 0;
  SetAsideTimes set_aside_;
  CallOddities oddities_;
};

}  // namespace tracefold
