// A sink for a part of a location whose beginning is not known yet. It counts relative to the calls
// that are open at the begin of the part. Parts of a location are read in parallel and then
// appended in order, which gives the whole location.
//
// When a part leaves calls that it did not enter, it reaches lower and lower levels of the unknown
// stack. Each level is a stage: it has the callees of the innermost open call there, their time,
// and the Leave that ends the call and the stage.
//
// The rules are those of CleanEvents; nothing may be filtered. Where these rules need several
// records, since a Leave fits no open call or the recorder does not measure for a while, the
// location has to be read as a whole. One thread at a time.
#pragma once

#include "otf2/event.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class LocationPart {
  struct Stage;
  struct OpenCall;

 public:
  // What another process needs to continue with a part.
  struct Content {
    ProfileCounts::Content counts;
    std::vector<OpenCall> open;  // the first is the unknown stack
    std::vector<Stage> stages;
    std::uint64_t first = 0, last = 0;
    std::uint64_t backward_times = 0;
    bool seen = false, is_usable = false;
  };

  explicit LocationPart(const FunctionTable& functions);
  LocationPart(const FunctionTable& functions, Content content);
  LocationPart(const LocationPart&) = delete;
  LocationPart& operator=(const LocationPart&) = delete;

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute>) {
    time = clamp(time);
    const auto function = functions_.find(region).function;
    if (function == virtual_root) [[unlikely]] {
      is_usable_ = false;
      return;
    }

    // The virtual root replaces the unknown stack until the stage ends.
    counts_.add_pair(top_->function, function);
    if (top_ == end_) [[unlikely]]
      grow();

    *++top_ = {time, 0, region, function};
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute>) {
    time = clamp(time);
    if (top_ == open_.data()) [[unlikely]]
      return end_stage(time, region);

    const auto& call = *top_--;
    if (call.region != region) [[unlikely]]
      is_usable_ &= functions_.find(region).function == call.function;

    const auto inclusive = time - call.entered;
    top_->in_callees += inclusive;
    counts_.add_call(call.function, inclusive - call.in_callees);
  }
  void other(const Event& event) {
    clamp(event.time);
    is_usable_ &= event.kind != EventKind::MeasurementOnOff && event.kind != EventKind::BufferFlush;
    counts_.add_record(event);
  }
  void unknown(std::uint64_t time) {
    clamp(time);
    counts_.add_unknown_record();
  }

  // Appends the following part and empties it. False if the location has to be read as a whole: a
  // call has an undefined region, a Leave names another region than the open call, time steps back
  // between the parts, or too many calls are left for stages to be worth their memory.
  bool append(LocationPart& next);

  // Call once for the first part, after all others were appended: nothing was open before it, and
  // what is open now ends at the last time. False if a Leave has no call, and the location has to
  // be read as a whole.
  bool finish();

  // Call before finish().
  Content copy() const;

  // The whole location, after finish(): its profile without times, and how it was read, without the
  // number of records.
  Profile take_profile(const Definitions& definitions, std::uint64_t location_type) {
    return counts_.take(definitions, location_type);
  }
  std::vector<ReceiverSet::Receiver> take_receivers() { return counts_.take_receivers(); }
  LocationRead read() const;

 private:
  struct Stage {
    // The distinct callees of the innermost open call of the unknown stack.
    std::vector<FunctionIndex> callees;
    std::uint64_t in_callees = 0;  // ticks in those of them that have ended
    // The Leave that ends the stage; the last stage has none.
    std::uint64_t end = 0;
    std::uint64_t region = 0;
  };
  struct OpenCall {
    std::uint64_t entered = 0;     // ticks
    std::uint64_t in_callees = 0;  // ticks
    std::uint64_t region = 0;
    FunctionIndex function = virtual_root;
  };
  friend auto list_members(Like<Stage> auto& stage) {
    return std::tie(stage.callees, stage.in_callees, stage.end, stage.region);
  }
  friend auto list_members(Like<OpenCall> auto& call) {
    return std::tie(call.entered, call.in_callees, call.region, call.function);
  }
  friend auto list_members(Like<Content> auto& content) {
    return std::tie(content.counts, content.open, content.stages, content.first, content.last,
                    content.backward_times, content.seen, content.is_usable);
  }

  [[gnu::always_inline]] std::uint64_t clamp(std::uint64_t time) {
    return time < last_ ? step_back(time) : last_ = time;
  }
  [[gnu::cold]] std::uint64_t step_back(std::uint64_t time);
  void grow();
  void take_stage();
  void end_stage(std::uint64_t time, std::uint64_t region);

  const FunctionTable& functions_;
  ProfileCounts counts_;
  std::vector<OpenCall> open_;  // the first is the unknown stack
  OpenCall* top_;               // the innermost open call
  OpenCall* end_;               // the last place for one
  std::vector<Stage> stages_;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = ~std::uint64_t{0};  // so that the first time steps back
  CallOddities oddities_;
  bool seen_ = false;  // any record
  bool is_usable_ = true;
};

}  // namespace tracefold
