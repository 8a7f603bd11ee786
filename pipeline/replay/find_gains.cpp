#include "pipeline/replay/find_gains.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t most_played = 3;                    // functions
constexpr std::size_t most_times = std::size_t{1} << 23;  // of a function

// How long each should be in it at most: the median, or where most are hardly in it, the mean.
double find_target(std::vector<double> times) {
  const auto mean = std::accumulate(times.begin(), times.end(), 0.0) /
                    static_cast<double>(std::max<std::size_t>(times.size(), 1));
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const auto most = times.empty() ? 0 : *std::max_element(times.begin(), times.end());
  return middle != times.end() && *middle > 0.01 * most ? *middle : mean;
}

// One function.
struct OfFunction {
  std::vector<double> times;              // by process of the part
  std::map<std::size_t, double> on_path;  // by the same
  std::map<PathIndex, double> by_path;    // on the critical path
  double bound = 0;
  // Only of those that are played: by process of the part and iteration.
  std::vector<std::vector<double>> by_iteration = {};
};

class GainFinder {
 public:
  GainFinder(const Replay& replay, const Replay::Part& part, const std::vector<PlayedPath>& paths,
             const ProgramReplay& played)
      : replay_(replay), part_(part), paths_(paths), played_(played) {}

  std::vector<ProgramGain> find() {
    for (std::size_t p = 0; p < part_.size(); ++p)
      if (part_[p].end > 0)
        processes_.push_back(p);
    sum_times();
    std::vector<std::pair<double, FunctionIndex>> order;
    for (auto& [function, one] : functions_) {
      const auto target = find_target(one.times);
      // Those who are longer in some iterations alone may be on the path there.
      for (const auto& [k, ticks] : one.on_path)
        one.bound += std::max(ticks - target * ticks / std::max(one.times[k], 1.0), 0.0);
      double on_path = 0;
      for (const auto& [k, ticks] : one.on_path)
        on_path += ticks;
      one.bound = std::max(one.bound, on_path - target);
      if (is_enough(one.bound))
        order.emplace_back(-one.bound, function);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most_played));

    std::map<FunctionIndex, OfFunction*> played;
    for (const auto& [bound, function] : order)
      played.emplace(function, &functions_[function]);
    sum_iterations(played);
    for (const auto& [bound, function] : order)
      try_function(function, functions_[function]);
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

  OfFunction& find_function(FunctionIndex function) {
    auto& one = functions_[function];
    one.times.resize(processes_.size());
    return one;
  }

  void sum_times() {
    PartTimes sums;
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& part = part_[processes_[k]];
      replay_.processes()[processes_[k]].line.sum(part.begin, part.end, sums);
      for (auto of_path : sums.parts())
        if (const auto* path = find_path(PartTimes::find_path(of_path)); path && path->computes)
          find_function(path->function).times[k] += static_cast<double>(sums[of_path]);
      sums.clear();
    }
    for (const auto& [process, number, ticks] : played_.critical_path.times)
      if (const auto* path = find_path(number); path && path->computes) {
        auto& one = find_function(path->function);
        const auto at = std::lower_bound(processes_.begin(), processes_.end(), process);
        one.on_path[static_cast<std::size_t>(at - processes_.begin())] +=
            static_cast<double>(ticks);
        one.by_path[number] += static_cast<double>(ticks);
      } else if (path && path->is_of_files) {
        on_files_ += static_cast<double>(ticks);
      }
  }

  // As the player counts them. Where processes have other numbers of iterations, or there are too
  // many, all of them are one.
  void sum_iterations(const std::map<FunctionIndex, OfFunction*>& functions) {
    std::vector<std::size_t> counts(processes_.size());
    const auto most_of_one = most_times / std::max<std::size_t>(processes_.size(), 1);
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& part = part_[processes_[k]];
      const auto& line = replay_.processes()[processes_[k]].line;
      for (auto reader = line.read(); reader.next() && reader.begin() < part.end;) {
        if (reader.end() <= part.begin)
          continue;
        reader.visit_parts([&](std::uint32_t part_of, std::uint64_t ticks) {
          const auto* path = find_path(line.find_in_all(PartTimes::find_path(part_of)));
          const auto at = path && path->computes ? functions.find(path->function) : functions.end();
          if (at == functions.end() || counts[k] >= most_of_one)
            return;
          auto& times = at->second->by_iteration;
          times.resize(processes_.size());
          times[k].resize(std::max(times[k].size(), counts[k] + 1));
          times[k][counts[k]] += static_cast<double>(ticks);
        });
        counts[k] += reader.kind() == SegmentKind::before_iteration;
      }
    }
    const bool are_alike = std::all_of(counts.begin(), counts.end(), [&](auto count) {
      return count == counts.front() && count < most_of_one;
    });
    most_iterations_ = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()) + 1;
    for (const auto& [function, one] : functions)
      for (std::size_t k = 0; k < processes_.size(); ++k) {
        one->by_iteration.resize(processes_.size());
        auto& times = one->by_iteration[k];
        if (are_alike)
          times.resize(most_iterations_);
        else
          times.assign(1, one->times[k]);
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

  void try_function(FunctionIndex function, const OfFunction& one) {
    ReplayChange change;
    for (const auto& path : paths_)
      change.some_paths.push_back(path.computes && path.function == function);
    std::vector<double> above(processes_.size()), of_all(processes_.size());
    const auto columns = one.by_iteration.front().size();
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t k = 0; k < processes_.size(); ++k)
        of_all[k] = one.by_iteration[k][column];
      const auto target = find_target(of_all);
      for (std::size_t k = 0; k < processes_.size(); ++k) {
        if (of_all[k] <= target)
          continue;
        above[k] += of_all[k] - target;
        auto& factors = change.of_processes[processes_[k]];
        factors.resize(most_iterations_, 1);
        if (columns > 1)
          factors[column] = target / of_all[k];
        else
          std::fill(factors.begin(), factors.end(), target / of_all[k]);
      }
    }
    const auto largest =
        std::max_element(one.by_path.begin(), one.by_path.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    ProgramGain gain{ProgramGain::Kind::function, largest->first, {}, find_gain(change)};
    // Those that are far above; where these are many, or it is little, nobody is.
    const auto most = *std::max_element(above.begin(), above.end());
    for (std::size_t k = 0; k < processes_.size(); ++k)
      if (above[k] > 0.25 * most && above[k] > 0.05 * one.times[k])
        gain.who.push_back(processes_[k]);
    if (2 * gain.who.size() > processes_.size())
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
  std::vector<std::size_t> processes_;  // of the part, ascending
  std::size_t most_iterations_ = 0;     // of a process, and what is before them
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
