// The calls of two processes, aligned: which are in both, and how much the differences cost. Plain
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

// One call. The calls of a process are in the order in which they begin.
struct CallNode {
  std::uint64_t begin = 0, inclusive = 0;  // ticks
  FunctionIndex function = 0;
  std::uint32_t caller = 0;  // index of the calling call; not_a_call: none
  std::uint32_t end = 0;     // index behind the last call inside of it
  std::uint32_t depth = 0;   // number of calls around it
};
inline constexpr std::uint32_t not_a_call = 0xffffffffu;

// The calls of a process, up to a limit.
struct ProcessCalls {
  std::vector<CallNode> calls;
  std::uint64_t all_calls = 0;               // of the process
  std::optional<std::uint32_t> least_depth;  // calls from this depth on count for their callers
  bool has_end = true;       // false: the limit was reached, and later calls are missing
  std::optional<Loop> loop;  // the loop that takes most of the time
};

enum class CallChange : std::uint8_t {
  same,      // the call is in both; its time may differ
  changed,   // another function is called at this place
  inserted,  // it is only in the second process
  deleted    // it is only in the first process
};
constexpr const char* to_text(CallChange change) {
  switch (change) {
    case CallChange::same: return "same";
    case CallChange::changed: return "changed";
    case CallChange::inserted: return "inserted";
    default: return "deleted";
  }
}

// For a call in both processes, times exclude its callees; for others, they include them.
struct AlignedCall {
  CallChange change = CallChange::same;
  std::string path;                      // "main > solve > MPI_Send"
  std::string function_in_b;             // for a changed call: the function that is called in b
  std::optional<std::size_t> iteration;  // of the main loop, from 0; none: outside, or not known
  std::uint64_t number = 0;              // its number among the calls of its process, from 0
  double a = 0, b = 0;                   // 0 where it is not called
  double cost() const { return b > a ? b - a : a - b; }
};

struct ChangedCalls {
  std::uint64_t calls = 0;  // without the calls inside of them
  double a = 0, b = 0;      // time in all of them
};

struct CallAlignment {
  std::string process_a, process_b;
  std::uint64_t calls_a = 0, calls_b = 0;
  double time_a = 0, time_b = 0;
  ChangedCalls same, changed, inserted, deleted;
  std::vector<AlignedCall> costly;                        // the most expensive ones first
  std::optional<std::size_t> iterations_a, iterations_b;  // of the loop that both processes have
  std::size_t cut_sequences = 0;  // sequences of calls that differ too much to be aligned
  std::optional<std::uint32_t> least_depth;  // deeper calls were not looked at
  bool has_end = true;                       // false: later calls were not looked at
};

}  // namespace tracefold
