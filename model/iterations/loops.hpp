// The loops of processes, and the intervals of their iterations. Plain data,
// one owner at a time. Times are ticks of the trace's clock, as passes see them.
//
// Source: dynamics 3 (iterations of the main loop; 142.dmilc has five loops).
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/intent.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

// One call in another: what its caller entered directly.
struct Call {
  std::uint64_t begin = 0, end = 0;
  FunctionIndex function = 0;
  std::uint32_t order = 0;    // calls of the location that were entered before at the same time
  std::uint32_t calls = 1;    // this one and all that were entered while it was open
  std::uint32_t partner = 0;  // of communication: tells with whom; 0 where that is not known
};

struct Interval {
  std::uint64_t begin = 0, end = 0;

  bool operator==(const Interval&) const = default;
};
auto list_members(Like<Interval> auto& interval) {
  return std::tie(interval.begin, interval.end);
}

// The interval from the begin of the first to the end of the last of some.
inline void extend(std::optional<Interval>& all, const std::optional<Interval>& by) {
  if (!all)
    all = by;
  else if (by)
    all->end = std::max(all->end, by->end);
}

enum class LoopSource {
  asked,        // instances of the regions that the user named
  asked_begin,  // from call to call of the functions that the user named
  marked,       // instances of a region that the program or its tools marked
  call_path,    // one function, called once an iteration, takes at least half of the time
  sequence      // the same calls follow each other again and again
};

constexpr const char* to_text(LoopSource source) {
  switch (source) {
    case LoopSource::asked: return "asked";
    case LoopSource::asked_begin: return "begin asked";
    case LoopSource::marked: return "marked";
    case LoopSource::call_path: return "call path";
    default: return "sequence";
  }
}

// How far the number of iterations can be trusted. What is unsure is not folded by itself.
enum class Certainty : std::uint8_t { unsure, likely, sure };

constexpr const char* to_text(Certainty certainty) {
  switch (certainty) {
    case Certainty::sure: return "sure";
    case Certainty::likely: return "likely";
    default: return "unsure";
  }
}

// By the confidence in a loop. Above the upper bound, no wrong number of iterations is known.
constexpr Certainty rate_certainty(double confidence) {
  constexpr double least_sure = 0.745;
  constexpr double least_likely = 0.1;
  if (confidence >= least_sure)
    return Certainty::sure;
  return confidence >= least_likely ? Certainty::likely : Certainty::unsure;
}

// The other way to see the same time that was not chosen.
struct RunnerUp {
  FunctionIndex function = 0;
  std::uint64_t iterations = 0;
  double confidence = 0;  // relative to the chosen one: how much of its score it reaches

  bool operator==(const RunnerUp&) const = default;
};
auto list_members(Like<RunnerUp> auto& other) {
  return std::tie(other.function, other.iterations, other.confidence);
}

struct Loop {
  LoopSource source = LoopSource::sequence;
  // The open calls around it, from the outermost on.
  std::vector<FunctionIndex> path;
  // What tells the loop, see LoopSource; of a begin or a sequence the call where iterations part.
  FunctionIndex function = 0;

  // Ascending, apart; adjacent in found loops.
  std::vector<Interval> iterations;
  // Call::order of the call that begins each iteration. Empty: it is always the first call at its
  // time.
  std::vector<std::uint32_t> orders;
  // Calls entered at the end, in this order or later, are behind the loop.
  std::uint32_t end_order = 0;
  std::uint64_t ticks = 0;  // in iterations

  // How far the number of iterations can be trusted, from 0 to 1; 1 where they were not found.
  double confidence = 1;
  // Share of the loop's time in what tells it, from 0 to 1.
  double explained = 1;

  // These are known of found loops only.
  double work = 0;             // share of the process's time and of its calls, mean of both
  double score = 0;            // work, times how alike the iterations are
  std::uint64_t calls = 0;     // that an iteration usually makes here
  std::uint64_t subcalls = 0;  // in iterations, at any depth
  bool is_dominated = false;   // one iteration does more than half of the work, or nearly so
  bool has_own_calls = true;   // most iterations call more than MPI and tasks
  std::size_t warm_up = 0;     // passes of the same body before the loop, which are not in it
  std::optional<RunnerUp> runner_up;

  // Whether the iterations were found in the calls, not named by the user or by the program.
  bool is_found() const {
    return source == LoopSource::call_path || source == LoopSource::sequence;
  }
  // Whether each iteration is one call, of a region that is named, so that there may be calls
  // between two of them.
  bool is_of_single_calls() const {
    return source == LoopSource::asked || source == LoopSource::marked;
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
auto list_members(Like<Loop> auto& loop) {
  return std::tie(loop.source, loop.path, loop.function, loop.iterations, loop.orders,
                  loop.end_order, loop.ticks, loop.confidence, loop.explained, loop.work,
                  loop.score, loop.calls, loop.subcalls, loop.is_dominated, loop.has_own_calls,
                  loop.warm_up, loop.runner_up);
}

// What a process has. No loops are a normal answer.
struct ProcessLoops {
  std::vector<Loop> loops;  // by time, apart
  std::uint64_t first_time = 0, last_time = 0;
  // The process whose intervals these are, where it has none of its own.
  std::optional<std::size_t> taken_from;

  std::uint64_t ticks() const { return last_time - first_time; }
};
auto list_members(Like<ProcessLoops> auto& loops) {
  return std::tie(loops.loops, loops.first_time, loops.last_time, loops.taken_from);
}

// One loop over the processes that agree on it.
struct LoopSummary {
  Loop first;             // of the first of these processes
  double share = 0;       // of the time of these processes, from 0 to 1
  double confidence = 0;  // mean
  double explained = 0;   // mean
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
