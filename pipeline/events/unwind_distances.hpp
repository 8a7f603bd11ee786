// Corrects unwind distances. A record of a calling context says how many calls are new since the
// record before. If that one was left out, it must count from the last record that stays.
//
// A stand-in call may replace a sequence of records that are left out. It is left at once, so the
// record behind it counts from the caller of the stand-in.
//
// One location, one thread. Source: OTF2 3.0, CallingContextEnter.
#pragma once

#include "otf2/event.hpp"
#include "pipeline/events/calling_contexts.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tracefold {

class UnwindDistances {
 public:
  explicit UnwindDistances(const CallingContexts& contexts) : contexts_(contexts) {}

  void leave_out(const Event& event) {
    if (!is_of_context(event.kind))
      return;
    auto& kept = std::exchange(is_first_, false) ? kept_before_ : kept_;
    kept = std::min(kept, count_kept(event));
  }
  // Says that `calls` calls are open now, whatever was left out.
  void begin_with(std::uint64_t calls) { kept_ = calls; }
  void begin_collapsed() {
    kept_before_ = std::exchange(kept_, all);
    is_first_ = true;
  }
  // `depth` is the number of calls on the path of the stand-in's caller. Returns the stand-in's
  // distance.
  std::uint64_t end_collapsed(std::uint64_t depth) {
    is_first_ = false;
    kept_ = std::min(kept_, depth);
    return depth + 2 - std::min(kept_before_, depth);
  }
  void mend(Event& event) {
    if (kept_ == all || !is_of_context(event.kind))
      return;
    if (event.kind != EventKind::CallingContextLeave)
      set_kept(event, std::min(kept_, count_kept(event)));
    kept_ = all;
  }

  static bool is_of_context(EventKind kind) {
    return kind >= EventKind::CallingContextEnter && kind <= EventKind::CallingContextSample;
  }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};

  // How many calls of the record's path were open at the record before, and still are.
  std::uint64_t count_kept(const Event& event) const;
  void set_kept(Event& event, std::uint64_t kept) const;

  const CallingContexts& contexts_;
  std::uint64_t kept_ = all;         // over all records that were left out
  std::uint64_t kept_before_ = all;  // up to the first record that a stand-in replaces
  bool is_first_ = false;            // the next record that is left out is that one
};

}  // namespace tracefold
