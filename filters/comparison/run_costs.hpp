// What the difference between two run times is made of, in seconds: by how much longer each
// function is on the critical path of the second run. Over all functions and the network, it is the
// difference, whoever waits for whom:
//
//   A: rank 0 solves 3 s, rank 1 4 s, then a barrier; B: rank 0 solves 6 s: solve costs 2 s, not 3
//
// Where the second run has another number of iterations, functions cost what they take longer than
// in as many iterations of the first one, and the iterations the rest.
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
// is a loop, in an iteration of it; and in all.
struct RunSize {
  double ranks = 0, threads = 0, work = 0, all_work = 0;
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
  // Whether functions cost what the network takes in them, too.
  bool knows_network() const { return knows_network_; }
  // By how much more the network holds up B.
  double of_network() const {
    return are_known() ? b_->network - factor_ * iterations_ * a_->network : 0;
  }
  // Of a function, with what the network takes in it.
  double of_class(ClassIndex of) const { return are_known() ? costs_[of].sum() : 0; }
  // Of all functions that wait for threads, or for accelerators: these are on no critical path.
  double of_waits(bool for_accelerators) const;
  // Of more or fewer iterations; 0: they are as many, or it is not known.
  double of_iterations() const { return are_known() ? (iterations_ - 1) * a_->in_loops : 0; }
  // How many times as many iterations B has; 1: not known.
  double iterations() const { return iterations_; }
  // How long a function is on the critical path of A.
  double in_a(ClassIndex of) const { return are_known() ? costs_[of].in_a : 0; }
  // " before the main loop", where most of what these cost is; empty: in it, or they cost nothing.
  std::string describe_phase(const std::vector<ClassIndex>& of) const;
  // The functions of MPI but those that begin and end it, whose time is no communication.
  bool is_of_network(ClassIndex of) const;
  // Those of them that send, receive or wait.
  bool communicates(ClassIndex of) const;
  bool is_bound(ClassIndex of) const;

 private:
  struct Cost {
    double in_loops = 0, outside = 0;
    double in_a = 0;  // of A alone, all of it
    double sum() const { return in_loops + outside; }
  };
  void add(std::size_t r, const PlayedRun::ByPath& seconds);

  const JoinedRuns& runs_;
  const PlayedRun *a_ = nullptr, *b_ = nullptr;
  std::optional<Scaling> scaling_;
  double factor_ = 1, iterations_ = 1;
  bool knows_network_ = false;
  std::vector<Cost> costs_;  // by function
};

}  // namespace tracefold
