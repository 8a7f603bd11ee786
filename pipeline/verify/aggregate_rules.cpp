#include "pipeline/verify/aggregate_rules.hpp"

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/profile/stored_aggregates.hpp"
#include "pipeline/series/series_pass.hpp"
#include "pipeline/verify/stored_amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
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
    totals.exclusive.emplace(take_ascii(function.name), ticks);
  return totals;
}

// What the series pass tells of a process, by the numbers of its own call paths and columns.
class ProcessReading {
 public:
  // Both must stay.
  ProcessReading(const MetricColumns& columns, const std::vector<SeriesFold>& folds)
      : columns_(columns), folds_(folds) {}

  void add(const CallPathProfile& profile) {
    for (std::size_t r = 0; r < profile.rows.size(); ++r) {
      auto& sums = sums_[profile.rows[r].path];
      sums.resize(columns_.size());
      for (const auto& [column, value] : profile.row(r))
        sums[column] += value;
    }
  }
  // Iterations are numbered through all loops.
  void add(std::size_t iteration, const CallPathProfile& profile) {
    add(profile);
    std::size_t loop = 0;
    for (; iteration >= folds_[loop].kept_of.size(); ++loop)
      iteration -= folds_[loop].kept_of.size();

    const auto& fold = folds_[loop];
    const auto kept = fold.kept_of[iteration];
    if (fold.kept[kept] != iteration)
      return;
    for (std::size_t r = 0; r < profile.rows.size(); ++r)
      for (const auto& [column, value] : profile.row(r))
        if (is_lost(columns_, column)) {
          auto& values = iterations_[{loop, profile.rows[r].path, column}];
          values.resize(fold.kept.size());
          values[kept] = value;
        }
  }

  // Nothing is left here. Paths that lead to one that the process has are its own, too.
  ProcessAmounts take(std::span<const CallPath> tree, const std::vector<PathIndex>& numbers,
                      const std::vector<std::size_t>& columns) {
    for (auto path = static_cast<PathIndex>(tree.size()); path-- > 1;)
      if (sums_.contains(path) && tree[path].caller != 0)
        sums_[tree[path].caller].resize(columns_.size());

    ProcessAmounts out;
    for (const auto& [path, values] : sums_)
      out.add(numbers[path], values.data(), columns);
    for (const auto& [where, values] : iterations_)
      if (const auto column = std::find(columns.begin(), columns.end(), where.column);
          column != columns.end())
        out.add(
            {where.loop, numbers[where.path], static_cast<std::size_t>(column - columns.begin())},
            values);
    sums_.clear();
    iterations_.clear();

    return out;
  }

 private:
  const MetricColumns& columns_;
  const std::vector<SeriesFold>& folds_;
  std::map<PathIndex, std::vector<std::uint64_t>> sums_;
  std::map<ProcessAmounts::InIterations, std::vector<std::uint64_t>> iterations_;
};

std::vector<Metric> list_waits(const MetricColumns& columns) {
  std::vector<Metric> waits;
  std::copy_if(columns.measured.begin(), columns.measured.end(), std::back_inserter(waits),
               is_waiting);
  return waits;
}

std::vector<SeriesFold> list_folds(const Plan& plan) {
  std::vector<SeriesFold> folds;
  if (plan.iterations)
    for (const auto& loop : plan.iterations->loops)
      folds.push_back({loop.choice.kept, loop.choice.kept_of});
  return folds;
}

bool folds_iterations(const std::vector<SeriesFold>& folds) {
  return std::any_of(folds.begin(), folds.end(),
                     [](const SeriesFold& fold) { return fold.kept.size() < fold.kept_of.size(); });
}

