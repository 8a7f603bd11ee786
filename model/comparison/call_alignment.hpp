// The calls of two processes, aligned: which are in both, and what those cost that differ. Plain
// data. Times are in seconds.
#pragma once

#include "model/iterations/loops.hpp"
#include "model/profile/intent.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// One call of a process. The calls of a process stand in the order in which they begin.
struct CallNode {
  std::uint64_t begin = 0, inclusive = 0;  // ticks
  FunctionIndex function = 0;
  std::uint32_t caller = 0;  // place of the call around it; not_a_call: there is none
  std::uint32_t end = 0;     // behind the last of the calls in it
  std::uint32_t depth = 0;   // calls around it
};
inline constexpr std::uint32_t not_a_call = 0xffffffffu;

// The calls of a process, as far as they have room.
struct ProcessCalls {
  std::vector<CallNode> calls;
  std::uint64_t all_calls = 0;               // of the process
  std::optional<std::uint32_t> least_depth;  // calls from this depth on count for those around them
  bool has_end = true;                       // false: later calls were too many
  std::optional<Loop> loop;                  // that takes most of the time
};

enum class CallChange : std::uint8_t {
  same,      // the call is in both, and may take another time
  changed,   // another function is called at this place
  inserted,  // it is in the second process alone
  deleted    // in the first one alone
};
constexpr const char* to_text(CallChange change) {
  switch (change) {
    case CallChange::same: return "same";
    case CallChange::changed: return "changed";
    case CallChange::inserted: return "inserted";
    default: return "deleted";
  }
}

// Of a call in both, times are those of itself without what it calls; else of all of it.
struct AlignedCall {
  CallChange change = CallChange::same;
  std::string path;                      // "main > solve > MPI_Send"
  std::string function_in_b;             // where it is changed: what is called there
  std::optional<std::size_t> iteration;  // of the main loop, from 0; none: outside, or not known
  std::uint64_t number = 0;              // of the calls of the process that has it, from 0
  double a = 0, b = 0;                   // 0 where it is not
  double cost() const { return b > a ? b - a : a - b; }
};

struct ChangedCalls {
  std::uint64_t calls = 0;  // without what these call
  double a = 0, b = 0;      // time in all of them
};

struct CallAlignment {
  std::string process_a, process_b;
  std::uint64_t calls_a = 0, calls_b = 0;
  double time_a = 0, time_b = 0;
  ChangedCalls same, changed, inserted, deleted;
  std::vector<AlignedCall> costly;                        // those that cost most, the first most
  std::optional<std::size_t> iterations_a, iterations_b;  // of the loop that both have
  std::size_t cut_sequences = 0;                          // of calls that differ in too much
  std::optional<std::uint32_t> least_depth;               // deeper calls were not looked at
  bool has_end = true;                                    // false: later calls were not looked at
};

}  // namespace tracefold
