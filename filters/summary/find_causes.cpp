#include "filters/summary/find_causes.hpp"

#include "filters/messages/report_waiting.hpp"

namespace tracefold {

void find_causes(const RunFacts& facts, Summary& summary) {
  if (!facts.pairs || !facts.delays)
    return;

  RankPairs pairs;
  pairs.pairs = *facts.pairs;
  pairs.ticks_per_second = facts.ticks_per_second;
  pairs.caused = facts.caused;
  pairs.delays = facts.delays;
  name_pairs(facts.processes, facts.calls, pairs);
  summary.causes = report_waiting(pairs);
}

}  // namespace tracefold
