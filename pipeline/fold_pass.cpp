#include "pipeline/fold_pass.hpp"

#include "filters/aligned_loops.hpp"
#include "filters/joint_iterations.hpp"
#include "filters/loop_fidelity.hpp"
#include "pipeline/collapse.hpp"
#include "pipeline/iteration_pass.hpp"
#include "pipeline/series_pass.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <map>
#include <set>

namespace tracefold {

namespace {

// Where the iteration that a pass numbers through all loops is.
struct Place {
  std::size_t loop = 0, iteration = 0;
};

std::vector<Place> places_of(const std::vector<Loop>& loops) {
  std::vector<Place> places;
  for (std::size_t l = 0; l < loops.size(); ++l)
    for (std::size_t i = 0; i < loops[l].iterations.size(); ++i) places.push_back({l, i});
  return places;
}

// The loops of aligned processes, read as often as it takes.
class Folding {
 public:
  Folding(const SeriesPass& pass, const std::vector<std::size_t>& processes, const std::vector<Loop>& loops)
      : pass_(pass), processes_(processes), places_(places_of(loops)), loops_(loops.size()) {
    for (std::size_t k = 0; k < processes.size(); ++k) place_.emplace(processes[k], k);
  }

  // By number of clusters and loop.
  std::vector<std::vector<FoldedLoop>> choose(const std::vector<std::size_t>& clusters) {
    std::vector<std::vector<SeriesRecorder>> recorders(loops_, std::vector<SeriesRecorder>(processes_.size(), SeriesRecorder(pass_.columns(), pass_.sampled())));
    pass_.read({[&](const SeriesIteration& it) {
                  recorders[places_[it.iteration].loop][place_.at(it.process)].add(it.profile);
                }, {}});
    std::vector<std::vector<FoldedLoop>> out(clusters.size());
    for (auto& of_loop : recorders) {
      std::vector<IterationSeries> series;
      series.reserve(of_loop.size());
      for (auto& recorder : of_loop) series.push_back(std::move(recorder).take());
      for (std::size_t c = 0; c < clusters.size(); ++c) out[c].push_back({choose_iterations(series, pass_.columns(), options(clusters[c])), {}, {}});
    }
    return out;
  }

  // Fills in how near all choices come.
  void measure(const std::vector<std::size_t>& clusters, std::vector<std::vector<FoldedLoop>>& folded) {
    std::vector<std::vector<MeasuredChoice>> choices(loops_);
    std::vector<LoopFidelity> figures;
    for (std::size_t l = 0; l < loops_; ++l) {
      for (std::size_t c = 0; c < clusters.size(); ++c) choices[l].push_back({&folded[c][l].choice, options(clusters[c])});
      figures.emplace_back(pass_.columns(), choices[l]);
    }
    const auto together = 2 * static_cast<std::size_t>(oneapi::tbb::info::default_concurrency());  // bounds what is held
    for (std::size_t first = 0; first < processes_.size(); first += together)
      measure({processes_.begin() + static_cast<std::ptrdiff_t>(first), processes_.begin() + static_cast<std::ptrdiff_t>(std::min(first + together, processes_.size()))}, choices, figures);
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

  void measure(const std::vector<std::size_t>& some, const std::vector<std::vector<MeasuredChoice>>& choices, std::vector<LoopFidelity>& figures) {
    std::map<std::size_t, std::vector<ProcessFidelity>> of;
    for (auto p : some)
      for (const auto& of_loop : choices) of[p].emplace_back(pass_.columns(), of_loop);
    pass_.read(some, {[&](const SeriesIteration& it) {
                        of.at(it.process)[places_[it.iteration].loop].first(places_[it.iteration].iteration, it.profile);
                      }, {}});
    for (auto& [process, loops] : of)
      for (auto& loop : loops) loop.turn();
    pass_.read(some, {[&](const SeriesIteration& it) {
                        of.at(it.process)[places_[it.iteration].loop].second(places_[it.iteration].iteration, it.profile);
                      }, {}});
    for (const auto& [process, loops] : of)
      for (std::size_t l = 0; l < loops.size(); ++l) figures[l].add(loops[l]);
  }

  const SeriesPass& pass_;
  const std::vector<std::size_t>& processes_;
  std::vector<Place> places_;                 // by iteration through all loops
  std::size_t loops_;
  std::map<std::size_t, std::size_t> place_;  // of a process, in processes_
};

}  // namespace

std::vector<std::size_t> processes_to_fold(const Plan& plan, const Definitions& definitions) {
  const auto creators = creators_of(definitions);
  std::set<std::size_t> wanted;
  std::set<std::uint64_t> groups;
  for (auto p : kept_processes(plan)) {
    wanted.insert(p);
    const auto group = plan.processes[p].location_group;
    groups.insert(group);
    if (const auto creator = creators.find(group); creator != creators.end()) groups.insert(creator->second);
  }
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].thread == 0 && groups.contains(plan.processes[p].location_group)) wanted.insert(p);
  return {wanted.begin(), wanted.end()};
}

std::vector<IterationSection> sweep_iterations(const Archive& archive, const Plan& plan, const std::vector<ProcessLoops>& loops, const std::string& region,
                                               const std::vector<std::size_t>& clusters, const ReadOptions& reading, Diagnostics& diagnostics) {
  std::vector<IterationSection> out(clusters.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].region = region;
    out[c].max_clusters = clusters[c];
  }
  if (is_collapsed(archive.definitions())) {
    diagnostics.warn("iterations were folded by an earlier reduction, and stay as they are");
    return out;
  }
  const auto processes = aligned_processes(plan, loops);
  if (processes.empty()) return out;
  const SeriesPass pass(archive, plan, loops, processes, reading, diagnostics);
  Folding folding(pass, processes, loops[processes[0]].loops);
  auto folded = folding.choose(clusters);
  folding.measure(clusters, folded);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    out[c].loops = std::move(folded[c]);
    for (auto p : processes) out[c].processes.push_back({p, loops[p]});
  }
  return out;
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops, const FoldOptions& options, const ReadOptions& reading, Diagnostics& diagnostics) {
  plan.iterations = sweep_iterations(archive, plan, loops, options.region, {options.max_clusters}, reading, diagnostics)[0];
}

}  // namespace tracefold
