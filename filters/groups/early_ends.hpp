// Finds processes whose records end early: calls are open at the end, and others of their kind go
// on for long, as where the buffer of a recorder was full or a process was killed. What they did
// later is not known.
//
// A process that called MPI_Finalize went to its end. Main threads are compared with each other. A
// thread that is none may have waited in one call until the program ended, and counts only where
// processes that go on make the same calls:
//
//   rank 0   main  step … step   50 ms
//   rank 1   main  step          11 ms, both calls are open: its records end early
//
// Pure; times are in ticks.
#pragma once

#include <cstdint>
#include <vector>

namespace tracefold {

struct Plan;

// Where the records of a process end.
struct RecordEnd {
  std::uint64_t last_time = 0;
  bool is_open = false;             // calls are open then, and it has not called MPI_Finalize
  std::uint64_t recording_off = 0;  // how long recording was off before that
};

// Fills Process::ends_early of a plan with intents, by process. Nothing where it is not known when
// the program ran.
void mark_early_ends(Plan& plan, const std::vector<RecordEnd>& ends);

}  // namespace tracefold
