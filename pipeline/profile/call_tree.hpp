// Call paths and who calls whom: (caller, function) to path.
//
// A path is numbered when it is added, so a caller's number is below those of its
// callees; the first stands for the virtual root. Memory: 8 bytes for a path and up
// to 64 of a hash table. One thread at a time.
//
// Source: dynamics 1.4.3 (call paths as a tree).
#pragma once

#include "model/profile/call_profile.hpp"

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
    const auto key = key_of(caller, function);
    for (auto s = slot_of(key);; s = (s + 1) & (slots_.size() - 1))
      if (slots_[s].key == key || slots_[s].path == no_path)
        return slots_[s].path;
  }
  PathIndex add(PathIndex caller, FunctionIndex function);
  // The innermost call of a function among a path and its callers, else no_path.
  PathIndex innermost(PathIndex path, FunctionIndex function) const;

  std::span<const CallPath> paths() const { return paths_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    PathIndex path = no_path;  // no_path: free
  };

  static std::uint64_t key_of(PathIndex caller, FunctionIndex function) {
    return std::uint64_t{caller} << 32 | function;
  }
  std::size_t slot_of(std::uint64_t key) const { return key * 0x9e3779b97f4a7c15u >> shift_; }
  void place(Slot slot);

  std::vector<CallPath> paths_;
  std::vector<Slot> slots_;  // at most half full
  unsigned shift_;
};

}  // namespace tracefold
