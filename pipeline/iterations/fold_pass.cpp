#include "pipeline/iterations/fold_pass.hpp"

#include "base/find_least.hpp"
#include "filters/iterations/cluster_iterations.hpp"
#include "filters/iterations/match_loops.hpp"
#include "model/chosen_iterations.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/find_devices.hpp"
#include "pipeline/facts/measure_fold.hpp"
#include "pipeline/facts/program_recorder.hpp"
#include "pipeline/facts/record_members.hpp"
#include "pipeline/iterations/align_processes.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/iteration_readings.hpp"
#include "pipeline/iterations/measure_errors.hpp"
#include "pipeline/iterations/measured_totals.hpp"
#include "pipeline/iterations/record_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// What clusters of each process would lose is needed only where numbers of clusters are compared.
enum class Purpose : bool { comparing, writing };

// What folding gives.
struct FoldedSections {
  std::vector<IterationSection> sections;               // by number of clusters
  std::shared_ptr<const ProgramProfiles> program = {};  // where it was recorded
};

// By number of clusters and by loop.
using FoldedLoops = std::vector<std::vector<FoldedLoop>>;

// Hands what the measured processes but these did to the totals, of a team's members what its own
// did.
void add_others(const IterationReadings& readings, const std::vector<std::size_t>& sampled,
                MeasuredTotals& totals, ProgramRecorder* program) {
  const auto measured = readings.aligned().list_measured();
  std::vector<std::size_t> others;
  std::set_difference(measured.begin(), measured.end(), sampled.begin(), sampled.end(),
                      std::back_inserter(others));
  if (!program) {
    totals.read_own(others);
    return;
  }

  readings.pass().read_own(
      others,
      {[&](const SeriesIteration& it) {
         totals.add(it);
         program->add(it);
       },
       [&](const SeriesEnd& end) { program->end(end); }, true},
      [&](std::size_t process) { return readings.aligned().find_counts(process); });
}

// What the kept processes did in the iterations of each loop; and what all processes did together
// is put into the totals.
std::vector<std::vector<IterationSeries>> read_series(IterationReadings& readings,
                                                      MeasuredTotals& totals,
                                                      ProgramRecorder* program) {
  auto& diagnostics = readings.pass().trace().diagnostics();
  const auto processes = readings.processes().size();
  const auto sampled = readings.sample_processes();
  if (sampled.size() < processes)
    diagnostics.warn(
        fmt::format("iterations are chosen by {} of {} processes: there are too many for more",
                    sampled.size(), processes));

  if (readings.aligned().has_others()) {
    totals.hold_all();
    add_others(readings, sampled, totals, program);
  }
  auto series = readings.record_series(sampled, {[&](const SeriesIteration& it) {
                                                   totals.add(it);
                                                   if (program)
                                                     program->add(it);
                                                 },
                                                 [&](const SeriesEnd& end) {
                                                   if (program)
                                                     program->end(end);
                                                 },
                                                 program != nullptr});
  totals.share(readings.team());
  return series;
}

// Chooses the kept iterations: by what all processes did together, and by the kept processes.
class IterationChooser {
 public:
  IterationChooser(const IterationReadings& readings, const MeasuredTotals& totals,
                   std::vector<std::vector<IterationSeries>> series, const FoldOptions& wanted)
      : readings_(readings),
        series_(std::move(series)),
        wanted_(wanted),
        rules_(match_loops(wanted.like, readings.pass().trace().plan().functions,
                           readings.aligned().folded_loops())) {
    for (std::size_t l = 0; l < series_.size(); ++l)
      sums_.push_back(totals.can_choose() ? totals.of_loop(l).list_sums() : std::vector<double>{});
  }

  // By loop.
  std::vector<FoldedLoop> choose(std::size_t clusters) const {
    ClusterOptions options;
    options.max_clusters = clusters;
    options.sampled = readings_.pass().sampled();
    std::vector<FoldedLoop> folded;
    for (std::size_t l = 0; l < series_.size(); ++l)
      folded.push_back({choose_of_loop(l, options), {}, {}});

    return folded;
  }

 private:
  KeptIterations choose_of_loop(std::size_t l, const ClusterOptions& options) const {
    const auto& columns = readings_.pass().columns();
    if (const auto rule = rules_[l])
      return choose_same_iterations(series_[l], columns, options, wanted_.like[*rule], sums_[l]);
    return choose_iterations(series_[l], columns, options, list_kept(), sums_[l]);
  }

  // Those that the user wants to keep.
  std::vector<std::uint64_t> list_kept() const {
    std::vector<std::uint64_t> kept;
    for (const auto number : wanted_.keep)
      if (const auto iteration = find_iteration(readings_.pass().trace().plan(), number))
        kept.push_back(*iteration);
    return kept;
  }

