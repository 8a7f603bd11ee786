// The time of processes by call path, without waiting, and in which calls some of them take more
// than others. Times are in seconds. Pure.
#pragma once

#include "filters/summary/measure_run.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// By function and caller.
using CallSums = std::map<std::pair<std::string, std::string>, double>;
// The call with the largest sum, and that sum.
std::pair<NamedCall, double> find_most(const CallSums& sums);

class CallWork {
 public:
  // The facts must outlive this.
  explicit CallWork(const RunFacts& facts);

  const SummedKind& kind(PathIndex path) const { return kinds_[path]; }
  const std::vector<SummedKind>& kinds() const { return kinds_; }
  // The time of a process by path.
  std::map<PathIndex, double> list(std::size_t process) const;

  // The call in which some processes take longer than others on average, by how much, and whether
  // they are alone in it.
  struct Excess {
    NamedCall call;
    Paradigm paradigm = Paradigm::computation;
    double own = 0, others = 0;  // on average
    double difference() const { return own - others; }
    bool is_alone() const { return others < 0.02 * own; }
  };
  // `who` are some of the processes in `all`, in any order. Of MPI only file operations count, and
  // messages if `with_mpi`.
  Excess find_excess(const std::vector<std::size_t>& who, const std::vector<std::size_t>& all,
                     bool with_mpi) const;

 private:
  const RunFacts& facts_;
  std::vector<SummedKind> kinds_;  // by path
  std::size_t time_;               // column
};

}  // namespace tracefold
