// A sink that makes the calls of a location nest and its time ascend, drops
// what the filters drop, and hands the rest to the next sink:
//   void enter(const CallBegin&, attributes);
//   void leave(const CallEnd&, attributes);   // of the innermost open call
//   void other(Event&);  void unknown(time);
// All passes read through it, so they see the same calls.
//
// Rules: a time stamp that steps back is clamped to the last one; a Leave with
// nothing open is dropped; one that names another region than the innermost
// open call stays as recorded and closes that call; calls open at the end are
// closed at the last time stamp; dropping a region joins its callees to its
// caller.
#pragma once

#include "base/error.hpp"
#include "otf2/event.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/segment_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct CallBegin {
  std::uint64_t time;              // ticks
  std::uint64_t region;            // as recorded
  FunctionIndex function, caller;  // the caller is the virtual root where nothing else is open
};

struct CallEnd {
  std::uint64_t time;
  std::uint64_t region;
  FunctionIndex function;
  std::uint64_t inclusive, exclusive;  // ticks in the call, and in it but not in its callees
};

template <class Next>
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
                                    std::span<const Attribute> attributes) {
    time = clamp(time);
    const auto entry = region < entries_.size() ? entries_[region] : functions_.find(region);
    if (top_ == end_) [[unlikely]]
      grow();

    const auto caller = top_->calls;
    *++top_ = {time, 0, region, entry.function};
    if (entry.dropped) [[unlikely]]
      drop(entry, caller);
    else
      next_.enter(CallBegin{time, region, entry.function, caller}, attributes);
  }

  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    time = clamp(time);
    if (top_ == frames_.data()) [[unlikely]] {
      ++leaves_without_enter_;
      return;
    }

    if (region == top_->region) [[likely]]
      close(time, region, attributes);
    else
      close_other(time, region, attributes);
  }

  void other(Event& event) {
    event.time = clamp(event.time);
    next_.other(event);
  }

  void unknown(std::uint64_t time) { next_.unknown(clamp(time)); }

  // The time of the first and the last record; 0 without any.
  std::uint64_t first_time() const { return seen_ ? first_ : 0; }
  std::uint64_t last_time() const { return seen_ ? last_ : 0; }

  // Takes what a part of the location tells that follows on what was read. False,
  // and nothing is taken, where only reading it here would do.
  bool join(const SegmentCalls& part) {
    if (!part.usable() || (seen_ && part.any() && part.first_time() < last_))
      return false;
    if (part.any() && !std::exchange(seen_, true))
      first_ = last_ = part.first_time();

    for (std::size_t s = 0; s < part.stages().size(); ++s) {
      const auto& stage = part.stages()[s];
      next_.add(stage, top_->calls);
      top_->in_callees += stage.in_callees;
      if (s + 1 < part.stages().size())
        leave(stage.end, stage.region, {});
    }

    next_.add(part);
    for (const auto& call : part.open()) {
      if (top_ == end_)
        grow();
      *++top_ = {call.entered, call.in_callees, call.region, call.function};
    }

    if (part.any())
      last_ = part.last_time();

    backward_ += part.backward();
    mismatched_ += part.mismatched();

    return true;
  }

  // Call once, after the last event.
  void finish() {
    left_open_ = static_cast<std::uint64_t>(top_ - frames_.data());
    while (top_ != frames_.data())
      close_other(last_, top_->region == dropped ? top_->entered : top_->region, {});
  }

  void report(Diagnostics& diagnostics, std::uint64_t location) const {
    const auto where = fmt::format("location {}", location);
    const std::pair<std::uint64_t, const char*> oddities[] = {
        {backward_, "time stamps that step back were set to the last one"},
        {leaves_without_enter_,
         "calls are left that were never entered; those Leave records were dropped"},
        {mismatched_,
         "calls overlap instead of nesting (a Leave names another region than the innermost open "
         "call)"},
        {left_open_, "calls still open at the end were closed at the last time stamp"},
        {undefined_regions_, "calls of undefined regions were dropped"}};

    for (auto [times, words] : oddities)
      if (times)
        diagnostics.warn(words, where, times);
  }

 private:
  static constexpr std::uint64_t dropped = ~std::uint64_t{0};  // as a region; ids have 32 bits

  struct Frame {
    std::uint64_t entered = 0;     // ticks; of a dropped call its region
    std::uint64_t in_callees = 0;  // ticks
    std::uint64_t region = dropped;
    FunctionIndex calls = virtual_root;  // the function that calls what is entered next: the
                                         // innermost open call that is not dropped
  };

  void drop(FunctionTable::Entry entry, FunctionIndex caller) {
    undefined_regions_ += entry.function == virtual_root;
    *top_ = {top_->region, 0, dropped, caller};
  }

  [[gnu::always_inline]] void close(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    const Frame& frame = *top_--;
    const auto inclusive = time - frame.entered;
    top_->in_callees += inclusive;
    next_.leave(CallEnd{time, region, frame.calls, inclusive, inclusive - frame.in_callees},
                attributes);
  }

  // Closes a call that is dropped, or by a Leave that names another region.
  void close_other(std::uint64_t time, std::uint64_t region,
                   std::span<const Attribute> attributes) {
    const bool is_dropped = top_->region == dropped;
    const auto open = is_dropped ? top_->entered : top_->region;

    if (region != open) {
      const auto recorded = functions_.of(region);
      const bool mismatch = recorded.function !=
                            functions_.of(open).function;  // else one function of several regions
      mismatched_ += mismatch;
      if (mismatch && recorded.dropped)
        region = open;
    }

    if (!is_dropped) {
      close(time, region, attributes);
      return;
    }

    const auto in_callees = top_->in_callees;
    --top_;
    top_->in_callees += in_callees;
  }

  [[gnu::always_inline]] std::uint64_t clamp(std::uint64_t time) {
    return time < last_ ? stepped_back(time) : last_ = time;
  }

  [[gnu::cold]] std::uint64_t stepped_back(std::uint64_t time) {
    if (!seen_) {
      seen_ = true;
      return first_ = last_ = time;
    }
    ++backward_;

    return last_;
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
  Frame *top_, *end_;          // the innermost open call, and the last place for one
  std::uint64_t first_ = 0, last_ = ~std::uint64_t{0};  // so that the first time steps back
  bool seen_ = false;                                   // any record
  std::uint64_t backward_ = 0, leaves_without_enter_ = 0, mismatched_ = 0, left_open_ = 0,
                undefined_regions_ = 0;
};

}  // namespace tracefold
