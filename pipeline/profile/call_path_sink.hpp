// Collects the call tree of one location after the other from clean events.
//
// One per thread. The tree is kept from one location to the next, since most
// have the same call paths: only a path that no location of the thread had takes
// memory, 24 bytes and up to 64 of a hash table. A location whose recursion
// makes more than `most_paths` paths has the rest of it folded: there a call of a
// function that is open already counts for the path of that open call. Visits and
// exclusive times of functions stay exact, inclusive times may be too small then.
//
// Source: dynamics 3 (call-path profiles).
#pragma once

#include "pipeline/events/clean_events.hpp"
#include "pipeline/profile/call_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The call paths of one location, by the numbers that its thread gave them.
struct LocationPaths {
  std::vector<PathIndex> paths;                  // ascending; callers stand before what they call
  std::vector<std::uint64_t> visits, exclusive;  // of each path; exclusive in ticks
  std::uint64_t folded = 0;                      // calls
};

class CallPathSink {
 public:
  static constexpr std::size_t most_paths = std::size_t{1} << 18;

  explicit CallPathSink(std::size_t most = most_paths);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    auto path = tree_.find(at_, call.function);
    if (path == no_path || tallies_[path].visits == 0) [[unlikely]]
      path = first_visit(path, call.function);
    ++tallies_[path].visits;
    callers_.push_back(at_);
    at_ = path;
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    tallies_[at_].exclusive += call.exclusive;
    at_ = callers_.back();
    callers_.pop_back();
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}

  // What the location has whose events have all been seen.
  LocationPaths take();
  // All paths that any location had so far; the first stands for the virtual root.
  std::span<const CallPath> paths() const { return tree_.paths(); }

 private:
  struct Tally {
    std::uint64_t visits = 0, exclusive = 0;  // of the location that is read now
  };
  [[gnu::noinline]] PathIndex first_visit(PathIndex known, FunctionIndex function);

  std::size_t most_;
  CallTree tree_;
  std::vector<Tally> tallies_;      // of each path
  std::vector<PathIndex> callers_;  // of the open calls but the innermost
  PathIndex at_ = 0;                // the innermost open call
  std::vector<PathIndex> visited_;  // by the location that is read now
  std::uint64_t folded_ = 0;
};

}  // namespace tracefold