// The place of a process in aggregates, and what it is called there.
struct StoredProcess {
  std::size_t place = 0;
  std::uint64_t id = 0;        // of the first original
  std::uint64_t location = 0;  // of the original
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

std::vector<KeptSeries> list_kept_series(const ProcessLoops& loops,
                                         const std::vector<SeriesFold>& folds) {
  std::vector<KeptSeries> series;
  for (std::size_t l = 0; l < loops.loops.size(); ++l)
    series.push_back(make_kept_series(loops.loops[l], loops.taken_from.has_value(), folds[l]));
  return series;
}

// What was stored when the original was made itself.
void compare_with_stored(RuleBook& rules, const Plan& plan, const Aggregates& done,
                         const std::vector<StoredProcess>& processes) {
  const auto& stored = *plan.aggregates;
  const auto columns = compare_columns(rules, stored.profiles.columns, done.profiles.columns, {});
  const bool has_same_loops = stored.loops == done.loops;
  const bool folds_first = done.loops.empty() && stored.loops == list_folds(plan);
  const bool forgets_loops = stored.loops.empty() && folds_iterations(list_folds(plan));
  if (!has_same_loops && !folds_first && !forgets_loops)
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

// None where the filters leave it out.
std::optional<std::size_t> find_process(const Plan& plan, std::uint64_t location) {
  const auto found = std::lower_bound(plan.processes.begin(), plan.processes.end(), location,
                                      [](const Process& p, std::uint64_t id) { return p.id < id; });
  if (found == plan.processes.end() || found->id != location)
    return std::nullopt;
  return static_cast<std::size_t>(found - plan.processes.begin());
}

// The loops of each process of `traced`, as the plan folds them.
std::vector<ProcessLoops> list_loops(const Plan& plan, const Plan& traced) {
  std::map<std::uint64_t, const ProcessLoops*> loops;
  for (const auto& aligned : plan.iterations->processes)
    loops.emplace(plan.processes[aligned.process].id, &aligned.loops);

  std::vector<ProcessLoops> out(traced.processes.size());
  for (std::size_t p = 0; p < out.size(); ++p)
    if (const auto found = loops.find(traced.processes[p].id); found != loops.end())
      out[p] = *found->second;
  return out;
}

// What the processes did by the records of the original.
void compare_with_records(RuleBook& rules, const Plan& plan, const AggregatesContext& context,
                          TracedOriginal& traced, const std::vector<StoredProcess>& processes,
                          const ReadOptions& options, Diagnostics& diagnostics) {
  const auto& stored = *plan.aggregates;
  const bool has_same_loops = stored.loops == list_folds(plan);
  if (!has_same_loops)
    rules.add_violation("other iterations are kept");

  std::vector<ProcessLoops> loops(traced.plan.processes.size());
  if (has_same_loops && !stored.loops.empty())
    loops = list_loops(plan, traced.plan);
  std::map<std::size_t, StoredProcess> members;  // by index
  for (const auto& process : processes)
    if (const auto p = find_process(traced.plan, process.location))
      members.emplace(*p, process);
  std::vector<std::size_t> to_read;
  for (const auto& [p, process] : members) {
    to_read.push_back(p);
    if (has_same_loops)
      compare_intervals(rules, stored, process, list_kept_series(loops[p], stored.loops));
  }

  Diagnostics quiet;
  auto waits = list_waits(stored.profiles.columns);
  std::set<Metric> unknown;
  const auto leave_out = [&](Metric wait, const std::string& reason) {
    unknown.insert(wait);
    diagnostics.note(fmt::format("the {} that is stored is not compared, since {}",
                                 get_entry(wait).name, reason));
  };

  const SeriesPass pass({context.original, traced.plan, options, quiet}, loops, std::move(to_read),
                        waits, traced.calls ? &traced.calls->waits : nullptr);
  for (auto wait : waits)
    if (const auto* reason = pass.find_unknown(wait))
      leave_out(wait, *reason);

  const auto columns = compare_columns(rules, stored.profiles.columns, pass.columns(), unknown);
  const auto stored_columns = columns.list(&ComparedColumns::Column::stored);
  const auto done_columns = columns.list(&ComparedColumns::Column::done);
  const StoredPaths paths(stored);
  const auto stored_numbers =
      paths.number(stored.profiles.paths, paths.number_functions(stored.functions));
  const auto functions = paths.number_functions(pass.functions());
  std::map<std::size_t, ProcessReading> readings;
  for (const auto& [p, process] : members)
    readings.emplace(p, ProcessReading(pass.columns(), stored.loops));
  std::vector<std::vector<std::string>> differences(loops.size());

  pass.read(
      {[&](const SeriesIteration& it) { readings.at(it.process).add(it.iteration, it.profile); },
       [&](std::size_t p, std::span<const CallPath> tree, const CallPathProfile& outside) {
         auto& reading = readings.at(p);
         reading.add(outside);
         auto is = take_amounts(stored, members.at(p).place, stored_numbers, stored_columns);
         if (!has_same_loops)
           is.iterations.clear();
         const auto was = reading.take(tree, paths.number(tree, functions), done_columns);
         differences[p] = compare_amounts(is, was, paths, columns, stored.loops);
       }});
  for (const auto& [p, process] : members)
    add_differences(rules, process, differences[p]);
}

}  // namespace

TracedOriginal trace_original(const Archive& original, const Plan& plan,
                              const ReadOptions& options) {
  TracedOriginal out{make_plan(original, plan.filters), {}, {}};
  const auto waits =
      plan.aggregates ? list_waits(plan.aggregates->profiles.columns) : std::vector<Metric>();
  if (was_reduced(original) || (waits.empty() && !plan.messages)) {
    out.plan.processes = find_processes(original.definitions(), plan.filters);
    return out;
  }

  ProfileExtras extras{RecordOperations::with_gaps};
  if (!waits.empty())
    extras.waits = waits == std::vector{Metric::mpi_late_sender_time} ? RecordWaits::late_senders
                                                                      : RecordWaits::all;
  Diagnostics quiet;
  out.communication = add_profiles(out.plan, original, options, quiet, extras, &out.calls);

  return out;
}

void check_aggregates(RuleBook& rules, const Plan& plan, const AggregatesContext& context,
                      TracedOriginal& traced, const ReadOptions& options,
                      Diagnostics& diagnostics) {
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
    processes.push_back({p, id, location});
  }

  for (auto location : missing)
    if (!earlier || earlier->has(location))
      rules.add_violation(fmt::format("process {} is missing", context.first.find_first(location)));

  if (earlier)
    compare_with_stored(rules, plan, earlier->aggregates(), processes);
  else
    compare_with_records(rules, plan, context, traced, processes, options, diagnostics);
}

}  // namespace tracefold
