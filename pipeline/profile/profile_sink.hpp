// Collects the profile of a location from its events: the counts, which can be added up over parts
// of a location, and the sink of clean events that counts.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/profile.hpp"
#include "otf2/definitions.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/context_calls.hpp"
#include "pipeline/messages/receivers.hpp"
#include "pipeline/profile/pair_set.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

// The counts of a location or a part of it. It is used for one location after the other: its tables
// have an entry for each function, and only used entries are reset.
class ProfileCounts {
 public:
  struct Tally {
    std::uint64_t visits = 0;
    std::uint64_t exclusive = 0;  // ticks
  };
  // The counts, for another process.
  struct Content {
    std::vector<CallPair> pairs;
    std::vector<Tally> tallies;  // by function
    std::set<std::uint64_t> metrics;
    std::vector<ReceiverSet::Receiver> receivers;
    Profile profile;
  };

  explicit ProfileCounts(std::size_t functions);

  [[gnu::always_inline]] void add_pair(FunctionIndex caller, FunctionIndex function) {
    pairs_.insert(caller, function);
  }
  // Adds a call that has ended.
  [[gnu::always_inline]] void add_call(FunctionIndex function, std::uint64_t exclusive) {
    auto& tally = tallies_[function];
    ++tally.visits;
    tally.exclusive += exclusive;
  }
  // Adds time of a call that only samples show.
  void add_time(FunctionIndex function, std::uint64_t exclusive) {
    tallies_[function].exclusive += exclusive;
  }
  [[gnu::always_inline]] void add_record(const Event& event) {
    ++profile_.records[static_cast<std::size_t>(event.kind)];
    if (event.kind == EventKind::Metric) [[unlikely]]
      metrics_.insert(get_field<"metric", EventKind::Metric>(event));
    else if (event.kind == EventKind::MpiSend || event.kind == EventKind::MpiIsend)
      receivers_.add(event);
  }
  void add_unknown_record() { ++profile_.unknown_records; }
  void add_visit(FunctionIndex function) { ++tallies_[function].visits; }

  std::vector<FunctionIndex> take_callees(FunctionIndex caller) {
    return pairs_.take_callees(caller);
  }

  // Adds the counts of a later part of the location.
  void add(const ProfileCounts& part);
  void add(const Content& part);
  Content copy() const;

  // Moves out the receivers of the location's messages. Call once for each location.
  std::vector<ReceiverSet::Receiver> take_receivers() { return receivers_.take(); }

  // Moves out the profile of the location, without its times. `unrecorded_visits` of the visits
  // have no Enter and Leave.
  Profile take(const Definitions& definitions, std::uint64_t location_type,
               std::vector<SampledPair> sampled = {}, std::uint64_t unrecorded_visits = 0);

 private:
  void add(const std::vector<CallPair>& pairs, const std::vector<Tally>& tallies,
           const std::set<std::uint64_t>& metrics, const Profile& profile);

  PairSet pairs_;
  std::vector<Tally> tallies_;  // by function
  std::set<std::uint64_t> metrics_;
  ReceiverSet receivers_;
  Profile profile_;
};

auto list_members(Like<ProfileCounts::Tally> auto& tally) {
  return std::tie(tally.visits, tally.exclusive);
}
auto list_members(Like<ProfileCounts::Content> auto& content) {
  return std::tie(content.pairs, content.tallies, content.metrics, content.receivers,
                  content.profile);
}

// One for each thread.
class ProfileSink {
 public:
  static constexpr bool is_hot = true;

  ProfileSink(const Definitions& definitions, std::size_t functions)
      : definitions_(definitions), counts_(functions) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    counts_.add_pair(call.caller, call.function);
    unrecorded_visits_ += !call.is_recorded;
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    counts_.add_call(call.function, call.exclusive);
  }
  [[gnu::always_inline]] void other(const Event& event) { counts_.add_record(event); }
  void unknown(std::uint64_t) { counts_.add_unknown_record(); }

  FunctionIndex sample(const SampledCalls& calls);
  void visit_sampled(const SampledCalls& calls) {
    counts_.add_visit(calls.functions.back());
    ++unrecorded_visits_;
  }
  void spend_sampled(FunctionIndex function, std::uint64_t from, std::uint64_t to) {
    counts_.add_time(function, to - from);
  }

  // The profile of a location without its times, after all of its events.
  Profile take(std::uint64_t location_type);
  // The receivers of its messages. Call once for each location.
  std::vector<ReceiverSet::Receiver> take_receivers() { return counts_.take_receivers(); }

 private:
  struct Shown {
    std::uint64_t samples = 0;
    std::uint64_t last = 0;  // the last sample that showed the pair
  };

  const Definitions& definitions_;
  ProfileCounts counts_;
  std::map<CallPair, Shown> shown_;  // pairs that samples show
  std::uint64_t samples_ = 0;
  std::uint64_t unrecorded_visits_ = 0;
};

}  // namespace tracefold
