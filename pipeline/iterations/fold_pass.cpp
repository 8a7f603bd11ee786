#include "pipeline/iterations/fold_pass.hpp"

#include "filters/iterations/align_loops.hpp"
#include "filters/iterations/cluster_iterations.hpp"
#include "filters/iterations/loop_fidelity.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/profile/series_pass.hpp"

#include <oneapi/tbb/global_control.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t fewest_together =
    1024;  // iterations whose figures are held, however little memory there is

// Where the iteration that a pass numbers through all loops is.
struct Place {
  std::size_t loop = 0, iteration = 0;
};

std::vector<Place> places_of(const std::vector<Loop>& loops) {
  std::vector<Place> places;
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::size_t i = 0; i < loops[l].iterations.size(); ++i)
      places.push_back({l, i});
  return places;
}

// The loops of aligned processes, read as often as it takes.
class Folding {
 public:
  Folding(const SeriesPass& pass, const std::vector<std::size_t>& processes,
          const std::vector<Loop>& loops, std::uint64_t memory)
      : pass_(pass),
        processes_(processes),
        places_(places_of(loops)),
        loops_(loops.size()),
        memory_(memory) {
    for (std::size_t k = 0; k < processes.size(); ++k)
      place_.emplace(processes[k], k);
  }

  // By number of clusters and loop.
  std::vector<std::vector<FoldedLoop>> choose(const std::vector<std::size_t>& clusters,
                                              Diagnostics& diagnostics) {
    const auto every = sampled_every();
    std::vector<std::size_t> choosing;
    for (std::size_t k = 0; k < processes_.size(); k += every)
      choosing.push_back(processes_[k]);
    if (every > 1)
      diagnostics.warn(
          fmt::format("iterations are chosen by {} of {} processes: more would need more --memory",
                      choosing.size(), processes_.size()));

    std::vector<std::vector<SeriesRecorder>> recorders(
        loops_, std::vector<SeriesRecorder>(choosing.size(),
                                            SeriesRecorder(pass_.columns(), pass_.sampled())));

    pass_.read(
        choosing,
        {[&](const SeriesIteration& it) {
           recorders[places_[it.iteration].loop][place_.at(it.process) / every].add(it.profile);
         },
         {}});

    std::vector<std::vector<FoldedLoop>> out(clusters.size());

    for (auto& of_loop : recorders) {
      std::vector<IterationSeries> series;
      series.reserve(of_loop.size());
      for (auto& recorder : of_loop)
        series.push_back(std::move(recorder).take());
      for (std::size_t c = 0; c < clusters.size(); ++c)
        out[c].push_back(
            {choose_iterations(series, pass_.columns(), options(clusters[c])), {}, {}});
    }

    return out;
  }

