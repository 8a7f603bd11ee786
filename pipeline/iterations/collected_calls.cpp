#include "pipeline/iterations/collected_calls.hpp"

#include "base/team.hpp"
#include "model/profile/time_metric.hpp"

#include <utility>

namespace tracefold {

bool drops_mpi(const Definitions& definitions, const FunctionTable& functions,
               const std::vector<FilterSection>& filters) {
  if (!functions.drops_any())
    return false;

  const auto metrics = find_time_metrics(definitions, functions);
  for (std::size_t f = 0; f < metrics.size(); ++f)
    if (is_mpi_time(metrics[f]) && is_dropped(functions.functions()[f], filters))
      return true;
  return false;
}

CallCollector::CallCollector(const Definitions& definitions, const FunctionTable& functions,
                             std::size_t processes, const WantedCalls& wanted)
    : definitions_(definitions),
      functions_(functions),
      time_metrics_(find_time_metrics(definitions_, functions)),
      collects_waits_(wanted.waits == RecordWaits::all) {
  if (collects_waits_) {
    found_.waits.processes.resize(processes);
    found_.waits.collectives = std::make_unique<CollectiveMatcher>(definitions_);
    found_.hashes.resize(processes);
  }
  if (wanted.searches_loops) {
    marks_.emplace(definitions_, functions_, wanted.asked);
    finders_.emplace([this] { return LoopFinder(*marks_); });
    found_.loops = std::make_unique<SearchedLoops>(wanted.asked, processes);
  }
}

CollectedCalls CallCollector::take(const std::vector<std::uint64_t>& locations, Team* team) {
  if (!team)
    return std::move(found_);

  const auto own = Shares(definitions_, team).list_own(locations);
  if (collects_waits_) {
    share_found(team, found_.hashes, own);
    found_.waits.collectives->share(team);
  }
  if (finders_)
    found_.loops->share(team, own);
  return std::move(found_);
}

}  // namespace tracefold
