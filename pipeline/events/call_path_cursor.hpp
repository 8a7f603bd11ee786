// A growing tree of call paths, and the cursor that follows the calls of a location in it.
// Everything that is measured by call path uses this cursor.
//
// A path is numbered when it is added, so a caller's number is lower than those of its callees;
// path 0 is the virtual root. Memory: 8 bytes for a path, 1 for each cursor, and up to 64 of a hash
// table. One thread at a time.
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

  // no_path if it was never added.
  [[gnu::always_inline]] PathIndex find(PathIndex caller, FunctionIndex function) const {
    const auto key = make_key(caller, function);
    for (auto s = find_slot(key);; s = (s + 1) & (slots_.size() - 1))
      if (slots_[s].key == key || slots_[s].path == no_path)
        return slots_[s].path;
  }
  PathIndex add(PathIndex caller, FunctionIndex function);
  // The innermost call of a function among a path and its callers; otherwise no_path.
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

// Follows the calls of one location after the other. The tree is kept for the next location, since
// most have the same call paths.
//
// In a location whose recursion makes more than `most` paths, a call of a function that is already
// open then counts for the path of that open call. Visits and exclusive times of functions stay
// exact; inclusive times of call paths may become too small.
class CallPathCursor {
 public:
  static constexpr std::size_t most_paths = std::size_t{1} << 18;

  explicit CallPathCursor(std::size_t most = most_paths) : most_(most), visited_(1) {}

  // Call these for each call, in order. They return the path of the call.
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

  // The path of `functions`, the outermost first, called by the innermost of the first `open_calls`
  // open calls. Does not enter them.
  PathIndex visit(std::size_t open_calls, std::span<const FunctionIndex> functions);

  // The path of the innermost open call; 0 without open calls.
  PathIndex path() const { return path_; }
  std::size_t open_calls() const { return callers_.size(); }
  // All paths, of all locations so far.
  std::span<const CallPath> paths() const { return tree_.paths(); }
  // The paths of this location so far, in the order of first visits.
  const std::vector<PathIndex>& visited() const { return visits_; }
  // How many calls of this location were counted for the path of an open call.
  std::uint64_t folded() const { return folded_; }

  // Forgets the location, but keeps the paths.
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
