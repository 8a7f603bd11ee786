#include "filters/profile/find_program_facts.hpp"

#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>

namespace tracefold {

namespace {

enum class PathUse : std::uint8_t { computation, to_mpi, mpi };

// Callers precede callees.
std::vector<PathUse> classify(const std::vector<CallPath>& paths,
                              const std::vector<Function>& functions) {
  const auto known_by = find_mpi_known_by(functions);
  std::vector<bool> are_mpi;
  for (const auto& f : functions)
    are_mpi.push_back(is_mpi_time(time_metric(f.paradigm, f.role, f.name, known_by)));

  std::vector<PathUse> uses(paths.size());
  for (PathIndex p = 0; p < paths.size(); ++p) {
    const auto caller = paths[p].caller;
    if (are_mpi[paths[p].function] || (caller != no_path && uses[caller] == PathUse::mpi))
      uses[p] = PathUse::mpi;
  }
  for (auto p = paths.size(); p-- > 0;)
    if (const auto caller = paths[p].caller;
        uses[p] != PathUse::computation && caller != no_path && uses[caller] != PathUse::mpi)
      uses[caller] = PathUse::to_mpi;
  return uses;
}

struct Sums {
  double visits = 0, time = 0;
};

// Only those are measured or not as a filter says.
bool is_of_program(const Function& function) {
  return !function.is_artificial() && (function.paradigm == otf2_value::paradigm_user ||
                                       function.paradigm == otf2_value::paradigm_compiler);
}

}  // namespace

ProgramFacts find_program_facts(const Plan& plan, const CallPathProfiles& calls) {
  constexpr double least_share = 0.01, longest_visit = 1e-6;
  const auto& paths = calls.paths;
  const auto time_column = *calls.columns.find(Metric::execution_time),
             visits_column = *calls.columns.find(Metric::visits);

  std::vector<Sums> of_path(paths.size());
  ProgramFacts out;
  for (std::size_t p = 0; p < calls.processes.size(); ++p) {
    const auto weight = static_cast<double>(plan.processes[p].weight);
    out.processes += plan.processes[p].weight;
    const auto& own = calls.shape(p).paths;
    for (std::size_t k = 0; k < own.size(); ++k) {
      of_path[own[k]].visits += weight * static_cast<double>(calls.value(p, k, visits_column));
      of_path[own[k]].time += weight * static_cast<double>(calls.value(p, k, time_column));
    }
  }

  const auto uses = classify(paths, plan.functions);
  std::vector<std::size_t> depths(paths.size());
  std::vector<Sums> of_function(plan.functions.size());
  std::vector<bool> leads_to_mpi(plan.functions.size());
  double depths_of_visits = 0;
  for (PathIndex p = 0; p < paths.size(); ++p) {
    const auto [caller, function] = paths[p];
    depths[p] = caller == no_path ? 1 : depths[caller] + 1;
    out.deepest = std::max(out.deepest, depths[p]);
    depths_of_visits += static_cast<double>(depths[p]) * of_path[p].visits;
    auto& sums = uses[p] == PathUse::mpi      ? out.mpi
                 : uses[p] == PathUse::to_mpi ? out.to_mpi
                                              : out.computation;
    ++sums.paths;
    sums.visits += of_path[p].visits;
    sums.time += of_path[p].time;
    of_function[function].visits += of_path[p].visits;
    of_function[function].time += of_path[p].time;
    if (uses[p] != PathUse::computation)
      leads_to_mpi[function] = true;
  }
  const auto visits = out.visits();
  out.mean_depth = visits > 0 ? depths_of_visits / visits : 0;

  for (std::size_t f = 0; f < of_function.size(); ++f) {
    const auto [of, time] = of_function[f];
    if (of > 0 && of >= least_share * visits && to_seconds(plan, time) < longest_visit * of &&
        is_of_program(plan.functions[f]) && !leads_to_mpi[f])
      out.short_functions.push_back({static_cast<FunctionIndex>(f), of, time, of / visits});
  }
  std::stable_sort(out.short_functions.begin(), out.short_functions.end(),
                   [](const auto& a, const auto& b) { return a.visits > b.visits; });
  return out;
}

}  // namespace tracefold
