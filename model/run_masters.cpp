#include "model/run_masters.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

std::vector<std::size_t> list_run_masters(const std::vector<Process>& processes,
                                          const std::vector<std::uint64_t>& types) {
  const bool has_ranks = std::any_of(processes.begin(), processes.end(),
                                     [](const Process& p) { return p.rank.has_value(); });
  std::map<std::pair<bool, std::uint64_t>, std::size_t> masters;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    if (processes[p].rank.has_value() != has_ranks || processes[p].events == 0 ||
        types[p] == otf2_value::location_type_accelerator ||
        types[p] == otf2_value::location_type_metric)
      continue;
    const auto [at, is_new] = masters.try_emplace(processes[p].owner(), p);
    if (is_new)
      continue;
    const auto order = [&](std::size_t one) {
      return std::pair(!processes[one].is_mpi_endpoint, processes[one].thread);
    };
    if (order(p) < order(at->second))
      at->second = p;
  }
  std::vector<std::size_t> out;
  for (const auto& [owner, process] : masters)
    out.push_back(process);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::size_t> list_run_masters(const Plan& plan) {
  std::vector<std::uint64_t> types;
  for (const auto& process : plan.processes)
    types.push_back(plan.intents[process.intent].set.type);
  return list_run_masters(plan.processes, types);
}

double compute_mean_of(const std::vector<std::size_t>& masters,
                       const std::vector<std::uint64_t>& by_process) {
  if (masters.empty() || by_process.empty())
    return 0;
  double sum = 0;
  for (auto p : masters)
    sum += static_cast<double>(by_process[p]);
  return sum / static_cast<double>(masters.size());
}

}  // namespace tracefold
