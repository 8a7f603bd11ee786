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

#include "model/error.hpp"
#include "model/event.hpp"
#include "pipeline/function_table.hpp"
#include "pipeline/segment_calls.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct CallBegin {
  std::uint64_t time;    // ticks
  std::uint64_t region;  // as recorded
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
  CleanEvents(const FunctionTable& functions, Next& next) : functions_(functions), entries_(functions.entries()), next_(next), frames_(64), top_(frames_.data()), end_(top_ + frames_.size() - 1) {}
  CleanEvents(const CleanEvents&) = delete;
  CleanEvents& operator=(const CleanEvents&) = delete;

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    time = clamp(time);
    const auto entry = region < entries_.size() ? entries_[region] : functions_.find(region);
    if (top_ == end_) [[unlikely]] grow();
    const auto caller = top_->caller_of_next();
    *++top_ = {time, 0, entry, region};
    if (entry.dropped) [[unlikely]] drop(caller);
    else next_.enter(CallBegin{time, region, entry.function, caller}, attributes);
  }

  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    time = clamp(time);
    if (top_ == frames_.data()) [[unlikely]] {
      ++leaves_without_enter_;
      return;
    }
    if (region != top_->region) [[unlikely]] region = recorded_or_open(region);
    close(time, region, attributes);
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
    if (!part.usable() || (seen_ && part.any() && part.first_time() < last_)) return false;
    if (part.any() && !std::exchange(seen_, true)) first_ = last_ = part.first_time();
    for (std::size_t s = 0; s < part.stages().size(); ++s) {
      const auto& stage = part.stages()[s];
      next_.add(stage, top_->caller_of_next());
      top_->in_callees += stage.in_callees;
      if (s + 1 < part.stages().size()) leave(stage.end, stage.region, {});
    }
    next_.add(part);
    for (const auto& call : part.open()) {
      if (top_ == end_) grow();
      *++top_ = {call.entered, call.in_callees, functions_.of(call.region), call.region};
    }
    if (part.any()) last_ = part.last_time();
    backward_ += part.backward();
    mismatched_ += part.mismatched();
    return true;
  }

  // Call once, after the last event.
  void finish() {
    left_open_ = static_cast<std::uint64_t>(top_ - frames_.data());
    while (top_ != frames_.data()) close(last_, top_->region, {});
  }

  void report(Diagnostics& diagnostics, std::uint64_t location) const {
    const auto where = "location " + std::to_string(location);
    const std::pair<std::uint64_t, const char*> oddities[] = {
        {backward_, "time stamps that step back were set to the last one"},
        {leaves_without_enter_, "calls are left that were never entered; those Leave records were dropped"},
        {mismatched_, "calls overlap instead of nesting (a Leave names another region than the innermost open call)"},
        {left_open_, "calls still open at the end were closed at the last time stamp"},
        {undefined_regions_, "calls of undefined regions were dropped"}};
    for (auto [times, words] : oddities)
      if (times) diagnostics.warn(words, where, times);
  }

 private:
  struct Frame {
    std::uint64_t entered = 0;     // ticks; of a dropped call the function that calls what is entered next
    std::uint64_t in_callees = 0;  // ticks
    FunctionTable::Entry entry;
    std::uint64_t region = 0;

    FunctionIndex caller_of_next() const { return entry.dropped ? static_cast<FunctionIndex>(entered) : entry.function; }
  };

  void drop(FunctionIndex caller) {
    undefined_regions_ += top_->entry.function == virtual_root;
    top_->entered = caller;
  }

  [[gnu::always_inline]] void close(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    const Frame& frame = *top_--;
    if (frame.entry.dropped) [[unlikely]] {
      top_->in_callees += frame.in_callees;
      return;
    }
    const auto inclusive = time - frame.entered;
    top_->in_callees += inclusive;
    next_.leave(CallEnd{time, region, frame.entry.function, inclusive, inclusive - frame.in_callees}, attributes);
  }

  // The region to hand on for a Leave of another region than the one entered.
  std::uint64_t recorded_or_open(std::uint64_t region) {
    const auto recorded = functions_.of(region);
    if (recorded.function == top_->entry.function) return region;  // one function of several regions
    ++mismatched_;
    return recorded.dropped ? top_->region : region;
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
  bool seen_ = false;          // any record
  std::uint64_t backward_ = 0, leaves_without_enter_ = 0, mismatched_ = 0, left_open_ = 0, undefined_regions_ = 0;
};

}  // namespace tracefold
