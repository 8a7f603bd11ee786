// The loops of processes, and the intervals of their iterations. Plain data,
// one owner at a time. Times are ticks of the trace's clock, as passes see them.
//
// Source: dynamics 3 (iterations of the main loop; 142.dmilc has five loops).
#pragma once

#include "model/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// One call in another: what its caller entered directly.
struct Call {
  std::uint64_t begin = 0, end = 0;
  FunctionIndex function = 0;
  std::uint32_t order = 0;  // calls of the location that were entered before at the same time
};

struct Interval {
  std::uint64_t begin = 0, end = 0;

  bool operator==(const Interval&) const = default;
};

enum class LoopSource {
  asked,      // instances of the regions that the user named
  marked,     // instances of a region that the program or its tools marked
  call_path,  // one function, called once an iteration, takes at least half of the time
  sequence    // the same calls follow each other again and again
};

constexpr const char* to_text(LoopSource source) {
  switch (source) {
    case LoopSource::asked: return "asked";
    case LoopSource::marked: return "marked";
    case LoopSource::call_path: return "call path";
    default: return "sequence";
  }
}

// The other way to see the same time that was not chosen.
struct RunnerUp {
  FunctionIndex function = 0;
  std::uint64_t iterations = 0;
  double confidence = 0;

  bool operator==(const RunnerUp&) const = default;
};

struct Loop {
  LoopSource source = LoopSource::sequence;
  std::vector<FunctionIndex> path;  // the open calls around it, from the outermost on
  FunctionIndex function =
      0;  // that tells the loop: see LoopSource; of a sequence the call where iterations are parted
  std::vector<Interval> iterations;  // ascending, apart; adjacent in found loops
  std::vector<std::uint32_t>
      orders;  // of the call that begins each (see Call); none: all are the first at their times
  std::uint32_t end_order =
      0;  // calls entered at the end, in this order or later, are behind the loop; of found loops
  std::uint64_t ticks = 0;  // in iterations
  double confidence = 1;    // from 0 to 1: how much alike the iterations are
  std::uint64_t calls = 0;  // that an iteration usually makes here; of found loops
  std::optional<RunnerUp> runner_up;

  // Whether the iterations were found in the calls, not named by the user or by the program.
  bool is_found() const {
    return source == LoopSource::call_path || source == LoopSource::sequence;
  }
  std::uint64_t begin() const { return iterations.front().begin; }
  std::uint64_t end() const { return iterations.back().end; }
  std::uint32_t begin_order(std::size_t iteration) const {
    return orders.empty() ? 0 : orders[iteration];
  }
  void add(Interval iteration, std::uint32_t order) {
    if (order != 0 && orders.empty())
      orders.resize(iterations.size());
    if (order != 0 || !orders.empty())
      orders.push_back(order);
    iterations.push_back(iteration);
  }
};

// What a process has. No loops are a normal answer.
struct ProcessLoops {
  std::vector<Loop> loops;  // by time, apart
  std::uint64_t first_time = 0, last_time = 0;
  std::optional<std::size_t>
      taken_from;  // the process whose intervals these are, where it has none of its own

  std::uint64_t ticks() const { return last_time - first_time; }
};

// One loop over the processes that agree on it.
struct LoopSummary {
  Loop first;             // of the first of these processes
  double share = 0;       // of the time of these processes, from 0 to 1
  double confidence = 0;  // mean
  std::uint64_t shortest = 0, median = 0, longest = 0;  // ticks, of their iterations
};

// What most processes of a group say, and who says something else.
struct GroupLoops {
  std::size_t group = 0;
  std::vector<LoopSummary> loops;      // by time
  std::vector<std::size_t> agreeing;   // processes, ascending
  std::vector<std::size_t> differing;  // processes, ascending
};

// What was found: by group, and by process of the plan.
struct LoopReport {
  std::vector<GroupLoops> groups;
  std::vector<ProcessLoops> processes;
};

}  // namespace tracefold
