// What the difference between two run times is made of, in seconds: by how much longer each
// function is on the critical path of the second run. Over all functions and the network, it is the
// difference, whoever waits for whom:
//
//   A: rank 0 solves 3 s, rank 1 4 s, then a barrier; B: rank 0 solves 6 s: solve costs 2 s, not 3
//
// Where the runs have other numbers of ranks or threads, the run time of A is what would be ideal:
// as long for as much work in each of them (weak scaling), else less (strong scaling). Pure.
//
// Source: Böhme et al. 2012 (critical path); Scalasca.
#pragma once

#include "filters/comparison/compare_runs.hpp"
#include "model/comparison/scaling.hpp"

#include <optional>
#include <string>

namespace tracefold {

// Ranks (without any, threads of CPUs), these threads, and what all compute in seconds; where there
// is a loop, in an iteration of it.
struct RunSize {
  double ranks = 0, threads = 0, work = 0;
};
RunSize measure_size(const ComparedRun& run, const CommonCalls& calls, std::size_t r);

class RunCosts {
 public:
  // Runs have to live as long as this. `asked`: which scaling it is; none: as work tells.
  RunCosts(const JoinedRuns& runs, std::optional<Scaling> asked);

  bool are_known() const { return a_ && b_; }
  // Which scaling it is; none: ranks and threads are as many.
  std::optional<Scaling> scaling() const { return scaling_; }
  // What is ideal for B, by what A takes: 1, or less under strong scaling.
  double factor() const { return factor_; }

  // The following are 0 where that is not known. How much longer B takes than what is ideal.
  double of_run() const { return are_known() ? b_->run - factor_ * a_->run : 0; }
  // By how much more the network holds up B.
  double of_network() const { return are_known() ? b_->network - factor_ * a_->network : 0; }
  // Functions whose change by that much per process is to be explained.
  double of_class(ClassIndex of, double change) const;
  // Of all functions that wait for threads, or for accelerators: these are on no critical path.
  double of_waits(bool for_accelerators) const;
  // Of more or fewer iterations; 0: they are as many, or it is not known.
  double of_iterations() const;
  // " before the main loop", where most of it is; empty: in it, or there is none.
  std::string describe_phase(ClassIndex of) const;
  // The functions of MPI that begin and end it: what they take is no communication.
  bool is_bound(ClassIndex of) const;

 private:
  struct Cost {
    double in_loops = 0, outside = 0;
    double sum() const { return in_loops + outside; }
  };

  const JoinedRuns& runs_;
  const PlayedRun *a_ = nullptr, *b_ = nullptr;
  std::optional<Scaling> scaling_;
  double factor_ = 1;
  std::vector<Cost> costs_;  // by function
};

}  // namespace tracefold
