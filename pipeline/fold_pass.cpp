#include "pipeline/fold_pass.hpp"

#include "filters/aligned_loops.hpp"
#include "filters/joint_iterations.hpp"

#include "pipeline/collapse.hpp"

#include <set>

namespace tracefold {

std::vector<std::size_t> processes_to_fold(const Plan& plan) {
  std::set<std::size_t> wanted;
  std::set<std::uint64_t> groups;
  for (auto p : kept_processes(plan)) {
    wanted.insert(p);
    groups.insert(plan.processes[p].location_group);
  }
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].thread == 0 && groups.contains(plan.processes[p].location_group)) wanted.insert(p);
  return {wanted.begin(), wanted.end()};
}

void fold_iterations(const Archive& archive, Plan& plan, const std::vector<ProcessLoops>& loops, const FoldOptions& options, const ReadOptions&, Diagnostics& diagnostics) {
  auto& section = plan.iterations.emplace();
  section.region = options.region;
  section.max_clusters = options.max_clusters;
  if (is_collapsed(archive.definitions())) {
    diagnostics.warn("iterations were folded by an earlier reduction, and stay as they are");
    return;
  }
  const auto processes = aligned_processes(plan, loops);
  for (auto p : processes) section.processes.push_back({p, loops[p]});
  if (processes.empty()) return;
  MetricColumns columns{{Metric::execution_time, Metric::visits}, {}};
  for (std::size_t l = 0; l < loops[processes[0]].loops.size(); ++l) {
    std::vector<IterationSeries> series;
    for (auto p : processes) {
      SeriesRecorder r(columns, false);
      for (auto i : loops[p].loops[l].iterations) r.add({{{CallPathId{0}, PathKind::usr}}, {i.end - i.begin, 1}});
      series.push_back(std::move(r).take());
    }
    ClusterOptions o; o.max_clusters = options.max_clusters;
    section.loops.push_back({choose_iterations(series, columns, o), {}, {}});
  }
}

}  // namespace tracefold
