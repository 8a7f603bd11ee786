// What the explanations of a loss have in common: what they look at, and the finding in which they
// put who causes it and where. Times are in seconds. Pure.
#pragma once

#include "filters/summary/blame.hpp"
#include "filters/summary/call_work.hpp"
#include "model/profile/metric.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// 0 of no values.
double compute_mean(const std::vector<double>& values);
bool contains(const std::vector<std::size_t>& ascending, std::size_t value);
// All below `count` that are not among these.
std::vector<std::size_t> list_rest(const std::vector<std::size_t>& ascending, std::size_t count);

// Ranks are places in Summary::ranks, ascending; their masters, and whom a finding names, are
// processes.
struct LossSearch {
  // Both must stay.
  LossSearch(const RunFacts& run, Summary& summary)
      : facts(run), out(summary), work(run), blame(run) {}

  std::vector<std::size_t> list_masters(const std::vector<std::size_t>& ranks) const;
  std::vector<std::size_t> list_all_masters() const;
  // Of all ranks but these.
  std::vector<std::size_t> list_others(const std::vector<std::size_t>& ranks) const;
  // The node that these ranks are all of, where there are other nodes; else empty.
  std::string find_node(const std::vector<std::size_t>& ranks) const;

  // Puts the call in which some take longer into the finding. What explains little of the lateness
  // is not taken.
  void take(const CallWork::Excess& excess);
  // In which calls the others wait for these.
  void take_wait_for(const std::vector<std::size_t>& late);
  // Whether processes waited in this way outside of the part, too: then whom they waited for, and
  // how long, is known of the whole run only.
  bool is_blamed_outside(Metric metric) const;
  // In which call is waited most of this kind.
  void take_wait_call(Metric metric);

  const RunFacts& facts;
  Summary& out;
  const CallWork work;
  const Blame blame;
};

}  // namespace tracefold
