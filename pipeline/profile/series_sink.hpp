// Makes the call-path profile of each iteration of one location from clean events.
//
// A row is a call path. A call counts where it is entered, and so do its time and what
// is recorded in it. The calls around a loop are in none of its iterations: the innermost
// of them has a row without visits in each iteration in which time passes in it, or may
// pass, between the calls of the loop; that time is parted at the ends of iterations.
// Call path 0 stands for no call: what is recorded while none is open. Values of recorded
// metrics count for the call path that is open where they are recorded, before a call is
// entered or left at the same time, and so for what went before (see counter_values.hpp).
// All profiles and what is outside of iterations add up to the location's totals.
//
// Call paths are numbered by first visit, so that another reading gives the same. Where
// recursion makes more than CallPathSink::most_paths of them, a call of a function that
// is open already counts for the path of that open call.
//
// Late senders: in a point-to-point call that receives, the time from its Enter until the
// last of its messages was sent (when the sending call was entered, at the latest the Leave
// of the receiving one) is late-sender time, too, but no more than the call's own.
// Where it is not known when a message was sent, there is none.
//
// One location, one thread. Memory: the call tree and two profiles: of one iteration, and
// of what is outside.
//
// Source: dynamics 3 (time-series call-path profiles), 1.5 and 3.3 (late senders).
#pragma once

#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/iteration_cursor.hpp"
#include "pipeline/messages/sent_messages.hpp"
#include "pipeline/profile/call_tree.hpp"
#include "pipeline/profile/counter_values.hpp"
#include "pipeline/profile/profile_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

class SeriesSink {
 public:
  // The iteration, and what the location did in it; valid during the call. Each iteration
  // once, in order, also those in which the location did nothing.
  using OnIteration = std::function<void(std::size_t, const IterationProfile&)>;

  // All must stay. Null where no message is told when it was sent.
  SeriesSink(const SeriesForm& form, const Definitions& definitions, std::uint64_t location,
             const ProcessLoops& loops, const SentMessages* sent, OnIteration on_iteration);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    spend(call.time);
    go_to(cursor_.enter(call));
    auto path = tree_.find(at_, call.function);
    if (path == no_path) [[unlikely]]
      path = first_visit(call.function);

    ++now_->row(path)[visits_];
    callers_.push_back(at_);
    at_ = path;
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    spend(call.time);
    go_to(cursor_.leave(call));
    if (!waits_.empty()) [[unlikely]]
      end_wait(call);

    at_ = callers_.back();
    callers_.pop_back();
    if (cursor_.open_calls() == cursor_.base()) [[unlikely]]
      left_to_loop();
  }
  void other(const Event& event);
  void unknown(std::uint64_t time);

  // Call once, after the last event.
  void finish();
  // What is outside of all iterations; once, after finish.
  IterationProfile outside();
  // By the numbers of call paths; the first stands for no call.
  std::span<const CallPath> paths() const { return tree_.paths(); }
  std::uint64_t folded() const { return folded_; }  // calls
  std::uint64_t impossible() const {
    return receives_ ? receives_->impossible() : 0;
  }  // messages received before they were sent

 private:
  // Time up to now is the innermost open call's.
  [[gnu::always_inline]] void spend(std::uint64_t time) {
    if (time == last_)
      return;
    if (cursor_.in_loop() && cursor_.open_calls() > cursor_.base()) [[likely]]
      now_->row(at_)[time_column(at_)] += time - last_;
    else
      spend_around(time);

    last_ = time;
  }
  void spend_around(std::uint64_t time);
  [[gnu::always_inline]] void go_to(std::size_t iteration) {
    if (iteration == iteration_) [[likely]]
      return;
    change_to(iteration);
  }
  void change_to(std::size_t iteration);
  void end_iterations_before(std::size_t iteration);
  void left_to_loop();
  void wait_for(const Event& receive);
  void end_wait(const CallEnd& call);
  [[gnu::noinline]] PathIndex first_visit(FunctionIndex function);
  std::uint32_t time_column(PathIndex path) const {
    return form_.time_column(tree_.paths()[path].function);
  }

  // In an open call: when the last message was sent that it received.
  struct Wait {
    std::size_t depth;
    std::uint64_t sent;
  };

  const SeriesForm& form_;
  const Definitions& definitions_;
  std::uint64_t location_;
  OnIteration on_iteration_;
  IterationCursor cursor_;
  CounterValues counters_;
  std::optional<Receives> receives_;
  CallTree tree_;
  ProfileRows inside_, outside_;
  ProfileRows* now_ = &outside_;
  IterationProfile profile_;
  std::uint32_t visits_;
  std::size_t iteration_ = IterationCursor::outside;  // that the last event was in
  std::size_t making_ = 0;                            // the iteration of `inside_`
  std::uint64_t last_ = 0;                            // time of the last event
  std::vector<PathIndex> callers_;                    // of the open calls but the innermost
  PathIndex at_ = 0;                                  // the innermost open call
  std::vector<Wait> waits_;                           // of open calls, from the outermost on
  std::uint64_t folded_ = 0;
};

}  // namespace tracefold
