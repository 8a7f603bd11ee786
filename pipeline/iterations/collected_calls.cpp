#include "pipeline/iterations/collected_calls.hpp"

#include "base/team.hpp"
#include "model/profile/time_metric.hpp"
#include "pipeline/iterations/look_ahead.hpp"

#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t part_for_series = 8;  // of the memory limit

}  // namespace

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

CallCollector::CallCollector(const Archive& archive, const FunctionTable& functions,
                             std::span<const std::uint64_t> locations, const WantedCalls& wanted,
                             const ReadOptions& options)
    : definitions_(archive.definitions()),
      functions_(functions),
      time_metrics_(find_time_metrics(definitions_, functions)),
      processes_(locations.size()),
      collects_waits_(wanted.waits == RecordWaits::all) {
  if (collects_waits_) {
    found_.waits.processes.resize(locations.size());
    found_.waits.collectives = std::make_unique<CollectiveMatcher>(definitions_);
    found_.hashes.resize(locations.size());
  }

  auto searches_all = wanted.searches_all;
  auto guess = guess_series(archive, locations, wanted, options, searches_all);
  if (!guess.rules.empty())
    found_.series = std::make_unique<RecordedSeries>(archive, functions, std::move(guess),
                                                     options.memory / part_for_series);
  if (searches_all)
    search_all(wanted.asked);
}

SeriesGuess CallCollector::guess_series(const Archive& archive,
                                        std::span<const std::uint64_t> locations,
                                        const WantedCalls& wanted, const ReadOptions& options,
                                        bool& leaves_doubt) {
  // Samples are for one sink alone.
  if (wanted.waits != RecordWaits::all || !functions_.contexts().empty())
    return {};
  if (wanted.series == RecordSeries::whole)
    return {{locations.size(), std::make_shared<const SeriesRule>(std::vector<IterationCounts>())},
            std::vector<bool>(functions_.functions().size())};
  if (wanted.series == RecordSeries::no)
    return {};

  auto ahead = look_ahead(archive, functions_, locations, wanted.asked, options);
  found_.loops = std::move(ahead.searched);
  leaves_doubt |= ahead.leaves_doubt;
  return std::move(ahead.guess);
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

void CallCollector::search_all(const AskedIterations& asked) {
  marks_.emplace(definitions_, functions_, asked);
  finders_.emplace([this] { return LoopFinder(*marks_); });
  if (!found_.loops)
    found_.loops = std::make_unique<SearchedLoops>(asked, processes_);
}

}  // namespace tracefold
