// The loops of processes and the intervals of their iterations. Plain data, one owner at a time.
// Times are ticks of the trace's clock, as passes see them.
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

// A direct call in another one.
struct Call {
  std::uint64_t begin = 0, end = 0;
  FunctionIndex function = 0;
  std::uint32_t order = 0;    // calls of the location entered before at the same time
  std::uint32_t calls = 1;    // number of calls: itself and all inside of it
  std::uint32_t partner = 0;  // for communication: identifies the partners; 0: not known
};

struct Interval {
  std::uint64_t begin = 0, end = 0;

  bool operator==(const Interval&) const = default;
};
auto list_members(Like<Interval> auto& interval) {
  return std::tie(interval.begin, interval.end);
}

// Extends an interval to the end of another one.
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
  call_path,  // one function that is called once per iteration and takes at least half of the time
  sequence    // a sequence of calls that repeats
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

// How reliable the number of iterations is. Unsure loops are folded only on request.
enum class Certainty : std::uint8_t { unsure, likely, sure };

constexpr const char* to_text(Certainty certainty) {
  switch (certainty) {
    case Certainty::sure: return "sure";
    case Certainty::likely: return "likely";
    default: return "unsure";
  }
}

// From the confidence of a loop. No wrong number of iterations is known above the upper bound.
constexpr Certainty rate_certainty(double confidence) {
  constexpr double least_sure = 0.745;
  constexpr double least_likely = 0.1;
  if (confidence >= least_sure)
    return Certainty::sure;
  return confidence >= least_likely ? Certainty::likely : Certainty::unsure;
}

// The best alternative interpretation of the same time.
struct RunnerUp {
  FunctionIndex function = 0;
  std::uint64_t iterations = 0;
  double confidence = 0;  // its score as a share of the score of the chosen one

  bool operator==(const RunnerUp&) const = default;
};
auto list_members(Like<RunnerUp> auto& other) {
  return std::tie(other.function, other.iterations, other.confidence);
}

struct Loop {
  LoopSource source = LoopSource::sequence;
  // The calls around the loop, the outermost first.
  std::vector<FunctionIndex> path;
  // The function that identifies the loop, see LoopSource; for asked_begin and sequence, the call
  // that separates iterations.
  FunctionIndex function = 0;

  // Ascending and not overlapping; without gaps in loops that were found.
  std::vector<Interval> iterations;
  // Call::order of the call at the beginning of each iteration. Empty: it is always the first call
  // at its time.
  std::vector<std::uint32_t> orders;
  // Calls at the end time with this order or a later one are behind the loop.
  std::uint32_t end_order = 0;
  std::uint64_t ticks = 0;  // sum over iterations

  // How reliable the number of iterations is, from 0 to 1; 1 where the iterations were not searched
  // for.
  double confidence = 1;
  // The share of the loop's time that the identifying calls cover, from 0 to 1.
  double explained = 1;

  // The following are known only for loops that were found.
  double work = 0;                    // mean of its shares of the process's time and of its calls
  double score = 0;                   // work times the similarity of the iterations
  std::uint64_t calls = 0;            // direct calls of a typical iteration
  std::uint64_t subcalls = 0;         // calls in all iterations, at any depth
  std::uint64_t fewest_subcalls = 0;  // of an iteration
  bool is_dominated = false;          // one iteration does about half of the work or more
  bool is_repeated = false;           // iterations make the same calls, with the same partners
  bool has_own_calls = true;          // most iterations call more than MPI and tasks
  std::size_t warm_up = 0;  // passes of the same body before the loop that do not belong to it
  std::optional<RunnerUp> runner_up;

  // Whether the iterations were found by search, and not named by the user or the program.
  bool is_found() const {
    return source == LoopSource::call_path || source == LoopSource::sequence;
  }
  // Whether each iteration is a single call of a named region. Other calls may then be between two
  // iterations.
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
                  loop.score, loop.calls, loop.subcalls, loop.fewest_subcalls, loop.is_dominated,
                  loop.is_repeated, loop.has_own_calls, loop.warm_up, loop.runner_up);
}

// The loops of a process. Having none is normal.
struct ProcessLoops {
  std::vector<Loop> loops;  // by time, not overlapping
  std::uint64_t first_time = 0, last_time = 0;
  // The process whose iterations were taken, where this one has none of its own.
  std::optional<std::size_t> taken_from;

  std::uint64_t ticks() const { return last_time - first_time; }
};
auto list_members(Like<ProcessLoops> auto& loops) {
  return std::tie(loops.loops, loops.first_time, loops.last_time, loops.taken_from);
}

// One loop of the processes that agree on it.
struct LoopSummary {
  Loop first;             // as the first of these processes has it
  double share = 0;       // of the time of these processes, from 0 to 1
  double confidence = 0;  // mean
  double explained = 0;   // mean
  std::uint64_t shortest = 0, median = 0, longest = 0;  // ticks of an iteration
};

// The loops of most processes of a group, and the processes that differ.
struct GroupLoops {
  std::size_t group = 0;
  std::vector<LoopSummary> loops;      // by time
  std::vector<std::size_t> agreeing;   // processes, ascending
  std::vector<std::size_t> differing;  // processes, ascending
};

// All loops, by group and by process of the plan.
struct LoopReport {
  std::vector<GroupLoops> groups;
  std::vector<ProcessLoops> processes;
};

}  // namespace tracefold
