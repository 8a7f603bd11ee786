// Measures how the time of a run is spent, by rank, paradigm and call, and the efficiencies that
// POP defines, with times of waiting in place of a simulated network.
//
// The runtime is from the earliest begin to the latest end of the part over all ranks, and of the
// whole run over all threads and streams; with several loops, the sum. Useful time is that of a
// rank's master thread outside of MPI and of I/O. On an ideal network only waiting for others and
// I/O remain of the time in MPI. How long the part takes there is known where it was played again
// (pipeline/replay/replay.hpp); else the ideal runtime is at most that of the rank with least of
// the time that would vanish. Load balance, serialisation and transfer are of useful time and I/O
// together:
//
//   a rank computes 2 s and writes 3 s, another one computes 2 s and waits 3 s: the runtime is 5 s
//   load balance 3.5 / 5, communication 5 / 5, I/O 4 / 7: parallel efficiency 0.4
//
// A rank that is there only later, as one that MPI_Comm_spawn starts, counts from its begin to its
// end, and times are compared as shares of that:
//
//   rank 0 computes 8 of 10 s, rank 1, which begins after 6 s, 3.2 of 4 s: parallel efficiency 0.8
//
// The efficiency of threads is their computation divided by the useful time of masters, and in
// programs without MPI and OpenMP by the runtime; it is separate from those of MPI.
//
// Pure functions. Source: POP's efficiencies; Scalasca's times of waiting.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace tracefold {

// The times of a rank that efficiencies need.
struct RankMeasure {
  double useful = 0;
  double transfer = 0;  // in MPI, neither waiting nor I/O
  double io = 0;
  double measurement = 0;
  // The part of the runtime in which it is there; none: all of it.
  std::optional<double> present = {};
};
// What of the runtime remains on an ideal network.
struct IdealRuntime {
  bool knows_waiting = false;
  std::optional<double> share = {};  // where it was played

  bool is_known() const { return knows_waiting || share; }
};
// Load balance, communication, I/O, measurement and parallel efficiency, and, where the ideal
// runtime is known, serialisation and transfer; then `ideal` is set to it. All are none without a
// runtime.
Efficiencies compute_efficiencies(const std::vector<RankMeasure>& ranks, double runtime,
                                  const IdealRuntime& on_ideal,
                                  std::optional<double>* ideal = nullptr);

// How a call path counts in a summary.
struct SummedKind {
  bool is_mpi = false;       // of MPI, or called by it
  bool is_parallel = false;  // inside of a parallel region of OpenMP
  Paradigm paradigm = Paradigm::computation;
  bool is_mpi_io = false;
};
std::vector<SummedKind> classify_paths(const Aggregates& calls);
// The outermost parallel region of OpenMP that a path is in; the path itself where it is in none.
PathIndex find_region(const Aggregates& calls, const std::vector<SummedKind>& kinds,
                      PathIndex path);
// The function of a path, and its caller.
NamedCall name_call(const Aggregates& calls, PathIndex path);

// Everything but the finding and waiting.
Summary measure_run(const RunFacts& facts);

}  // namespace tracefold
