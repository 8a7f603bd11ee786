// A sink that makes the calls of a location nest and its time ascend, drops
// what the filters drop, and hands the rest to the next sink:
//   void enter(time, region, FunctionIndex, attributes);
//   void leave(time, region, FunctionIndex, attributes);   // closes the innermost open call, `function`
//   void other(Event&);  void unknown(time);
// Both passes read through it, so they see the same calls.
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

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

template <class Next>
class CleanEvents {
 public:
  CleanEvents(const FunctionTable& functions, Next& next) : functions_(functions), next_(next) {}

  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    time = clamp(time);
    const auto entry = functions_.of(region);
    undefined_regions_ += entry.function == virtual_root;
    open_.push_back({region, entry});
    if (!entry.dropped) next_.enter(time, region, entry.function, attributes);
  }

  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    time = clamp(time);
    if (open_.empty()) {
      ++leaves_without_enter_;
      return;
    }
    const auto top = open_.back();
    open_.pop_back();
    const auto recorded = functions_.of(region);
    const bool mismatch = region != top.region && recorded.function != top.entry.function;
    mismatched_ += mismatch;
    if (!top.entry.dropped) next_.leave(time, mismatch && recorded.dropped ? top.region : region, top.entry.function, attributes);
  }

  void other(Event& event) {
    event.time = clamp(event.time);
    next_.other(event);
  }

  void unknown(std::uint64_t time) { next_.unknown(clamp(time)); }

  // Records read, of all kinds.
  std::uint64_t records() const { return records_; }

  // Call once, after the last event.
  void finish() {
    left_open_ = open_.size();
    while (!open_.empty()) {
      const auto top = open_.back();
      open_.pop_back();
      if (!top.entry.dropped) next_.leave(last_, top.region, top.entry.function, {});
    }
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
  struct OpenCall {
    std::uint64_t region;
    FunctionTable::Entry entry;
  };
  std::uint64_t clamp(std::uint64_t time) {
    ++records_;
    if (time < last_) {
      ++backward_;
      return last_;
    }
    return last_ = time;
  }

  const FunctionTable& functions_;
  Next& next_;
  std::vector<OpenCall> open_;
  std::uint64_t last_ = 0, records_ = 0;
  std::uint64_t backward_ = 0, leaves_without_enter_ = 0, mismatched_ = 0, left_open_ = 0, undefined_regions_ = 0;
};

}  // namespace tracefold