  const IterationReadings& readings_;
  std::vector<std::vector<IterationSeries>> series_;  // by loop and sampled process
  const FoldOptions& wanted_;
  std::vector<std::optional<std::size_t>> rules_;  // by loop, of another run
  std::vector<std::vector<double>> sums_;          // by loop
};

// The number of clusters with which the errors of iterations are small enough and fewest iterations
// stay: the least one, or one or two more. The first and the last iteration stay besides the
// clusters, but may be what one of a few more keeps.
std::size_t find_clusters(const IterationChooser& chooser, const IterationReadings& readings,
                          const ProgramProfiles& program, const Accuracy& accuracy) {
  const auto& plan = readings.pass().trace().plan();
  const auto measured = list_measured(plan, program, readings.processes(), readings.lengths());
  const auto longest = readings.longest_loop();
  // How many iterations stay; none where that is not accurate enough.
  const auto count_kept = [&](std::size_t clusters) -> std::optional<std::size_t> {
    const auto folded = chooser.choose(clusters);
    std::vector<const KeptIterations*> choices;
    std::size_t kept = 0;
    for (const auto& loop : folded) {
      choices.push_back(&loop.choice);
      kept += loop.choice.kept.size();
    }
    const auto errors = measure_iterations(program, measured, choices, readings.team());
    return accuracy.is_met_by(errors.all) ? std::optional(kept) : std::nullopt;
  };

  auto fewest = longest * readings.loops();
  const auto least = find_least(longest, [&](std::size_t clusters) {
    const auto kept = count_kept(clusters);
    fewest = kept.value_or(fewest);
    return kept.has_value();
  });
  const auto first = least.value_or(longest);
  auto best = first;
  for (auto clusters = first + 1; clusters <= std::min(first + 2, longest); ++clusters)
    if (const auto kept = count_kept(clusters); kept && *kept < fewest) {
      fewest = *kept;
      best = clusters;
    }

  return best;
}

// Where nothing can be folded, people may want to see the iterations of loops that are unsure.
AlignedProcesses align_unsure(const PlannedTrace& trace, FoldOptions options,
                              CollectedCalls& calls) {
  options.folds_unsure = true;
  return align_processes(trace, find_loops_to_fold(trace, options, nullptr, calls.loops.get()),
                         options, calls, RecordProgram::yes);
}

// The loops alone, of which none is folded.
void take_loops(AlignedProcesses from, AlignedProcesses& to) {
  to.loops = std::move(from.loops);
  to.counts = std::move(from.counts);
  to.counted = std::move(from.counted);
}

std::vector<std::size_t> list_lengths(const AlignedProcesses& aligned, std::size_t process) {
  std::vector<std::size_t> lengths;
  for (const auto& loop : aligned.find_loops(process))
    lengths.push_back(loop.iterations.size());
  return lengths;
}

// Says of each recorded loop whether the number of its iterations is unsure, in the mean over the
// processes that have it.
void mark_unsure_loops(const AlignedProcesses& aligned, ProgramProfiles& program) {
  for (std::size_t l = 0; l < program.loops.size(); ++l) {
    double confidence = 0;
    std::size_t processes = 0;
    for (std::size_t p = 0; p < aligned.loops.size(); ++p)
      if (const auto& loops = aligned.find_loops(p); l < loops.size()) {
        confidence += loops[l].confidence;
        ++processes;
      }
    program.loops[l].is_unsure =
        processes > 0 &&
        rate_certainty(confidence / static_cast<double>(processes)) == Certainty::unsure;
  }
}

// Whether the program has maps, and what is known of its loops.
struct WantedMaps {
  bool are_wanted = false;
  AskedIterations asked = {};
  SearchedLoops* searched = nullptr;
};

// Adds the processes that are missing.
std::shared_ptr<const ProgramProfiles> complete_program(ProgramRecorder& program,
                                                        const SeriesPass& pass,
                                                        const AlignedProcesses& aligned,
                                                        RecordProgram record,
                                                        const WantedMaps& maps) {
  pass.read_own(program.list_missing(),
                {[&](const SeriesIteration& it) { program.add(it); },
                 [&](const SeriesEnd& end) { program.end(end); }, true},
                [&](std::size_t process) { return aligned.find_counts(process); });
  program.share();
  auto profiles = program.take();
  mark_unsure_loops(aligned, profiles);
  profiles.devices = find_devices(pass.trace(), profiles);
  if (maps.are_wanted)
    profiles.maps = record_maps(pass, aligned, profiles.loops.size(), maps.asked, maps.searched);
  if (record == RecordProgram::with_members)
    record_members(pass, aligned.loops, profiles);
  return std::make_shared<const ProgramProfiles>(std::move(profiles));
}

