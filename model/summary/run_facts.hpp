// The data that a summary is computed from: the processes of a program, what they did by call path
// in the part of the run that is looked at, and its loops, pairs of processes and groups. It is the
// same for a trace and for a reduced one. Plain data; times are in ticks.
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "model/iterations/loops.hpp"
#include "model/messages/early_messages.hpp"
#include "model/plan.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// The part of the run that a summary covers.
enum class RunPart : std::uint8_t {
  automatic,  // the main loops, or without any the time between MPI_Init and MPI_Finalize
  loop,       // the main loops
  mpi,        // from the end of MPI_Init to the begin of MPI_Finalize
  run,        // all of it
  window,     // a part of the time
};

// What ranks did in the iterations of their loop, in one or several iterations per column. The
// parts of a coupled program have loops of their own, with the same number.
struct IterationTimes {
  struct Column {
    double total = 0, computation = 0, waiting = 0;  // ticks, mean over ranks
    double most = 0;                                 // computation of the slowest rank
    std::size_t slowest = 0;                         // its process
    double messages = 0, bytes = 0;                  // that all of them send
  };
  std::size_t number = 0;  // of the loop, from 0 on
  std::size_t per_column = 1;
  std::uint64_t iterations = 0;         // of most ranks
  std::vector<std::size_t> ranks = {};  // their processes, ascending
  std::vector<Column> columns;
};

// Processes that do the same work.
struct ComputedGroup {
  std::string name;
  std::vector<std::size_t> members;  // ascending
};

// Processes whose records end early (filters/groups/early_ends.hpp).
struct EarlyEnds {
  std::vector<std::size_t> processes = {};  // ascending
  double first = 0, last = 0;  // when the first and the last of them end, as shares of the run
  // They are in no figure of ranks. Else figures are of the part of the run up to `first`.
  bool are_left_out = false;
};

// Ranks that are there only later than others, as those that MPI_Comm_spawn starts.
struct LateStarts {
  std::vector<std::size_t> masters = {};  // processes, ascending
  double first = 0;                       // when the first of them begins, as a share of the run
};

// What locations without calls, as those of energy meters, counted in the whole run, or in the
// window.
struct CounterSum {
  std::string name;
  double value = 0;
  std::string unit = {};  // as "J"; empty: not known
};

// What masters do between MPI_Init and MPI_Finalize outside of the main loops, as shares of that
// time, on average.
struct OutsideLoops {
  double before = 0, behind = 0;
  std::string function =
      {};  // with most of both, without callees; empty: none of the program's own
  double in_function = 0;
};

struct RunFacts {
  std::string trace;  // its anchor
  std::uint64_t ticks_per_second = 0;
  RunPart part = RunPart::run;       // never `automatic`
  std::string window = {};           // as the user asked for it
  std::vector<Process> processes;    // as a plan has them
  std::vector<std::uint64_t> types;  // by process: OTF2_LocationType
  std::vector<std::string> nodes;    // by process; empty: not known
  Aggregates calls;                  // by process, in the part
  // By piece of the part (a loop), and by process: its interval; both ends are 0 where a process
  // has nothing of it. Empty: not known.
  std::vector<std::vector<Interval>> spans = {};
  // By process, for the part, in ticks: exact sums where the values of call paths are not exact.
  // Empty: not known.
  struct ExactSums {
    std::vector<std::uint64_t> in_calls, waiting;
    std::map<Metric, std::uint64_t> waits;  // by kind, over all processes
  };
  ExactSums sums = {};
  // By process, for the part, in ticks: the times that SetAsideTimes has. Empty: there are none.
  struct SetAside {
    std::vector<std::uint64_t> off, flushes, overlaps;
  };
  SetAside set_aside = {};
  double recording_off = 0;  // the share of the whole run in which recording is off
  std::vector<IterationTimes> loops = {};
  bool loops_are_unsure = false;            // the number of iterations of some loops is unsure
  std::vector<std::uint64_t> numbers = {};  // of iterations; empty: 0, 1, 2, …
  // For the part, all of its loops together. None: not known, or there are no devices.
  std::optional<ProgramReplay> replay = {};
  std::optional<ProgramDevices> devices = {};
  // For the whole run.
  std::optional<std::vector<ProgramPair>> pairs = {};
  std::map<Metric, std::vector<std::uint64_t>> caused = {};
  std::optional<std::vector<ProgramDelay>> delays = {};  // their paths are those of `calls`
  std::vector<ComputedGroup> groups = {};
  // Only where the part is the main loop by default: the same for all time between MPI_Init and
  // MPI_Finalize, which includes the loop.
  std::shared_ptr<const RunFacts> around = nullptr;
  std::optional<OutsideLoops> outside_loops = {};  // only where the part is that time
  EarlyEnds early_ends = {};
  LateStarts late_starts = {};
  EarlyMessages early_messages = {};
  std::vector<CounterSum> counters = {};
  // Of the whole run. Empty: no operations on files are recorded; none: not known.
  std::optional<std::vector<ProgramFileUse>> files = {};
  std::uint64_t masters_ticks = 0;  // how long masters are there in the whole run, together
  unsigned percent = 0;             // times are exact to so many percent

  double to_seconds(double ticks) const {
    return ticks / (ticks_per_second ? static_cast<double>(ticks_per_second) : 1e9);
  }
};

}  // namespace tracefold
