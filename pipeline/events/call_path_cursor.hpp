// A growing tree of call paths, and the cursor that follows the calls of a location
// through it. Whatever is measured by call path is measured through this cursor.
//
// A path is numbered when it is added, so a caller's number is below those of its
// callees; path 0 stands for the virtual root. Memory: 8 bytes for a path, 1 for each
// cursor, and up to 64 of a hash table. One thread at a time.
//
// Source: dynamics 1.4.3 (call paths as a tree).
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class CallTree {
 public:
  CallTree();

  // no_path where it was never added.
  [[gnu::always_inline]] PathIndex find(PathIndex caller, FunctionIndex function) const {
    const auto key = make_key(caller, function);
    for (auto s = find_slot(key);; s = (s + 1) & (slots_.size() - 1))
      if (slots_[s].key == key || slots_[s].path == no_path)
        return slots_[s].path;
  }
  PathIndex add(PathIndex caller, FunctionIndex function);
  // The innermost call of a function among a path and its callers, else no_path.
  PathIndex find_innermost(PathIndex path, FunctionIndex function) const;

  std::span<const CallPath> paths() const { return paths_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    PathIndex path = no_path;  // no_path: free
  };

  static std::uint64_t make_key(PathIndex caller, FunctionIndex function) {
    return std::uint64_t{caller} << 32 | function;
  }
  std::size_t find_slot(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15u >> shift_; }
  void place(Slot slot);

  std::vector<CallPath> paths_;
  std::vector<Slot> slots_;  // at most half full
  unsigned shift_;
};

// Follows the calls of one location after the other. The tree stays from one location to
// the next, since most have the same call paths.
//
// A location whose recursion makes more than `most` paths has the rest of it folded: there
// a call of a function that is open already counts for the path of that open call. Visits
// and exclusive times of functions stay exact, those of call paths with their callees may
// be too small then.
class CallPathCursor {
 public:
  static constexpr std::size_t most_paths = std::size_t{1} << 18;

  explicit CallPathCursor(std::size_t most = most_paths) : most_(most), visited_(1) {}

  // Call both for each call, in their order. They return the path of the call.
  [[gnu::always_inline]] PathIndex enter(FunctionIndex function) {
    auto path = tree_.find(path_, function);
    if (path == no_path || !visited_[path]) [[unlikely]]
      path = visit_first(path, path_, function);

    callers_.push_back(path_);
    path_ = path;

    return path;
  }
  [[gnu::always_inline]] PathIndex leave() {
    const auto path = path_;
    path_ = callers_.back();
    callers_.pop_back();
    return path;
  }

  // The path of calls, the outermost first, that the innermost of so many open ones leads to,
  // without entering them.
  PathIndex visit(std::size_t open_calls, std::span<const FunctionIndex> functions);

  // The path of the innermost open call, 0 where no call is open.
  PathIndex path() const { return path_; }
  std::size_t open_calls() const { return callers_.size(); }
  // All paths that any location had so far.
  std::span<const CallPath> paths() const { return tree_.paths(); }
  // The paths that this location has so far, in the order of their first visits.
  const std::vector<PathIndex>& visited() const { return visits_; }
  // The calls of this location that were counted for the path of an open call.
  std::uint64_t folded() const { return folded_; }

  // Forgets the location, but not the paths.
  void begin_location();

 private:
  [[gnu::noinline]] PathIndex visit_first(PathIndex known, PathIndex caller,
                                          FunctionIndex function);

  std::size_t most_;
  CallTree tree_;
  std::vector<unsigned char> visited_;  // by path: whether this location has it
  std::vector<PathIndex> visits_;
  std::vector<PathIndex> callers_;  // of the open calls but the innermost
  PathIndex path_ = 0;
  std::uint64_t folded_ = 0;
};

}  // namespace tracefold
