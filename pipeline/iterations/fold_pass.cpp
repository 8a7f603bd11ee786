#include "pipeline/iterations/fold_pass.hpp"

#include "filters/iterations/align_loops.hpp"
#include "filters/iterations/cluster_iterations.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/iteration_readings.hpp"
#include "pipeline/iterations/kept_aggregates.hpp"
#include "pipeline/iterations/measure_errors.hpp"
#include "pipeline/iterations/measured_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// Of the memory limit (ReadOptions), for what all measured processes did in all iterations.
constexpr std::uint64_t part_for_totals = 4;

// The times of waiting that errors are measured in, and that are kept beside what is folded. All
// of them take about a tenth more time, so that where time is short it is the one that iterations
// are compared by.
std::vector<Metric> choose_measured_waits(MeasuredProcesses errors) {
  if (errors == MeasuredProcesses::kept)
    return {Metric::mpi_late_sender_time};
  return {waiting_metrics.begin(), waiting_metrics.end()};
}

// Iterations are counted in each loop anew: some loop has to have each of them.
void check_kept(const std::vector<std::uint64_t>& keep, const std::vector<Loop>& loops) {
  std::size_t longest = 0;
  for (const auto& loop : loops)
    longest = std::max(longest, loop.iterations.size());
  for (auto iteration : keep)
    if (iteration >= longest)
      throw Error(ErrorKind::usage,
                  fmt::format("`keep_iterations` {}: there is no such iteration", iteration))
          .hint(fmt::format("iterations are 0 to {}", longest - 1));
}

// What folding gives; the aggregates only where they are asked for.
struct FoldedSections {
  std::vector<IterationSection> sections;  // by number of clusters
  std::optional<Aggregates> aggregates;
};

// The kept processes, and the members of the pass with them.
std::vector<std::size_t> unite(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// What memory has room for.
std::optional<TotalsUse> choose_use(const JointForm& form, const IterationReadings& readings) {
  for (auto use : {TotalsUse::measuring, TotalsUse::choosing}) {
    const auto bytes = readings.count_iterations() * JointTotals::bytes_per_iteration(form, use);
    if (bytes <= readings.memory() / part_for_totals)
      return use;
  }
  return std::nullopt;
}

// The totals of all measured processes but those that are read anyway.
MeasuredTotals read_totals(const MeasuredProcessList& measured,
                           const std::vector<std::size_t>& read_anyway, const JointForm& form,
                           TotalsUse use, const IterationReadings& readings) {
  const auto processes = measured.list();
  std::vector<std::size_t> to_read;
  std::set_difference(processes.begin(), processes.end(), read_anyway.begin(), read_anyway.end(),
                      std::back_inserter(to_read));

  MeasuredTotals totals(measured, form, readings);
  totals.begin(use);
  totals.read(to_read);
  return totals;
}

// The kept iterations, by number of clusters and by loop. What the processes did that are read for
// this is added to the totals, where there are any; these then decide.
std::vector<std::vector<FoldedLoop>> choose(IterationReadings& readings,
                                            const std::vector<std::size_t>& sampled,
                                            MeasuredTotals* totals, const JointForm& form,
                                            const std::vector<std::size_t>& clusters,
                                            const std::vector<std::uint64_t>& keep) {
  const auto series = readings.record_series(sampled, [&](const SeriesIteration& it) {
    if (totals)
      totals->add(it.process, it.iteration, WideSums(form.form().column_sums(it.profile)));
  });

  std::vector<std::vector<FoldedLoop>> folded(clusters.size());
  for (std::size_t l = 0; l < series.size(); ++l) {
    const auto sums = totals ? totals->of_loop(l).list_sums() : std::vector<double>{};
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      ClusterOptions options;
      options.max_clusters = clusters[c];
      options.sampled = readings.pass().sampled();
      folded[c].push_back(
          {choose_iterations(series[l], readings.pass().columns(), options, keep, sums), {}, {}});
    }
  }

  return folded;
}

// What the kept processes did, where none of their iterations is folded: with the processes that
// are left out go messages, and who waits for whom can be seen in an original only. None where
// iterations were folded before.
std::optional<Aggregates> sum_whole_processes(const Archive& archive, const Plan& plan,
                                              const IterationSection& section,
                                              const std::vector<Metric>& wanted_waits,
                                              const ReadOptions& reading, Diagnostics& diagnostics,
                                              CollectedCalls* calls) {
  const auto kept = kept_processes(plan);
  if (is_collapsed(archive.definitions()))
    return std::nullopt;

  const std::vector<ProcessLoops> no_loops(plan.processes.size());
  const SeriesPass pass(archive, plan, no_loops, kept, wanted_waits, reading, diagnostics,
                        calls ? &calls->waits : nullptr);
  if (wanted_waits.size() > 1)
    warn_of_unknown(pass, wanted_waits, diagnostics);
  const std::vector<std::size_t> folding;  // no process does
  IterationReadings readings(pass, folding, {}, reading.memory);
  const LostAmounts lost(readings, {});
  return sum_kept_processes(archive, plan, kept, section, lost, readings);
}

