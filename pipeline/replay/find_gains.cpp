#include "pipeline/replay/find_gains.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t most_played = 4;  // functions

// One function, by process of the part.
struct OfFunction {
  std::map<std::size_t, double> times, on_path;
  std::map<PathIndex, double> by_path;  // on the critical path
  double target = 0, bound = 0;
};

// What each process should take at most.
double find_target(const OfFunction& one, std::size_t processes) {
  std::vector<double> times(processes);
  std::transform(one.times.begin(), one.times.end(), times.begin(),
                 [](const auto& of) { return of.second; });
  const auto mean = std::accumulate(times.begin(), times.end(), 0.0) /
                    static_cast<double>(std::max<std::size_t>(processes, 1));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(processes / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle > 0.5 * mean ? *middle : mean;
}

class GainFinder {
 public:
  GainFinder(const Replay& replay, const Replay::Part& part, const std::vector<PlayedPath>& paths,
             const ProgramReplay& played)
      : replay_(replay), part_(part), paths_(paths), played_(played) {}

  std::vector<ProgramGain> find() {
    sum_times();
    std::vector<std::pair<double, FunctionIndex>> order;
    for (auto& [function, one] : functions_) {
      one.target = find_target(one, processes_);
      for (const auto& [process, ticks] : one.on_path)
        if (const auto own = one.times[process]; own > one.target)
          one.bound += ticks * (1 - one.target / own);
      if (is_enough(one.bound))
        order.emplace_back(-one.bound, function);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most_played));
    for (const auto& [bound, function] : order)
      try_function(functions_[function]);
    try_files();
    add({ProgramGain::Kind::network,
         0,
         {},
         played_.recorded - std::min(played_.recorded, played_.ideal)});
    std::stable_sort(gains_.begin(), gains_.end(),
                     [](const auto& a, const auto& b) { return a.ticks > b.ticks; });
    return gains_;
  }

 private:
  bool is_enough(double ticks) const {
    return ticks > 0 && ticks >= least_gain * static_cast<double>(played_.recorded);
  }
  const PlayedPath* find_path(PathIndex number) const {
    return number < paths_.size() ? &paths_[number] : nullptr;
  }

  void sum_times() {
    PartTimes sums;
    for (std::size_t p = 0; p < part_.size(); ++p) {
      if (part_[p].end == 0)
        continue;
      ++processes_;
      replay_.processes()[p].line.sum(part_[p].begin, part_[p].end, sums);
      for (auto of_path : sums.parts())
        if (const auto* path = find_path(PartTimes::find_path(of_path)); path && path->computes)
          functions_[path->function].times[p] += static_cast<double>(sums[of_path]);
      sums.clear();
    }
    for (const auto& [process, number, ticks] : played_.critical_path.times)
      if (const auto* path = find_path(number); path && path->computes) {
        auto& one = functions_[path->function];
        one.on_path[process] += static_cast<double>(ticks);
        one.by_path[number] += static_cast<double>(ticks);
      } else if (path && path->is_of_files) {
        on_files_ += static_cast<double>(ticks);
      }
  }

  std::uint64_t find_gain(const ReplayChange& change) const {
    const auto takes = replay_.play(part_, change);
    return played_.recorded - std::min(played_.recorded, takes);
  }
  void add(ProgramGain gain) {
    if (is_enough(static_cast<double>(gain.ticks)))
      gains_.push_back(std::move(gain));
  }

  void try_function(const OfFunction& one) {
    const auto largest =
        std::max_element(one.by_path.begin(), one.by_path.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto function = paths_[largest->first].function;
    ReplayChange change;
    double most = 0;
    for (const auto& [process, ticks] : one.times) {
      if (ticks <= one.target)
        continue;
      most = std::max(most, ticks - one.target);
      PathFactors factors;
      for (const auto& path : paths_)
        factors.push_back(path.computes && path.function == function ? one.target / ticks : 1);
      change.of_processes.emplace(process, std::move(factors));
    }
    ProgramGain gain{ProgramGain::Kind::function, largest->first, {}, find_gain(change)};
    // Those that are far above; where these are many, nobody is.
    for (const auto& [process, ticks] : one.times)
      if (ticks - one.target > 0.25 * most)
        gain.who.push_back(process);
    if (2 * gain.who.size() > processes_)
      gain.who.clear();
    add(std::move(gain));
  }

  void try_files() {
    if (!is_enough(on_files_))
      return;
    ReplayChange change;
    for (const auto& path : paths_)
      change.paths.push_back(path.is_of_files ? 0 : 1);
    add({ProgramGain::Kind::files, 0, {}, find_gain(change)});
  }

  const Replay& replay_;
  const Replay::Part& part_;
  const std::vector<PlayedPath>& paths_;
  const ProgramReplay& played_;
  std::size_t processes_ = 0;
  std::map<FunctionIndex, OfFunction> functions_;
  double on_files_ = 0;
  std::vector<ProgramGain> gains_;
};

}  // namespace

std::vector<ProgramGain> find_gains(const Replay& replay, const Replay::Part& part,
                                    const std::vector<PlayedPath>& paths,
                                    const ProgramReplay& played) {
  return GainFinder(replay, part, paths, played).find();
}

}  // namespace tracefold
