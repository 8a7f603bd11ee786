#include "pipeline/iterations/measure_errors.hpp"

#include "base/for_each_index.hpp"
#include "base/packed_values.hpp"
#include "base/team.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

auto list_members(Like<FunctionError> auto& error) {
  return std::tie(error.function, error.kind, error.of_all);
}
auto list_members(Like<IterationFidelity> auto& of) {
  return std::tie(of.mean, of.maximum, of.time_mean, of.time_maximum, of.count_mean,
                  of.count_maximum, of.mean_by_sum, of.time_by_sum, of.counts_exact,
                  of.waiting_by_sum, of.times_above, of.counts_above, of.call_paths, of.phantoms,
                  of.mpi_phantoms, of.functions);
}
auto list_members(Like<LoopFoldingErrors::Figures> auto& figures) {
  return std::tie(figures.kept, figures.own_clusters);
}

namespace {

// Iterations whose errors are held at once, however little memory there is; and at most of one
// process alone.
constexpr std::size_t fewest_together = 1024;
constexpr std::size_t window_of_one = 4096;

constexpr std::uint64_t part_for_window = 2;

using Choices = std::vector<std::vector<MeasuredChoice>>;  // by loop and number of clusters

Choices list_choices(const IterationReadings& readings, const MeasuredFolding& folding) {
  Choices choices(readings.loops());
  for (std::size_t l = 0; l < readings.loops(); ++l)
    for (std::size_t c = 0; c < folding.clusters.size(); ++c) {
      auto& choice = choices[l].emplace_back(MeasuredChoice{&folding.folded[c][l].choice, {}});
      if (!folding.compares_own_clusters)
        continue;

      auto& options = choice.own_clusters.emplace();
      options.max_clusters = folding.clusters[c];
      options.sampled = readings.pass().sampled();
    }

  return choices;
}

// The first iterations of each loop, with so many bytes for each.
IterationWindow choose_first_window(const IterationReadings& readings, std::uint64_t bytes) {
  const auto room = readings.memory() / part_for_window;
  return {0, std::max<std::size_t>(room / std::max<std::uint64_t>(bytes, 1), fewest_together)};
}

// The errors on the kept processes.
class KeptMeasurement {
 public:
  KeptMeasurement(const IterationReadings& readings, Choices choices)
      : readings_(readings), columns_(readings.pass().columns()), choices_(std::move(choices)) {}

  // By loop.
  std::vector<LoopFoldingErrors> measure() {
    const auto& processes = readings_.processes();
    const bool is_alone = processes.size() == 1;
    window_ = choose_first_window(readings_, count_bytes());
    if (is_alone)
      window_.size = std::min(window_.size, window_of_one);
    for (const auto& choices : choices_)
      errors_.emplace_back(columns_, choices, window_);

    if (is_alone)
      measure_alone();
    else
      measure_in_windows();

    return std::move(errors_);
  }

 private:
  using Measured = std::map<std::size_t, std::vector<ProcessFoldingErrors>>;  // by process and loop

  // Bounds how many processes are held at once.
  static std::size_t count_together() { return 2 * count_threads(); }

  std::uint64_t count_bytes() const {
    return readings_.loops() * (LoopFoldingErrors::bytes_per_iteration(columns_, choices_.front()) +
                                std::min(count_together(), readings_.processes().size()) *
                                    ProcessFoldingErrors::bytes_per_iteration(columns_));
  }

  // Some processes up to the end of the first of both rounds.
  Measured measure_first_round(std::span<const std::size_t> processes) const {
    Measured measured;
    for (auto p : processes)
      for (const auto& choices : choices_)
        measured[p].emplace_back(columns_, choices, window_);

    readings_.visit(processes,
                    [&](std::size_t process, std::size_t k, const CallPathProfile& profile) {
                      const auto [loop, iteration] = readings_.locate(k);
                      measured.at(process)[loop].first(iteration, profile);
                    });

    for (auto& [process, loops] : measured)
      for (auto& loop : loops)
        loop.begin_second_round();

    return measured;
  }

  void measure_in_windows() {
    const std::span<const std::size_t> processes(readings_.processes());
    const auto together = count_together();

    for (;;) {
      for (std::size_t first = 0; first < processes.size(); first += together)
        measure_window(processes.subspan(first, std::min(together, processes.size() - first)));

      window_.first += window_.size;
      if (window_.first >= readings_.longest_loop())
        return;
      for (auto& of_loop : errors_)
        of_loop.begin(window_);
    }
  }

