// Collects the profile of one location from clean events.
//
// One per thread, used for one location after the other: its tables are as
// large as the number of functions and are wiped by what was touched.
#pragma once

#include "model/definition.hpp"
#include "model/profile.hpp"
#include "pipeline/clean_events.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

namespace tracefold {

// The set of call pairs seen: one bit for each possible pair where that fits
// into 8 MiB, else a hash table. Rows of bits are powers of two long.
class PairSet {
 public:
  explicit PairSet(std::size_t functions);
  [[gnu::always_inline]] void insert(FunctionIndex caller, FunctionIndex callee) {
    const auto bit = bit_of(caller, callee);
    if (bit / 64 >= words_ || !(bits_[bit / 64] >> bit % 64 & 1)) [[unlikely]] insert_new(caller, callee);
  }
  std::vector<CallPair> take();  // ascending; the set is empty afterwards

 private:
  std::uint64_t bit_of(FunctionIndex caller, FunctionIndex callee) const { return (std::uint64_t{caller + 1} << row_) + callee; }  // the virtual root is row 0
  [[gnu::noinline]] void insert_new(FunctionIndex caller, FunctionIndex callee);

  unsigned row_;                            // log2 of the length of a row
  std::size_t words_ = 0;                   // of bits_
  std::vector<std::uint64_t> bits_;         // empty where there are too many
  std::unordered_set<std::uint64_t> seen_;  // then these
  std::vector<CallPair> pairs_;
};

class ProfileSink {
 public:
  ProfileSink(const Definitions& definitions, std::size_t functions);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    pairs_.insert(call.caller, call.function);
    auto& tally = tallies_[call.function];
    ++tally.visits;
    ++tally.depth;
  }

  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    auto& tally = tallies_[call.function];
    tally.exclusive += call.exclusive;
    if (--tally.depth == 0) tally.inclusive += call.inclusive;
  }

  [[gnu::always_inline]] void other(const Event& event) {
    ++profile_.records[static_cast<std::size_t>(event.kind)];
    if (event.kind == EventKind::Metric) [[unlikely]] metrics_.insert(event.fields[0]);
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
    // Entering changes the first and the third, leaving the second and the
    // third: side by side they would be changed as one, and wait for each other.
    std::uint64_t visits = 0, exclusive = 0;
    std::uint64_t depth = 0;  // open calls of the function
    std::uint64_t inclusive = 0;
  };

  const Definitions& definitions_;
  PairSet pairs_;
  std::vector<Tally> tallies_;
  std::set<std::uint64_t> metrics_;
  Profile profile_;
};

}  // namespace tracefold
