// How the time of a run is spent: by rank, by paradigm, by call; and the efficiencies that POP
// defines, from times of waiting instead of a simulated network.
//
// Runtime is from the earliest begin to the latest end of the part over ranks, of several loops the
// sum. Useful is the time of a rank's master thread outside of MPI. On an ideal network what ranks
// wait for others stays, and all else in MPI but I/O is gone: the ideal runtime is that of the
// rank that has least of it. With threads, their computation over the time in which the masters
// are outside of MPI is the efficiency of OpenMP, apart from those of MPI.
//
// Pure functions. Source: POP's efficiencies; Scalasca's times of waiting.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// By rank its times, as far as formulas need them.
struct RankMeasure {
  double useful = 0;
  double transfer = 0;  // in MPI, neither waiting nor I/O
};
// Load balance, communication and parallel efficiency; and where times of waiting are known,
// serialisation and transfer. `ideal` is the ideal runtime then. None without a runtime.
Efficiencies compute_efficiencies(const std::vector<RankMeasure>& ranks, double runtime,
                                  bool knows_waiting, std::optional<double>* ideal = nullptr);

// A call path as it counts in a summary.
struct SummedKind {
  bool is_mpi = false;       // of MPI, or called by it
  bool is_parallel = false;  // in a parallel region of OpenMP
  Paradigm paradigm = Paradigm::computation;
  bool is_mpi_io = false;
};
std::vector<SummedKind> classify_paths(const Aggregates& calls);
// The function of a path, and who calls it.
NamedCall name_call(const Aggregates& calls, PathIndex path);

// All but the finding and what is waited for.
Summary measure_run(const RunFacts& facts);

}  // namespace tracefold
