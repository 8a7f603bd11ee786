#include "filters/summary/call_work.hpp"

#include <algorithm>

namespace tracefold {

std::pair<NamedCall, double> find_most(const CallSums& sums) {
  std::pair<NamedCall, double> most;
  for (const auto& [names, time] : sums)
    if (time > most.second)
      most = {{names.first, names.second}, time};
  return most;
}

CallWork::CallWork(const RunFacts& facts)
    : facts_(facts),
      kinds_(classify_paths(facts.calls)),
      time_(*facts.calls.profiles.columns.find(Metric::execution_time)) {}

std::map<PathIndex, double> CallWork::list(std::size_t process) const {
  std::map<PathIndex, double> work;
  const auto& profiles = facts_.calls.profiles;
  const auto& paths = profiles.shape(process).paths;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    auto time = static_cast<double>(profiles.value(process, k, time_));
    if (kinds_[paths[k]].is_mpi)
      for (auto wait : profiles.columns.list_waits())
        time -= static_cast<double>(profiles.value(process, k, *profiles.columns.find(wait)));
    if (time > 0)
      work[paths[k]] += facts_.to_seconds(time);
  }
  return work;
}

CallWork::Excess CallWork::find_excess(const std::vector<std::size_t>& who,
                                       const std::vector<std::size_t>& all, bool with_mpi) const {
  struct OwnAndOthers {
    double own = 0, others = 0;
    Paradigm paradigm = Paradigm::computation;
  };
  std::map<std::pair<std::string, std::string>, OwnAndOthers> sums;
  std::size_t others = 0;
  for (auto p : all) {
    const bool is_own = std::find(who.begin(), who.end(), p) != who.end();
    others += !is_own;
    for (const auto& [path, time] : list(p)) {
      const auto& kind = kinds_[path];
      const bool counts_in_mpi =
          kind.is_mpi_io || (with_mpi && kind.paradigm == Paradigm::point_to_point);
      if (kind.paradigm == Paradigm::openmp || (kind.is_mpi && !counts_in_mpi))
        continue;
      const auto call = name_call(facts_.calls, path);
      auto& sum = sums[{call.function, call.caller}];
      (is_own ? sum.own : sum.others) += time;
      sum.paradigm = kind.paradigm;
    }
  }
  Excess best;
  for (const auto& [names, sum] : sums) {
    Excess one{{names.first, names.second},
               sum.paradigm,
               sum.own / static_cast<double>(std::max<std::size_t>(who.size(), 1)),
               sum.others / static_cast<double>(std::max<std::size_t>(others, 1))};
    if (one.difference() > best.difference())
      best = std::move(one);
  }
  return best;
}

}  // namespace tracefold
