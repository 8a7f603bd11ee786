#include "filters/summary/find_causes.hpp"

#include "filters/messages/report_waiting.hpp"
#include "model/process_names.hpp"

namespace tracefold {

void find_causes(const RunFacts& facts, Summary& summary) {
  if (!facts.pairs || !facts.delays)
    return;

  RankPairs pairs;
  pairs.pairs = *facts.pairs;
  pairs.ticks_per_second = facts.ticks_per_second;
  pairs.caused = facts.caused;
  pairs.delays = facts.delays;
  for (const auto& process : facts.processes)
    pairs.names.push_back(name_process(process));
  pairs.paths = facts.calls.profiles.paths;
  pairs.time_metrics = facts.calls.time_metrics;
  for (const auto& function : facts.calls.functions)
    pairs.functions.push_back(function.name);
  summary.causes = report_waiting(pairs);
}

}  // namespace tracefold
