// Collects the profile of one location from clean events.
//
// One per thread, used for one location after the other: its tables are as
// large as the number of functions and are wiped by what was touched.
#pragma once

#include "model/definition.hpp"
#include "model/profile.hpp"
#include "pipeline/function_table.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

namespace tracefold {

// The set of call pairs seen: one bit for each possible pair where that fits
// into 8 MiB, else a hash table.
class PairSet {
 public:
  explicit PairSet(std::size_t functions);
  void insert(FunctionIndex caller, FunctionIndex callee) {
    const std::uint64_t bit = std::uint64_t{caller + 1} * width_ + callee;  // the virtual root is row 0
    if (dense_) {
      auto& word = bits_[bit >> 6];
      const auto mask = std::uint64_t{1} << (bit & 63);
      if (word & mask) return;
      word |= mask;
    } else if (!seen_.insert(bit).second) {
      return;
    }
    pairs_.push_back({caller, callee});
  }
  std::vector<CallPair> take();  // ascending; the set is empty afterwards

 private:
  std::uint64_t width_;
  bool dense_;
  std::vector<std::uint64_t> bits_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<CallPair> pairs_;
};

class ProfileSink {
 public:
  ProfileSink(const Definitions& definitions, std::size_t functions);

  void enter(std::uint64_t time, std::uint64_t, FunctionIndex function, std::span<const Attribute>) {
    record(EventKind::Enter, time);
    pairs_.insert(stack_.empty() ? virtual_root : stack_.back().function, function);
    auto& tally = tallies_[function];
    if (tally.visits++ == 0) touched_.push_back(function);
    ++tally.depth;
    stack_.push_back({function, time, 0});
  }

  void leave(std::uint64_t time, std::uint64_t, FunctionIndex, std::span<const Attribute>) {
    record(EventKind::Leave, time);
    const auto top = stack_.back();
    stack_.pop_back();
    const std::uint64_t inclusive = time - top.entered;
    auto& tally = tallies_[top.function];
    tally.exclusive += inclusive - top.in_callees;
    if (--tally.depth == 0) tally.inclusive += inclusive;
    if (!stack_.empty()) stack_.back().in_callees += inclusive;
  }

  void other(Event& event);
  void unknown(std::uint64_t time) {
    stamp(time);
    ++profile_.unknown_records;
  }

  // The profile of a location whose events have all been seen.
  Profile take(std::uint64_t location_type);

 private:
  struct Call {
    FunctionIndex function;
    std::uint64_t entered, in_callees;
  };
  struct Tally {
    std::uint64_t visits = 0, exclusive = 0, inclusive = 0, depth = 0;
  };
  void stamp(std::uint64_t time) {
    if (profile_.events++ == 0) profile_.first_time = time;
    profile_.last_time = time;
  }
  void record(EventKind kind, std::uint64_t time) {
    ++profile_.records[static_cast<std::size_t>(kind)];
    stamp(time);
  }

  const Definitions& definitions_;
  PairSet pairs_;
  std::vector<Call> stack_;
  std::vector<Tally> tallies_;
  std::vector<FunctionIndex> touched_;
  std::set<std::uint64_t> metrics_;
  Profile profile_;
};

}  // namespace tracefold