  void measure_window(std::span<const std::size_t> processes) {
    auto measured = measure_first_round(processes);
    readings_.visit(processes,
                    [&](std::size_t process, std::size_t k, const CallPathProfile& profile) {
                      const auto at = readings_.locate(k);
                      measured.at(process)[at.loop].second(at.iteration, profile);
                    });

    for (const auto& [process, loops] : measured)
      for (std::size_t l = 0; l < loops.size(); ++l)
        errors_[l].add(loops[l], readings_.find_call_paths(process));
  }

  // One process for all windows: they come in turn while it is read.
  void measure_alone() {
    auto measured = measure_first_round(readings_.processes());
    auto& loops = measured.begin()->second;
    const auto paths = readings_.find_call_paths(measured.begin()->first);
    std::vector<IterationWindow> windows(loops.size(), window_);  // by loop

    readings_.visit(readings_.processes(),
                    [&](std::size_t, std::size_t k, const CallPathProfile& profile) {
                      const auto at = readings_.locate(k);
                      auto& window = windows[at.loop];
                      if (!window.contains(at.iteration)) {
                        errors_[at.loop].add(loops[at.loop], paths);
                        window.first += window.size;
                        errors_[at.loop].begin(window);
                        loops[at.loop].begin(window);
                      }

                      loops[at.loop].second(at.iteration, profile);
                    });
    for (std::size_t l = 0; l < loops.size(); ++l)
      errors_[l].add(loops[l], paths);
  }

  const IterationReadings& readings_;
  const MetricColumns& columns_;
  const Choices choices_;
  IterationWindow window_;                 // of all loops
  std::vector<LoopFoldingErrors> errors_;  // by loop
};

// Reads all processes for each window.
void read_in_windows(const IterationReadings& readings, MeasuredTotals& totals,
                     std::vector<AllFoldingErrors>& errors) {
  std::vector<std::vector<std::uint32_t>> kept;
  kept.reserve(errors.size());
  for (const auto& of_loop : errors)
    kept.push_back(of_loop.list_kept());

  auto window = choose_first_window(
      readings, readings.loops() * totals.bytes_per_iteration(TotalsDetail::measuring));
  for (; window.first < readings.longest_loop(); window.first += window.size) {
    totals.hold_window(window, kept);
    totals.read_own(readings.aligned().list_measured());
    totals.share(readings.team());
    for (std::size_t l = 0; l < errors.size(); ++l)
      errors[l].add(totals.of_loop(l));
  }
}

}  // namespace

void measure_kept_processes(const IterationReadings& readings, const MeasuredFolding& folding) {
  // By loop and choice. One member of a team adds up all of them, since the order of additions
  // tells the last bits.
  using Figures = std::vector<std::vector<LoopFoldingErrors::Figures>>;
  const auto figures = compute_once<Figures>(readings.team(), [&] {
    const auto errors = KeptMeasurement(readings, list_choices(readings, folding)).measure();
    Figures of_loops;
    for (const auto& of_loop : errors)
      of_loops.push_back(of_loop.figures(readings.pass().functions()));
    return of_loops;
  });

  for (std::size_t l = 0; l < figures.size(); ++l)
    for (std::size_t c = 0; c < figures[l].size(); ++c) {
      folding.folded[c][l].kept = figures[l][c].kept;
      folding.folded[c][l].own_clusters = figures[l][c].own_clusters;
    }
}

void measure_all_processes(const IterationReadings& readings, MeasuredTotals& totals,
                           const MeasuredFolding& folding) {
  const auto& aligned = readings.aligned();
  const auto processes = aligned.stood_for_by.size();
  const bool are_all_kept = !aligned.has_others();
  const auto choices = list_choices(readings, folding);
  std::vector<AllFoldingErrors> errors;
  for (std::size_t l = 0; l < choices.size(); ++l)
    errors.emplace_back(readings.pass().columns(), choices[l], readings.lengths()[l]);

  if (totals.can_measure())
    for (std::size_t l = 0; l < errors.size(); ++l)
      errors[l].add(totals.of_loop(l));
  else if (!are_all_kept)
    read_in_windows(readings, totals, errors);

  for (std::size_t l = 0; l < errors.size(); ++l) {
    const auto figures = errors[l].figures(processes);
    for (std::size_t c = 0; c < figures.size(); ++c) {
      auto& loop = folding.folded[c][l];
      loop.all = are_all_kept ? make_folding_errors(*loop.kept, processes) : figures[c];
      loop.all->unmeasured = aligned.unmeasured;
    }
  }
}

}  // namespace tracefold
