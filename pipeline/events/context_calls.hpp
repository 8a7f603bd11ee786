// Makes calls of records of calling contexts, for passes that follow calls. It is between a reader
// and CleanEvents, only in traces that define calling contexts.
//
// Each record (OTF2 3.0, CallingContext) names the call path at its time. Its unwind distance d
// says that the innermost d - 1 calls on it are new since the record before; the others continue,
// and other open calls have ended. An instrumented call begins with CallingContextEnter and ends
// with CallingContextLeave; a CallingContextSample only shows where the process was.
//
// What becomes of them:
// - Instrumented calls are entered and left, and so are the calls that lead to them, unless already
//   open, since each of them is certain. A call without a record for its end ends when a later
//   record shows that it has.
// - Samples enter nothing, so that calls, their order and numbers do not depend on when they were
//   taken. The call path of a sample (SampledCalls) gets the time until the next sample, without
//   the time in instrumented calls that are not dropped; such a call has its own time until a
//   sample is taken in it. So times add up, and marked regions and calls of MPI have the time
//   between their records. Dynamics takes the time since the sample before; both are right on
//   average, but this one is known when an iteration ends.
// - Samples in MPI add nothing to the call, and are ignored.
// - Visits of calls that only samples show are counted when they end: a lower bound.
//
// Enter and Leave records are normal calls. If a context is recorded inside of one, the calls that
// the context continues with count as called by it.
//
// One location, one thread. Source: dynamics 5.1.2, 5.4.1.
#pragma once

#include "pipeline/events/clean_events.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// The calls that a sample shows, the outermost first, without those that are open.
struct SampledCalls {
  std::size_t open_calls = 0;           // number of open calls that lead there
  FunctionIndex caller = virtual_root;  // the innermost of the open calls
  std::span<const FunctionIndex> functions;
};

// A sink of clean events that also receives samples. `sample` returns a number for the call path,
// which is passed to `spend_sampled` with times in ticks; `visit_sampled` counts a visit of the
// innermost call that only samples showed. The time of samples is not in CallEnd::exclusive of the
// innermost open call.
template <class Sink>
concept SampleSink = requires(Sink& sink, const SampledCalls& calls, std::uint32_t path,
                              std::uint64_t from, std::uint64_t to) {
  { sink.sample(calls) } -> std::same_as<std::uint32_t>;
  sink.visit_sampled(calls);
  sink.spend_sampled(path, from, to);
};

