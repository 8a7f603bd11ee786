// Collects the profile of one location from clean events.
//
// One per thread, used for one location after the other: its tables are as
// large as the number of functions and are wiped by what was touched.
#pragma once

#include "model/profile/profile.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/pair_set.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace tracefold {

class ProfileSink {
 public:
  ProfileSink(const Definitions& definitions, std::size_t functions);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    pairs_.insert(call.caller, call.function);
    auto& tally = tallies_[call.function];
    ++tally.visits;
  }

  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    auto& tally = tallies_[call.function];
    tally.exclusive += call.exclusive;
  }

  [[gnu::always_inline]] void other(const Event& event) {
    ++profile_.records[static_cast<std::size_t>(event.kind)];
    if (event.kind == EventKind::Metric) [[unlikely]]
      metrics_.insert(event.fields[0]);
  }
  void unknown(std::uint64_t) { ++profile_.unknown_records; }

  // What a part of the location tells: of one of its stages, with the function
  // that calls there, and of the whole part. In its order among Leaves.
  void add(const SegmentCalls::Stage& stage, FunctionIndex caller);
  void add(const SegmentCalls& part);

  // The profile of a location whose events have all been seen, without its times.
  Profile take(std::uint64_t location_type);

 private:
  struct Tally {
    std::uint64_t visits = 0, exclusive = 0;
  };

  const Definitions& definitions_;
  PairSet pairs_;
  std::vector<Tally> tallies_;
  std::set<std::uint64_t> metrics_;
  Profile profile_;
};

}  // namespace tracefold
