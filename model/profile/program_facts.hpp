// What the calls of a program are, in numbers. Plain data.
//
// Source: thesis 2 (call depths and numbers of functions), dynamics 2.2 and 4 (kinds of call paths:
// MPI, on the way to MPI, computation).
#pragma once

#include "model/profile/intent.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Call paths of one kind, over all processes; times in ticks, without callees.
struct PathSums {
  std::size_t paths = 0;
  double visits = 0, time = 0;
};

struct ProgramFacts {
  std::uint64_t processes = 0;  // with those that kept ones stand for
  std::size_t deepest = 0;      // calls inside each other
  double mean_depth = 0;        // of a visit
  PathSums mpi;                 // calls of MPI, and what they call
  PathSums to_mpi;              // paths that lead to such a call
  PathSums computation;         // all others

  // A function that no path to MPI has, with many and short calls.
  struct ShortFunction {
    FunctionIndex function = 0;
    double visits = 0, time = 0;
    double share = 0;  // of all visits
  };
  std::vector<ShortFunction> short_functions;  // those with most visits first

  std::size_t paths() const { return mpi.paths + to_mpi.paths + computation.paths; }
  double visits() const { return mpi.visits + to_mpi.visits + computation.visits; }
  double time() const { return mpi.time + to_mpi.time + computation.time; }
};

}  // namespace tracefold
