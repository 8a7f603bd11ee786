#include "filters/report/report_calls.hpp"

#include "filters/summary/measure_run.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tracefold {

namespace {

constexpr auto not_on_page = static_cast<std::size_t>(-1);

struct PathSums {
  std::vector<double> exclusive, inclusive;  // by path, over all processes, in ticks
};

PathSums sum_paths(const CallPathProfiles& profiles) {
  const auto time = *profiles.columns.find(Metric::execution_time);
  PathSums out;
  out.exclusive.resize(profiles.paths.size());
  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      out.exclusive[paths[k]] += static_cast<double>(profiles.value(p, k, time));
  }
  out.inclusive = out.exclusive;
  for (auto path = profiles.paths.size(); path-- > 0;)
    if (const auto caller = profiles.paths[path].caller; caller != no_path)
      out.inclusive[caller] += out.inclusive[path];
  return out;
}

// The calls of the page, and by path the one that it is, or that it is in.
class CallChoice {
 public:
  CallChoice(const RunFacts& facts, const PathSums& sums, std::size_t most, double least)
      : facts_(facts),
        paths_(facts.calls.profiles.paths),
        sums_(sums),
        kinds_(classify_paths(facts.calls)),
        callees_(paths_.size()),
        is_chosen_(paths_.size()),
        call_of_(paths_.size(), not_on_page) {
    choose(most, least);
  }

  std::vector<ReportCall> list() {
    add_all(roots_, std::nullopt);
    for (PathIndex path = 0; path < paths_.size(); ++path)
      if (const auto caller = paths_[path].caller;
          call_of_[path] == not_on_page && caller != no_path)
        call_of_[path] = call_of_[caller];
    return std::move(calls_);
  }
  std::size_t find_call(PathIndex path) const { return call_of_[path]; }
  bool is_chosen(PathIndex path) const { return is_chosen_[path]; }

 private:
  bool is_call(PathIndex path) const { return paths_[path].function != virtual_root; }

  // A caller takes at least as long as what it calls, and stands before it: it is chosen, too.
  void choose(std::size_t most, double least) {
    std::vector<PathIndex> order;
    for (PathIndex path = 0; path < paths_.size(); ++path) {
      if (!is_call(path) || sums_.inclusive[path] <= 0)
        continue;
      const auto caller = paths_[path].caller;
      (caller == no_path || !is_call(caller) ? roots_ : callees_[caller]).push_back(path);
      if (sums_.inclusive[path] >= least)
        order.push_back(path);
    }
    std::stable_sort(order.begin(), order.end(), [&](PathIndex a, PathIndex b) {
      return sums_.inclusive[a] > sums_.inclusive[b];
    });
    order.resize(std::min(order.size(), most));
    for (const auto path : order)
      is_chosen_[path] = true;
  }

  // Returns how many of the paths are left out.
  std::size_t add_all(std::vector<PathIndex>& paths, std::optional<std::size_t> caller) {
    std::stable_sort(paths.begin(), paths.end(), [&](PathIndex a, PathIndex b) {
      return sums_.inclusive[a] > sums_.inclusive[b];
    });
    std::size_t left_out = 0;
    for (const auto path : paths) {
      if (!is_chosen_[path]) {
        ++left_out;
        continue;
      }
      const auto at = call_of_[path] = calls_.size();
      calls_.push_back({name_call(facts_.calls, path).function, caller, kinds_[path].paradigm,
                        facts_.to_seconds(sums_.inclusive[path]),
                        facts_.to_seconds(sums_.exclusive[path])});
      calls_[at].left_out = add_all(callees_[path], at);
    }
    return left_out;
  }

  const RunFacts& facts_;
  const std::vector<CallPath>& paths_;
  const PathSums& sums_;
  const std::vector<SummedKind> kinds_;
  std::vector<PathIndex> roots_;
  std::vector<std::vector<PathIndex>> callees_;  // by path
  std::vector<bool> is_chosen_;
  std::vector<std::size_t> call_of_;
  std::vector<ReportCall> calls_;
};

// What each group does in the calls.
void add_group_times(const RunFacts& facts, const CallChoice& choice, Report& report) {
  const auto& profiles = facts.calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  const auto groups = report.groups.size();
  for (auto& call : report.calls) {
    call.group_inclusive.resize(groups);
    call.group_exclusive.resize(groups);
  }
  std::vector<double> exclusive(report.calls.size()), inclusive(report.calls.size());
  for (std::size_t g = 0; g < groups; ++g) {
    std::fill(exclusive.begin(), exclusive.end(), 0);
    std::fill(inclusive.begin(), inclusive.end(), 0);
    for (const auto member : report.groups[g].members) {
      const auto& paths = profiles.shape(member).paths;
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const auto at = choice.find_call(paths[k]);
        if (at == not_on_page)
          continue;
        const auto ticks = static_cast<double>(profiles.value(member, k, time));
        inclusive[at] += ticks;
        if (choice.is_chosen(paths[k]))
          exclusive[at] += ticks;
      }
    }
    for (auto k = report.calls.size(); k-- > 0;) {
      auto& call = report.calls[k];
      if (call.caller)
        inclusive[*call.caller] += inclusive[k];
      call.group_inclusive[g] = static_cast<float>(facts.to_seconds(inclusive[k]));
      call.group_exclusive[g] = static_cast<float>(facts.to_seconds(exclusive[k]));
    }
  }
}

}  // namespace

void list_report_calls(const RunFacts& facts, Report& report, const CallLimits& most) {
  const auto sums = sum_paths(facts.calls.profiles);
  const auto all = std::accumulate(sums.exclusive.begin(), sums.exclusive.end(), 0.0);
  const auto groups = std::max<std::size_t>(report.groups.size(), 1);
  const auto shown = std::min(most.calls, std::max<std::size_t>(most.values / groups, 40));
  CallChoice choice(facts, sums, shown, most.least_share * all);
  report.calls = choice.list();
  add_group_times(facts, choice, report);
}

}  // namespace tracefold
