// What processes do by call path, without the time that they wait, and what some of them do more of
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
// The call with most, and how much that is.
std::pair<NamedCall, double> find_most(const CallSums& sums);

class CallWork {
 public:
  // The facts must stay.
  explicit CallWork(const RunFacts& facts);

  const SummedKind& kind(PathIndex path) const { return kinds_[path]; }
  // By path what a process does there.
  std::map<PathIndex, double> list(std::size_t process) const;

  // In which call some processes take longer than others on average, by how much; and whether only
  // they are in it.
  struct Excess {
    NamedCall call;
    Paradigm paradigm = Paradigm::computation;
    double own = 0, others = 0;  // on average
    double difference() const { return own - others; }
    bool is_alone() const { return others < 0.02 * own; }
  };
  // `who` are some of all these processes, ascending or not. Of MPI only file operations count, and
  // messages where that is asked for.
  Excess find_excess(const std::vector<std::size_t>& who, const std::vector<std::size_t>& all,
                     bool with_mpi) const;

 private:
  const RunFacts& facts_;
  std::vector<SummedKind> kinds_;  // by path
  std::size_t time_;               // column
};

}  // namespace tracefold
