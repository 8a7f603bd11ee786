// What a summary is computed from: who the processes of a program are, what they did in the part of
// the run that is looked at, by call path, and what its loops, pairs of processes and groups tell.
// It is the same of a trace and of a reduced one. Plain data; times are in ticks.
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "model/iterations/loops.hpp"
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

// The part of the run that a summary is of.
enum class RunPart : std::uint8_t {
  automatic,  // the main loops where there are any, else what is between init and finalize of MPI
  loop,       // the main loops
  mpi,        // from the end of MPI_Init to the begin of MPI_Finalize
  run,        // all of it
  window,     // a part of the time
};

// What the ranks did together in each of the iterations of a loop, or in some of them together.
struct IterationTimes {
  struct Column {
    double total = 0, computation = 0, waiting = 0;  // ticks, mean over the ranks
    double most = 0;                                 // computation of the slowest rank
    std::size_t slowest = 0;                         // its process
  };
  std::size_t number = 0;  // of the loop, from 0 on
  std::size_t per_column = 1;
  std::uint64_t iterations = 0;  // that most ranks have
  std::vector<Column> columns;
};

// Several processes that do the same work.
struct ComputedGroup {
  std::string name;
  std::vector<std::size_t> members;  // ascending
};

// What a process waits for on an accelerator of its own: the time of its calls of one function by
// one caller in which a kernel runs on a stream, and ends.
struct AcceleratorWait {
  std::size_t process = 0, stream = 0;  // both as processes
  std::string call, caller, kernel;     // functions, as people are shown them
  std::uint64_t ticks = 0;
};

struct RunFacts {
  std::string trace;  // its anchor
  std::uint64_t ticks_per_second = 0;
  RunPart part = RunPart::run;       // never `automatic`
  std::string window = {};           // as people have asked for it
  std::vector<Process> processes;    // as a plan knows them
  std::vector<std::uint64_t> types;  // by process: OTF2_LocationType
  std::vector<std::string> nodes;    // by process; empty: not known
  Aggregates calls;                  // by process, in the part
  // By piece of the part, as one loop, and process; both ends are 0 where a process has nothing of
  // it. Empty: not known.
  std::vector<std::vector<Interval>> spans = {};
  // By process, of the part, in ticks: sums that are exact where values of call paths are not.
  // Empty: they are not known.
  struct ExactSums {
    std::vector<std::uint64_t> in_calls, waiting;
  };
  ExactSums sums = {};
  std::vector<IterationTimes> loops = {};
  bool loops_are_unsure = false;  // how many iterations some of them have
  // In the part. None: they are not known, as those of a reduced trace.
  std::optional<std::vector<AcceleratorWait>> accelerator_waits = {};
  // Of the whole run.
  std::optional<std::vector<ProgramPair>> pairs = {};
  std::map<Metric, std::vector<std::uint64_t>> caused = {};
  std::optional<std::vector<ProgramDelay>> delays = {};  // their paths are those of `calls`
  std::vector<ComputedGroup> groups = {};
  // Where the part is the main loop and nobody asked for it: the same of all between the end of
  // MPI_Init and the begin of MPI_Finalize, which the loop is a part of.
  std::shared_ptr<const RunFacts> around = nullptr;
  // The processes are those that a reduction kept, of so many.
  std::optional<std::uint64_t> kept_of = {};
  bool leaves_out_ends = false;  // of the run: MPI_Init and MPI_Finalize
  unsigned percent = 0;          // times are exact to so much

  double to_seconds(double ticks) const {
    return ticks / (ticks_per_second ? static_cast<double>(ticks_per_second) : 1e9);
  }
};

}  // namespace tracefold
