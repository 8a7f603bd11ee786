// Shared by the explanations of losses: their data, and the finding that they fill in. Times are in
// seconds. Pure.
#pragma once

#include "base/averages.hpp"
#include "filters/summary/blame.hpp"
#include "filters/summary/call_work.hpp"
#include "model/profile/metric.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

bool contains(const std::vector<std::size_t>& ascending, std::size_t value);
// The numbers below `count` that are not in `ascending`.
std::vector<std::size_t> list_rest(const std::vector<std::size_t>& ascending, std::size_t count);

// Ranks are ascending indexes into Summary::ranks; masters, and those that a finding names, are
// processes.
struct LossSearch {
  // Both must outlive this.
  LossSearch(const RunFacts& run, Summary& summary)
      : facts(run), out(summary), work(run), blame(run) {}

  std::vector<std::size_t> list_masters(const std::vector<std::size_t>& ranks) const;
  std::vector<std::size_t> list_all_masters() const;
  // The ranks of these masters.
  std::vector<std::size_t> find_ranks(const std::vector<std::size_t>& masters) const;
  // The masters of all other ranks.
  std::vector<std::size_t> list_others(const std::vector<std::size_t>& ranks) const;
  // The node of all these ranks, if they share one and there are others; otherwise empty.
  std::string find_node(const std::vector<std::size_t>& ranks) const;

  // Adds to the finding the call in which some take longer, unless it explains little of the delay.
  void take(const CallWork::Excess& excess);
  // Adds the calls in which others wait for these processes.
  void take_wait_for(const std::vector<std::size_t>& late);
  // Adds how many instructions and cycles the one that is named counts in its call, where both are
  // recorded.
  void take_counters();
  // Whether there was also waiting of this kind outside of the part. Then it is only known for the
  // whole run for whom, and how long, processes waited.
  bool is_blamed_outside(Metric metric) const;
  // All waiting of this kind in the part, in seconds: exact, also where values of call paths are
  // not.
  double sum_waits(Metric metric) const;
  // Adds that others wait so long in this way, and in which call. Amount and call belong together:
  // where several calls have it, the function of all of them is named, or the largest part:
  //
  //   133 ms in MPI_Waitall, called by exch_b, 124 ms called by exch_a: 257 ms in MPI_Waitall
  //   200 ms in MPI_Wait, 100 ms in MPI_Recv:                           200 ms in MPI_Wait
  void take_wait(Metric metric, double seconds);

  const RunFacts& facts;
  Summary& out;
  const CallWork work;
  const Blame blame;
};

}  // namespace tracefold
