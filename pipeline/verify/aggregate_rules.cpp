#include "pipeline/verify/aggregate_rules.hpp"

#include "model/plan.hpp"
#include "pipeline/call_paths/stored_aggregates.hpp"
#include "pipeline/verify/stored_amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// The calls of a location, and the time in each function.
struct CallTotals {
  std::uint64_t visits = 0;
  std::multiset<std::pair<std::string, std::uint64_t>> exclusive;  // names and ticks that are not 0

  bool operator==(const CallTotals&) const = default;
};

CallTotals sum_calls(const Aggregates& aggregates, std::size_t process) {
  const auto& profiles = aggregates.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  const auto visits = *profiles.columns.find(Metric::visits);
  const auto& paths = profiles.shape(process).paths;

  CallTotals totals;
  std::vector<std::uint64_t> exclusive(aggregates.functions.size());
  for (std::size_t k = 0; k < paths.size(); ++k) {
    totals.visits += profiles.value(process, k, visits);
    exclusive[profiles.paths[paths[k]].function] += profiles.value(process, k, time);
  }
  for (std::size_t f = 0; f < exclusive.size(); ++f)
    if (exclusive[f] > 0)
      totals.exclusive.emplace(take_ascii(aggregates.functions[f].name), exclusive[f]);

  return totals;
}

CallTotals count_calls(const Recorded& recorded) {
  CallTotals totals{recorded.visits, {}};
  for (const auto& [function, ticks] : recorded.exclusive)
    totals.exclusive.emplace(take_ascii((*recorded.functions)[function].name), ticks);
  return totals;
}

// The place of a process in aggregates, and what it is called there.
struct StoredProcess {
  std::size_t place = 0;
  std::uint64_t id = 0;  // of the first original
};

void add_differences(RuleBook& rules, const StoredProcess& process,
                     const std::vector<std::string>& differences) {
  for (const auto& difference : differences)
    rules.add_violation(fmt::format("process {}: {}", process.id, difference));
}

// That the kept iterations of a process are these, whatever it did in them.
void compare_intervals(RuleBook& rules, const Aggregates& stored, const StoredProcess& process,
                       std::vector<KeptSeries> expected) {
  auto series = stored.series.empty() ? std::vector<KeptSeries>() : stored.series[process.place];
  for (auto* side : {&series, &expected})
    for (auto& loop : *side)
      loop.amounts.clear();
  if (series != expected)
    rules.add_violation(fmt::format("process {}: the kept iterations are others", process.id));
}

// `done` are those that the original gives.
void compare_with_derived(RuleBook& rules, const Plan& plan, const Aggregates& done,
                          const std::vector<StoredProcess>& processes) {
  const auto& stored = *plan.aggregates;
  const auto columns = compare_columns(rules, stored.profiles.columns, done.profiles.columns, {});
  const bool has_same_loops = stored.loops == done.loops;
  if (!has_same_loops)
    rules.add_violation("other iterations are kept");

  const StoredPaths paths(stored);
  const auto numbers =
      paths.number(stored.profiles.paths, paths.number_functions(stored.functions));
  const auto done_numbers =
      paths.number(done.profiles.paths, paths.number_functions(done.functions));
  for (const auto& process : processes) {
    const auto done_place = done.find(process.id);
    if (!done_place)
      continue;

    auto is = take_amounts(stored, process.place, numbers,
                           columns.list(&ComparedColumns::Column::stored));
    auto was =
        take_amounts(done, *done_place, done_numbers, columns.list(&ComparedColumns::Column::done));
    if (has_same_loops) {
      compare_intervals(rules, stored, process,
                        done.series.empty() ? std::vector<KeptSeries>() : done.series[*done_place]);
    } else {
      is.iterations.clear();
      was.iterations.clear();
    }

    add_differences(rules, process, compare_amounts(is, was, paths, columns, done.loops));
  }
}

}  // namespace

void check_aggregates(RuleBook& rules, const Plan& plan, const AggregatesContext& context) {
  rules.add_rule("what is stored of kept processes is what they did");
  const auto earlier = StoredAggregates::read(context.original, plan.filters);
  const auto& stored = *plan.aggregates;

  std::vector<StoredProcess> processes;
  auto missing = context.kept;
  for (std::size_t p = 0; p < stored.locations.size(); ++p) {
    const auto id = stored.locations[p];
    const auto location = context.first.find_location(id);
    const auto recorded = context.before.find(location);
    missing.erase(location);
    if (!context.kept.contains(location) || recorded == context.before.end()) {
      rules.add_violation(fmt::format("process {} is not kept", id));
      continue;
    }

    const auto place = earlier ? earlier->aggregates().find(id) : std::nullopt;
    const auto did =
        place ? sum_calls(earlier->aggregates(), *place) : count_calls(recorded->second);
    if (sum_calls(stored, p) != did)
      rules.add_violation(fmt::format("process {} has other calls", id));
    processes.push_back({p, id});
  }

  for (auto location : missing)
    if (!earlier || earlier->has(location))
      rules.add_violation(fmt::format("process {} is missing", context.first.find_first(location)));

  if (context.derived)
    compare_with_derived(rules, plan, *context.derived, processes);
  else
    rules.add_violation("the original gives nothing that is to be stored");
}

}  // namespace tracefold