// Only where a trace is to be written is needed what was folded; only where numbers of clusters are
// compared, what clusters of each process would lose.
enum class Purpose : bool { comparing, writing };

FoldedSections fold(const Archive& archive, const Plan& plan,
                    const std::vector<ProcessLoops>& loops, const FoldOptions& options,
                    const std::vector<std::size_t>& clusters, Purpose purpose,
                    const ReadOptions& reading, Diagnostics& diagnostics,
                    CollectedCalls* calls = nullptr) {
  const bool sums_up = purpose == Purpose::writing;
  FoldedSections result;
  auto& out = result.sections;
  out.resize(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].asked = options.asked;
    out[c].max_clusters = clusters[c];
  }

  // Align.
  const auto processes = find_aligned_processes(plan, loops);
  const auto wanted_waits = choose_measured_waits(options.errors);
  if (processes.empty()) {
    if (sums_up)
      result.aggregates =
          sum_whole_processes(archive, plan, out[0], wanted_waits, reading, diagnostics, calls);
    return result;
  }

  check_kept(options.keep, loops[processes[0]].loops);

  // Cluster.
  const bool measures_all = options.errors == MeasuredProcesses::all;
  auto all_loops = loops;
  MeasuredProcessList measured;
  if (measures_all)
    measured = find_measured_processes(archive, plan, processes, all_loops,
                                       calls && !calls->hashes.empty() ? &calls->hashes : nullptr,
                                       options.asked, reading, diagnostics);
  const auto kept = kept_processes(plan);
  auto to_read = measures_all ? measured.list() : processes;
  if (sums_up)
    to_read = unite(kept, to_read);
  const SeriesPass pass(archive, plan, all_loops, std::move(to_read), wanted_waits, reading,
                        diagnostics, calls ? &calls->waits : nullptr);
  if (measures_all)
    warn_of_unknown(pass, wanted_waits, diagnostics);
  IterationReadings readings(pass, processes, loops[processes[0]].loops, reading.memory);
  const CondensedForm condensed(pass.columns());
  const JointForm form(condensed);

  const auto sampled = readings.sample_processes();
  if (sampled.size() < processes.size())
    diagnostics.warn(
        fmt::format("iterations are chosen by {} of {} processes: more would need more `memory`",
                    sampled.size(), processes.size()));

  std::optional<TotalsUse> use;  // of totals; none: there are none
  if (measures_all && measured.has_others()) {
    use = choose_use(form, readings);
    if (!use)
      diagnostics.warn("iterations are chosen by kept processes: all would need more `memory`");
  }
  auto totals =
      use ? std::optional(read_totals(measured, sampled, form, *use, readings)) : std::nullopt;
  auto folded =
      choose(readings, sampled, totals ? &*totals : nullptr, form, clusters, options.keep);

  // Measure what is lost by it.
  std::optional<LostAmounts> lost;
  if (sums_up)
    lost.emplace(readings, folded[0]);
  const MeasuredFolding folding{clusters, folded, purpose == Purpose::comparing};
  measure_kept_processes(
      readings, folding,
      [&](std::size_t process, LoopIteration at, const CallPathProfile& profile) {
        if (lost)
          lost->add(process, at, profile);
      });
  if (measures_all)
    measure_all_processes(readings, measured, use == TotalsUse::measuring ? &*totals : nullptr,
                          folding);

  // Fold: what rewriting a trace needs to know.
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].loops = std::move(folded[c]);
    for (auto p : processes)
      out[c].processes.push_back({p, loops[p]});
  }

  if (sums_up)
    result.aggregates = sum_kept_processes(archive, plan, kept, out[0], *lost, readings);

  return result;
}

}  // namespace

std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading,
                                               Diagnostics& diagnostics) {
  return fold(archive, plan, loops, options, clusters, Purpose::comparing, reading, diagnostics)
      .sections;
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, CollectedCalls* calls) {
  auto folded = fold(archive, plan, loops, options, {options.max_clusters}, Purpose::writing,
                     reading, diagnostics, calls);
  plan.iterations = std::move(folded.sections[0]);
  plan.aggregates = std::move(folded.aggregates);
}

}  // namespace tracefold