template <CleanEventSink Next>
class ContextCalls {
 public:
  ContextCalls(const FunctionTable& functions, Next& next)
      : functions_(functions), next_(next), events_(functions, next) {}

  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    enter_recorded(pass(time), region, attributes, true);
  }

  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    leave_recorded(pass(time), region, attributes, true);
  }

  void other(Event& event) {
    event.time = pass(event.time);

    switch (event.kind) {
      case EventKind::CallingContextEnter: enter_context(event); return;
      case EventKind::CallingContextLeave: leave_context(event); return;
      case EventKind::CallingContextSample: sample(event); return;
      default: events_.other(event);
    }
  }

  void unknown(std::uint64_t time) { events_.unknown(pass(time)); }

  // Call once, after the last event.
  void finish() {
    const auto time = last_time();
    while (!frames_.empty()) {
      close_behind(base(), time);
      if (frames_.empty())
        break;

      ++open_at_end_;
      const auto frame = frames_.back();
      frames_.pop_back();
      events_.leave(time, frame.region, {}, frame.depth == 0);
    }
    events_.finish();
  }

  std::uint64_t first_time() const { return events_.first_time(); }
  std::uint64_t last_time() const { return events_.last_time(); }
  const SetAsideTimes& set_aside() const { return events_.set_aside(); }
  // Complete after finish().
  CallOddities oddities() const {
    auto oddities = events_.oddities();
    oddities.calls_open_at_end += open_at_end_;
    return oddities;
  }

 private:
  static constexpr std::uint32_t nothing = 0xffffffffu;

  // The limit of open calls; beyond it, the calls that lead to further ones are left out.
  static constexpr std::size_t most_open = std::size_t{1} << 20;

  struct Frame {
    std::uint64_t region = 0;
    FunctionTable::Entry entry;
    bool is_open = false;      // it was entered, and not only seen in samples
    bool is_recorded = false;  // by a record of its own, so that another one ends it
    // Only for recorded calls: the depth in the calling context (0 for an Enter), and which sampled
    // path has the time around the call.
    std::size_t depth = 0;
    std::uint32_t payer = nothing;
  };

  // Accounts for the time up to a record; returns the time of the record.
  std::uint64_t pass(std::uint64_t time) {
    const auto before = last_time();
    const auto to = events_.advance(time);
    if constexpr (SampleSink<Next>) {
      const auto from = std::max(before, events_.skipped_until());
      if (payer_ != nothing && to > from) {
        next_.spend_sampled(payer_, from, to);
        events_.withhold(to - from);
      }
    }

    return to;
  }

  // The first frame that does not need a record of its own to end.
  std::size_t base() const {
    auto at = frames_.size();
    while (at > 0 && !frames_[at - 1].is_recorded)
      --at;
    return at;
  }

  // Sets path_ to the regions of a context behind the innermost recorded call. Returns how many
  // open frames behind `base` continue, if the last `added` calls of the context are new.
  std::size_t read_path(std::uint64_t context, std::size_t added, std::size_t base,
                        bool is_entered) {
    functions_.contexts().find_path(context, path_);
    const auto most_cut = path_.size() - (is_entered && !path_.empty());
    const auto kept = path_.size() - std::min(added, path_.size());
    const auto cut = std::min(find_cut(base), most_cut);
    path_.erase(path_.begin(), path_.begin() + static_cast<std::ptrdiff_t>(cut));

    std::size_t common = 0;
    const auto most = std::min({kept - std::min(cut, kept), path_.size(), frames_.size() - base});
    while (common < most && is_same(frames_[base + common], path_[common]))
      ++common;

    return common;
  }

  // The number of regions of path_ up to the innermost recorded call, with its own.
  std::size_t find_cut(std::size_t base) const {
    if (base == 0)
      return 0;

    const auto& recorded = frames_[base - 1];
    if (recorded.depth > 0 && recorded.depth <= path_.size() &&
        is_same(recorded, path_[recorded.depth - 1]))
      return recorded.depth;
    for (auto k = path_.size(); k > 0; --k)
      if (is_same(recorded, path_[k - 1]))
        return k;

    return 0;
  }

  bool is_same(const Frame& frame, std::uint64_t region) const {
    return frame.region == region || (frame.entry.function != virtual_root &&
                                      frame.entry.function == functions_.find(region).function);
  }

  void enter_context(Event& event) {
    const auto context = get_field<"callingContext", EventKind::CallingContextEnter>(event);
    const auto distance = get_field<"unwindDistance", EventKind::CallingContextEnter>(event);
    const auto first = base();
    // The call itself is new, whatever the distance is.
    const auto kept =
        first + read_path(context, std::max<std::uint64_t>(distance, 2) - 1, first, true);
    const auto depth = functions_.contexts().find_depth(context);
    if (path_.empty()) {
      events_.other(event);
      return;
    }

    // Deep contexts must not fill the memory with open calls.
    if (frames_.size() + path_.size() > most_open)
      path_.erase(path_.begin(), path_.end() - 1);

    close_behind(kept, event.time);
    for (auto k = first; k < frames_.size(); ++k)
      if (!std::exchange(frames_[k].is_open, true))
        events_.enter(event.time, frames_[k].region, {}, false);

    for (auto k = kept - first; k + 1 < path_.size(); ++k) {
      frames_.push_back({path_[k], functions_.find(path_[k]), true, false, 0, nothing});
      events_.enter(event.time, path_[k], {}, false);
    }

    const auto region = path_.back();
    enter_recorded(event.time, region, event.attributes, false);
    frames_.back().depth = depth;
    events_.other(event);
  }

  void leave_context(Event& event) {
    // The sink may change the record.
    const auto time = event.time;
    functions_.contexts().find_path(
        get_field<"callingContext", EventKind::CallingContextLeave>(event), path_);
    const auto attributes = path_.empty() ? std::vector<Attribute>() : event.attributes;
    if (!path_.empty())
      close_behind(base(), time);
    events_.other(event);
    if (!path_.empty())
      leave_recorded(time, path_.back(), attributes, false);
  }

  void enter_recorded(std::uint64_t time, std::uint64_t region,
                      std::span<const Attribute> attributes, bool by_enter) {
    const auto entry = functions_.find(region);
    frames_.push_back({region, entry, true, true, 0, payer_});
    if (!entry.is_dropped())
      payer_ = nothing;
    events_.enter(time, region, attributes, by_enter);
  }

  void leave_recorded(std::uint64_t time, std::uint64_t region,
                      std::span<const Attribute> attributes, bool by_leave) {
    close_behind(base(), time);
    if (!frames_.empty()) {
      payer_ = frames_.back().payer;
      frames_.pop_back();
    }

    events_.leave(time, region, attributes, by_leave);
  }

  void sample(Event& event) {
    const auto first = base();
    if (first > 0 && takes_mpi_time(frames_[first - 1])) {
      events_.other(event);
      return;
    }

    const auto distance = get_field<"unwindDistance", EventKind::CallingContextSample>(event);
    const auto added = distance - std::min<std::uint64_t>(distance, 1);
    const auto kept =
        first + read_path(get_field<"callingContext", EventKind::CallingContextSample>(event),
                          added, first, false);
    close_behind(kept, event.time);
    if (frames_.size() + path_.size() > most_open)
      path_.clear();
    for (auto k = kept - first; k < path_.size(); ++k)
      frames_.push_back({path_[k], functions_.find(path_[k]), false, false, 0, nothing});

    if constexpr (SampleSink<Next>) {
      const auto calls = list_calls(first);
      payer_ = calls.functions.empty() ? nothing : next_.sample(calls);
    }

    events_.other(event);
  }

  bool takes_mpi_time(const Frame& frame) const {
    return frame.entry.function != virtual_root && functions_.is_mpi(frame.entry.function);
  }

  // Ends all frames but the first `kept`: calls without a record for their end.
  void close_behind(std::size_t kept, std::uint64_t time) {
    if (frames_.size() <= kept)
      return;

    auto calls = list_calls(base());
    while (frames_.size() > kept) {
      const auto frame = frames_.back();
      frames_.pop_back();

      if (!frame.entry.is_dropped()) {
        if constexpr (SampleSink<Next>)
          if (!frame.is_open)
            next_.visit_sampled(calls);
        calls.functions = calls.functions.first(calls.functions.size() - 1);
      }
      if (frame.is_open)
        events_.leave(time, frame.region, {}, false);
    }
  }

  // All frames behind the innermost recorded call.
  SampledCalls list_calls(std::size_t base) {
    SampledCalls calls;
    for (std::size_t k = 0; k < base; ++k)
      if (frames_[k].is_open && !frames_[k].entry.is_dropped()) {
        ++calls.open_calls;
        calls.caller = frames_[k].entry.function;
      }

    shown_.clear();
    for (auto k = base; k < frames_.size(); ++k)
      if (!frames_[k].entry.is_dropped())
        shown_.push_back(frames_[k].entry.function);

    calls.functions = shown_;
    return calls;
  }

  const FunctionTable& functions_;
  Next& next_;
  CleanEvents<Next> events_;
  std::vector<Frame> frames_;
  std::vector<std::uint64_t> path_;
  std::vector<FunctionIndex> shown_;
  std::uint32_t payer_ = nothing;  // path that gets the time; nothing: the innermost open call
  std::uint64_t open_at_end_ = 0;  // calls whose record for the end is missing
};

}  // namespace tracefold
