#include "pipeline/reduce/profile_processes.hpp"

#include "filters/iterations/iteration_features.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/facts/stored_calls.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

CallPathProfiles read_whole_processes(const Archive& archive, const Plan& plan,
                                      const std::vector<std::size_t>& members,
                                      const std::vector<Metric>& waits, const ReadOptions& options,
                                      Diagnostics& diagnostics) {
  const std::vector<ProcessLoops> no_loops(plan.processes.size());
  const SeriesPass pass({archive, plan, options, diagnostics}, no_loops, members, waits);
  warn_of_unknown_waits(pass, waits, diagnostics);
  warn_of_cut_metrics(pass.columns(), diagnostics);
  std::vector<std::size_t> columns(pass.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});

  return sum_series(pass, std::nullopt, columns);
}

// What is stored of processes has times of waiting only where these were known then.
void warn_of_missing_waits(const Archive& archive, const MetricColumns& columns,
                           Diagnostics& diagnostics) {
  for (auto metric : choose_metric_columns(archive.definitions()).measured)
    if (is_waiting(metric) && !columns.find(metric))
      diagnostics.warn("times of waiting are not known, since they were not stored with the rest",
                       std::string(get_entry(metric).name));
}

// Puts processes at some places among so many, of which the others have no paths.
CallPathProfiles spread_out(CallPathProfiles profiles, const std::vector<std::size_t>& places,
                            std::size_t processes) {
  if (places.size() == processes)
    return profiles;

  const auto no_shape = static_cast<std::uint32_t>(profiles.shapes.size());
  profiles.shapes.emplace_back();
  std::vector<CallPathProfiles::Process> spread(processes, {no_shape, {}});
  for (std::size_t p = 0; p < places.size(); ++p)
    spread[places[p]] = std::move(profiles.processes[p]);
  profiles.processes = std::move(spread);

  return profiles;
}

std::vector<ProcessMetric> list_metrics(const MetricColumns& columns,
                                        const Definitions& definitions) {
  std::vector<ProcessMetric> metrics;
  const CondensedForm condensed(columns);
  for (const auto& entry : condensed.entries())
    metrics.push_back({entry.name, entry.kind, entry.columns, entry.steps_per_unit,
                       find_recorded_unit(definitions, entry.kind, entry.name)});
  return metrics;
}

// Everything that these processes did, with these times of waiting among the metrics.
ProcessProfiles profile_members(const Archive& archive, Plan& plan,
                                std::vector<std::size_t> members, const std::vector<Metric>& waits,
                                const ReadOptions& options, Diagnostics& diagnostics) {
  const auto stored = StoredCalls::read(archive, plan.filters, StoredColumns::all, diagnostics);
  std::vector<std::uint64_t> locations;
  std::vector<std::size_t> all(members.size()), places, to_read;
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (auto place : all) {
    locations.push_back(plan.processes[members[place]].id);
    if (stored && stored->has(locations[place]))
      continue;
    places.push_back(place);
    to_read.push_back(members[place]);
  }

  auto read = to_read.empty() && stored
                  ? CallPathProfiles()
                  : read_whole_processes(archive, plan, to_read, waits, options, diagnostics);
  ProcessProfiles out{std::move(members), {}, spread_out(std::move(read), places, all.size())};
  const bool is_used = stored && stored->replace(out.calls, locations, all, plan.functions);
  if (is_used && to_read.empty() && !waits.empty()) {
    warn_of_missing_waits(archive, out.calls.columns, diagnostics);
    warn_of_cut_metrics(out.calls.columns, diagnostics);
  }

  return out;
}

}  // namespace

ProcessProfiles profile_processes(const Archive& archive, Plan& plan,
                                  std::vector<std::size_t> members, const ReadOptions& options,
                                  Diagnostics& diagnostics) {
  auto out =
      profile_members(archive, plan, std::move(members),
                      {waiting_metrics.begin(), waiting_metrics.end()}, options, diagnostics);
  out.metrics = list_metrics(out.calls.columns, archive.definitions());

  return out;
}

CallPathProfiles profile_with_counters(const Archive& archive, Plan& plan,
                                       std::vector<std::size_t> members, const ReadOptions& options,
                                       Diagnostics& diagnostics) {
  auto found = profile_members(archive, plan, std::move(members), {}, options, diagnostics);
  return spread_out(std::move(found.calls), found.members, plan.processes.size());
}

ProcessProfiles choose_profiles(const Aggregates& all, std::vector<std::size_t> members,
                                const Archive& archive, Diagnostics& diagnostics) {
  const auto& calls = all.profiles;
  ProcessProfiles out{std::move(members),
                      list_metrics(calls.columns, archive.definitions()),
                      {calls.paths, calls.columns, calls.shapes, {}}};
  for (auto member : out.members)
    out.calls.processes.push_back(calls.processes[member]);
  warn_of_missing_waits(archive, calls.columns, diagnostics);
  warn_of_cut_metrics(calls.columns, diagnostics);

  return out;
}

}  // namespace tracefold