FoldedSections fold(const PlannedTrace& trace, const std::vector<ProcessLoops>& loops,
                    const FoldOptions& options, std::vector<std::size_t> clusters, Purpose purpose,
                    RecordProgram record, CollectedCalls& calls) {
  const bool writes = purpose == Purpose::writing;
  FoldedSections out;
  for (auto number : clusters)
    out.sections.push_back(
        {options.asked, number, {}, {}, options.folds_unsure, options.keep, options.like});

  // Align.
  auto aligned = align_processes(trace, loops, options, calls, record);
  const bool folds = !aligned.folding.empty();
  const bool records = record != RecordProgram::no;
  if (!folds && !(writes && records))
    return out;

  // Cluster.
  if (records && !folds)
    take_loops(align_unsure(trace, options, calls), aligned);
  const std::vector<Metric> waits(waiting_metrics.begin(), waiting_metrics.end());
  const SeriesPass pass(trace, aligned.loops,
                        records ? list_processes(trace.plan()) : aligned.list_measured(), waits,
                        &calls.waits, aligned.folding);
  warn_of_unknown_waits(pass, waits, trace.diagnostics());
  IterationReadings readings(pass, aligned);
  MeasuredTotals totals(readings);
  std::optional<ProgramRecorder> program;
  if (records)
    program.emplace(
        pass, [&](std::size_t process) { return list_lengths(aligned, process); }, record);
  std::optional<IterationChooser> chooser;
  if (folds)
    chooser.emplace(readings, totals, read_series(readings, totals, program ? &*program : nullptr),
                    options);
  if (program)
    out.program = complete_program(*program, pass, aligned, record,
                                   {writes, options.asked, calls.loops.get()});
  if (folds && options.accuracy && out.program)
    clusters = {find_clusters(*chooser, readings, *out.program, *options.accuracy)};

  FoldedLoops folded(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out.sections[c].max_clusters = clusters[c];
    if (folds)
      folded[c] = chooser->choose(clusters[c]);
  }
  chooser.reset();

  // Measure what is lost by it.
  const MeasuredFolding folding{clusters, folded, !writes};
  if (folds) {
    measure_kept_processes(readings, folding);
    measure_all_processes(readings, totals, folding);
  }

  // Fold: what rewriting a trace needs to know.
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out.sections[c].loops = std::move(folded[c]);
    for (auto p : aligned.folding)
      out.sections[c].processes.push_back({p, loops[p]});
  }

  return out;
}

}  // namespace

std::vector<ComparedClusters> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const FoldOptions& options,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading, Diagnostics& diagnostics,
                                               RecordProgram record, CollectedCalls& calls) {
  auto folded = fold({archive, plan, reading, diagnostics}, loops, options, clusters,
                     Purpose::comparing, record, calls);
  std::vector<ComparedClusters> out;
  for (auto& section : folded.sections) {
    auto& one = out.emplace_back(ComparedClusters{std::move(section)});
    if (folded.program)
      one.errors = measure_fold(plan, *folded.program, &one.section, reading.team);
  }

  return out;
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics, RecordProgram record, CollectedCalls* calls) {
  CollectedCalls none;
  auto folded = fold({archive, plan, reading, diagnostics}, loops, options, {options.max_clusters},
                     Purpose::writing, record, calls ? *calls : none);
  plan.iterations = std::make_shared<const IterationSection>(std::move(folded.sections[0]));
  plan.program = std::move(folded.program);
  plan.errors.reset();
  if (plan.program && has_calls(*plan.program))
    plan.errors = std::make_shared<const FoldErrors>(
        measure_fold(plan, *plan.program, plan.iterations.get(), reading.team));
}

void record_program(const Archive& archive, Plan& plan, const std::optional<FoldOptions>& folding,
                    RecordProgram record, const ReadOptions& reading, Diagnostics& diagnostics,
                    CollectedCalls* calls, RecordMaps maps) {
  const PlannedTrace trace(archive, plan, reading, diagnostics);
  CollectedCalls none;
  auto& known = calls ? *calls : none;
  AlignedProcesses aligned;
  aligned.loops.resize(plan.processes.size());
  if (folding) {
    aligned =
        align_processes(trace, find_loops_to_fold(trace, *folding, nullptr, known.loops.get()),
                        *folding, known, record);
    if (aligned.folding.empty())
      take_loops(align_unsure(trace, *folding, known), aligned);
  }

  const std::vector<Metric> waits(waiting_metrics.begin(), waiting_metrics.end());
  const SeriesPass pass(trace, aligned.loops, list_processes(plan), waits, &known.waits);
  warn_of_unknown_waits(pass, waits, diagnostics);
  ProgramRecorder program(
      pass, [&](std::size_t process) { return list_lengths(aligned, process); }, record);
  plan.program = complete_program(
      program, pass, aligned, record,
      {maps == RecordMaps::yes, folding ? folding->asked : AskedIterations{}, known.loops.get()});
}

}  // namespace tracefold
