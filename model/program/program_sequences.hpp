// What a run is played again from, as a small trace keeps it (pipeline/replay/replay.hpp): what
// each process did between its calls of MPI, what these depend on, and how long they take beyond
// that. When a call ends is not kept: playing tells. Plain data; times are ticks.
//
// Rank 0 computes 10 ticks and sends in 1, what rank 1 waits for from 4 on, until 12; without
// rounding that is
//   rank 0   segments: before, call   part times: 10   rest: 1   depends on nothing
//   rank 1   segments: before, call   part times: 4    rest: 2   on rank 0, segment 0
#pragma once

#include "base/packed_values.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace tracefold {

// Of one process; empty where it does not communicate. What lists have behind is zeros.
struct ProgramSequence {
  using List = std::vector<std::uint64_t>;

  // How many ticks a quantum of part times has, and one of rests; then by part of the run that was
  // played, four numbers: in which segment it begins, how far in it, in ticks, and the same of its
  // end; all 0 where it is not there.
  List spans;
  // Between cuts (pipeline/delays/call_times.hpp), one behind the other: 1 more than its kind, and
  // segment_kinds times the number of its parts. A call has those parts that are neither of MPI nor
  // waiting.
  List segments;
  List parts;  // of all segments: 1 more than call paths; 0 for time outside of all
  // How long parts take, and calls beyond theirs and what they depend on: 1 more than quanta; or 0,
  // and how many ticks it is stands in `long_times`, of parts first.
  List part_times, rests, long_times;
  List dependencies;  // of calls: how many
  // Of all of these. The kind: 1 for an operation in which processes meet, plus 2 where this one
  // waits for it, 4 where others wait for this one, and 8 where another call ends it. Of a message,
  // how far the other process is behind this one (behind the last one comes the first), and the
  // segment at whose end the call is entered that is waited for; of an operation 0, and its number.
  // A place is the zigzag of its difference to the place before: of the same process, or of an
  // operation.
  List kinds, others, places;
};

// Those that are tables.
struct SequenceList {
  const char* name;
  ProgramSequence::List ProgramSequence::*list;
  bool is_time;
};
inline constexpr SequenceList sequence_lists[] = {
    {"spans", &ProgramSequence::spans, false},
    {"segments", &ProgramSequence::segments, false},
    {"parts", &ProgramSequence::parts, false},
    {"part times", &ProgramSequence::part_times, true},
    {"rests of calls", &ProgramSequence::rests, true},
    {"long times", &ProgramSequence::long_times, false},
    {"dependencies", &ProgramSequence::dependencies, false},
    {"kinds", &ProgramSequence::kinds, false},
    {"others", &ProgramSequence::others, false},
    {"places", &ProgramSequence::places, false},
};
auto list_members(Like<ProgramSequence> auto& of) {
  return std::tie(of.spans, of.segments, of.parts, of.part_times, of.rests, of.long_times,
                  of.dependencies, of.kinds, of.others, of.places);
}

// Of all processes together; a run with more is not kept.
inline constexpr std::uint64_t most_sequence_numbers = std::uint64_t{1} << 22;

}  // namespace tracefold
