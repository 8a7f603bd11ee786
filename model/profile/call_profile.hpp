// A call-path profile: which call paths the processes of a trace have, how often
// each process enters each of them, and how long it stays. Plain data, one owner
// at a time.
//
// The tree of call paths is shared. A process holds numbers only for the paths
// that it has: 16 bytes a path, and few processes differ in which ones these are
// (their shapes). Times are ticks of the trace's clock.
//
// Source: dynamics 3 (call-path profiles), thesis 4.4.2 (the profile viewer).
#pragma once

#include "model/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold {

// Index into CallProfile::paths, or of a place in a shape.
using PathIndex = std::uint32_t;
inline constexpr PathIndex no_path = 0xffffffffu;  // the caller of what nobody calls

struct CallPath {
  PathIndex caller = no_path;  // always before its callees
  FunctionIndex function = virtual_root;

  bool operator==(const CallPath&) const = default;
};

// The call paths that a process has. With a path it has all that lead to it.
struct CallShape {
  std::vector<PathIndex> paths;    // ascending
  std::vector<PathIndex> callers;  // of each path, as a place in `paths`

  bool operator==(const CallShape&) const = default;
};

struct CallProfile {
  struct One {
    std::uint32_t shape = 0;                       // index into `shapes`
    std::vector<std::uint64_t> visits, exclusive;  // of each path of the shape
  };
  std::vector<CallPath> paths;    // depth first, callees of one path ascending by function
  std::vector<CallShape> shapes;  // distinct, by the first process that has them
  std::vector<One> processes;

  const CallShape& shape_of(std::size_t process) const { return shapes[processes[process].shape]; }
};

// Of each path of the process's shape the ticks in it and in what it calls.
inline std::vector<std::uint64_t> inclusive_times(const CallProfile& profile, std::size_t process) {
  auto times = profile.processes[process].exclusive;
  const auto& callers = profile.shape_of(process).callers;
  for (auto place = times.size(); place-- > 0;)
    if (callers[place] != no_path)
      times[callers[place]] += times[place];

  return times;
}

}  // namespace tracefold