  // Fills in how near all choices come.
  void measure(const std::vector<std::size_t>& clusters,
               std::vector<std::vector<FoldedLoop>>& folded) {
    const auto together =
        2 * oneapi::tbb::global_control::active_value(
                oneapi::tbb::global_control::max_allowed_parallelism);  // bounds what is held
    auto window = first_window(clusters.size(), together);
    std::vector<std::vector<MeasuredChoice>> choices(loops_);
    std::vector<LoopFidelity> figures;
    for (std::size_t l = 0; l < loops_; ++l) {
      for (std::size_t c = 0; c < clusters.size(); ++c)
        choices[l].push_back({&folded[c][l].choice, options(clusters[c])});
      figures.emplace_back(pass_.columns(), choices[l], window);
    }

    for (;;) {
      for (std::size_t first = 0; first < processes_.size(); first += together)
        measure({processes_.begin() + static_cast<std::ptrdiff_t>(first),
                 processes_.begin() +
                     static_cast<std::ptrdiff_t>(std::min(first + together, processes_.size()))},
                window, choices, figures);

      window.first += window.size;
      if (window.first >= longest_loop())
        break;
      for (auto& loop : figures)
        loop.begin(window);
    }

    for (std::size_t l = 0; l < loops_; ++l) {
      const auto found = figures[l].figures();
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        folded[c][l].kept = found[c].kept;
        folded[c][l].local = found[c].clusters;
      }
    }
  }

 private:
  ClusterOptions options(std::size_t clusters) const {
    ClusterOptions options;
    options.max_clusters = clusters;
    options.sampled = pass_.sampled();
    return options;
  }

  // One of so many processes chooses, so that half of the memory has room for their series.
  std::size_t sampled_every() const {
    const auto bytes = places_.size() * SeriesRecorder::bytes_per_iteration(pass_.columns());
    const auto most = std::max<std::uint64_t>(memory_ / 2 / std::max<std::uint64_t>(bytes, 1), 1);
    return static_cast<std::size_t>((processes_.size() + most - 1) / most);
  }

  std::size_t longest_loop() const {
    std::size_t longest = 0;
    for (const auto& place : places_)
      longest = std::max(longest, place.iteration + 1);
    return longest;
  }

  // As many iterations as half of the memory has room for, where so many processes are held
  // together.
  IterationWindow first_window(std::size_t choices, std::size_t together) const {
    const auto of_all = LoopFidelity::bytes_per_iteration(pass_.columns(), choices);
    const auto of_one = ProcessFidelity::bytes_per_iteration(pass_.columns());
    const auto bytes = loops_ * (of_all + std::min(together, processes_.size()) * of_one);
    return {0, std::max<std::size_t>(memory_ / 2 / bytes, fewest_together)};
  }

  void measure(const std::vector<std::size_t>& some, IterationWindow window,
               const std::vector<std::vector<MeasuredChoice>>& choices,
               std::vector<LoopFidelity>& figures) {
    std::map<std::size_t, std::vector<ProcessFidelity>> of;
    for (auto p : some)
      for (const auto& of_loop : choices)
        of[p].emplace_back(pass_.columns(), of_loop, window);

    pass_.read(some, {[&](const SeriesIteration& it) {
                        of.at(it.process)[places_[it.iteration].loop].first(
                            places_[it.iteration].iteration, it.profile);
                      },
                      {}});

    for (auto& [process, loops] : of)
      for (auto& loop : loops)
        loop.turn();

    pass_.read(some, {[&](const SeriesIteration& it) {
                        of.at(it.process)[places_[it.iteration].loop].second(
                            places_[it.iteration].iteration, it.profile);
                      },
                      {}});

    for (const auto& [process, loops] : of)
      for (std::size_t l = 0; l < loops.size(); ++l)
        figures[l].add(loops[l]);
  }

  const SeriesPass& pass_;
  const std::vector<std::size_t>& processes_;
  std::vector<Place> places_;  // by iteration through all loops
  std::size_t loops_;
  std::uint64_t memory_;
  std::map<std::size_t, std::size_t> place_;  // of a process, in processes_
};

}  // namespace

std::vector<std::size_t> choose_processes_to_search(const Plan& plan,
                                                    const Definitions& definitions) {
  const auto creators = find_creators(definitions);
  std::set<std::size_t> wanted;
  std::set<std::uint64_t> groups;

  for (auto p : kept_processes(plan)) {
    wanted.insert(p);
    const auto group = plan.processes[p].location_group;
    groups.insert(group);
    if (const auto creator = creators.find(group); creator != creators.end())
      groups.insert(creator->second);
  }

  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].thread == 0 && groups.contains(plan.processes[p].location_group))
      wanted.insert(p);

  return {wanted.begin(), wanted.end()};
}

std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan,
                                               const std::vector<ProcessLoops>& loops,
                                               const std::string& region,
                                               const std::vector<std::size_t>& clusters,
                                               const ReadOptions& reading,
                                               Diagnostics& diagnostics) {
  std::vector<IterationSection> out(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].region = region;
    out[c].max_clusters = clusters[c];
  }

  const auto processes = find_aligned_processes(plan, loops);
  if (processes.empty())
    return out;

  const SeriesPass pass(archive, plan, loops, processes, reading, diagnostics);
  Folding folding(pass, processes, loops[processes[0]].loops, reading.memory);
  auto folded = folding.choose(clusters, diagnostics);
  folding.measure(clusters, folded);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].loops = std::move(folded[c]);
    for (auto p : processes)
      out[c].processes.push_back({p, loops[p]});
  }

  return out;
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops,
                     const FoldOptions& options, const ReadOptions& reading,
                     Diagnostics& diagnostics) {
  plan.iterations = sweep_iterations(archive, plan, loops, options.region, {options.max_clusters},
                                     reading, diagnostics)[0];
}

}  // namespace tracefold
