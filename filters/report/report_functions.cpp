#include "filters/report/report_functions.hpp"

#include "filters/summary/measure_run.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

struct FunctionSum {
  std::string name;
  Paradigm kind = Paradigm::computation;
  double ticks = 0, visits = 0;
};

// The value of which `part` of all are not larger, nearest rank.
float take_quantile(const std::vector<double>& sorted, std::size_t quarter) {
  const auto size = sorted.size();
  const auto rank = quarter == 0 ? 1 : (quarter * size + 3) / 4;
  return static_cast<float>(sorted[std::min(rank, size) - 1]);
}

std::array<float, 5> make_box(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  std::array<float, 5> out{};
  for (std::size_t quarter = 0; quarter < out.size(); ++quarter)
    out[quarter] = take_quantile(values, quarter);
  return out;
}

}  // namespace

void list_report_functions(const RunFacts& facts, Report& report, const FunctionLimits& most) {
  const auto& profiles = facts.calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  const auto visits = profiles.columns.find(Metric::visits);
  const auto kinds = classify_paths(facts.calls);

  // By path the function that it counts for.
  std::map<std::string, std::size_t> known;
  std::vector<FunctionSum> sums;
  std::vector<std::size_t> sum_of(profiles.paths.size());
  for (PathIndex path = 0; path < profiles.paths.size(); ++path) {
    auto name = name_call(facts.calls, path).function;
    const auto [at, is_new] = known.emplace(std::move(name), sums.size());
    if (is_new)
      sums.push_back({at->first, kinds[path].paradigm});
    sum_of[path] = at->second;
  }
  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      auto& sum = sums[sum_of[paths[k]]];
      sum.ticks += static_cast<double>(profiles.value(p, k, time));
      if (visits)
        sum.visits += static_cast<double>(profiles.value(p, k, *visits));
    }
  }

  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < sums.size(); ++f)
    if (!sums[f].name.empty() && (sums[f].ticks > 0 || sums[f].visits > 0))
      order.push_back(f);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-sums[a].ticks, sums[a].name) < std::pair(-sums[b].ticks, sums[b].name);
  });
  const auto groups = std::max<std::size_t>(report.groups.size(), 1);
  const auto shown =
      std::min({order.size(), most.functions, std::max<std::size_t>(most.boxes / groups, 10)});
  report.functions_left_out = order.size() - shown;
  order.resize(shown);

  // By function of the page; none for others.
  constexpr auto not_shown = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place_of(sums.size(), not_shown);
  for (std::size_t f = 0; f < shown; ++f) {
    place_of[order[f]] = f;
    auto& function = report.functions.emplace_back();
    function.name = sums[order[f]].name;
    function.kind = sums[order[f]].kind;
    function.seconds = facts.to_seconds(sums[order[f]].ticks);
    function.visits = sums[order[f]].visits;
    function.boxes.resize(report.groups.size());
  }

  std::vector<std::vector<double>> values(shown);  // by function, of one group
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    const auto& members = report.groups[g].members;
    for (auto& of : values)
      of.assign(members.size(), 0);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto& paths = profiles.shape(members[m]).paths;
      for (std::size_t k = 0; k < paths.size(); ++k)
        if (const auto f = place_of[sum_of[paths[k]]]; f != not_shown)
          values[f][m] +=
              facts.to_seconds(static_cast<double>(profiles.value(members[m], k, time)));
    }
    for (std::size_t f = 0; f < shown; ++f)
      if (!members.empty())
        report.functions[f].boxes[g] = make_box(values[f]);
  }
}

}  // namespace tracefold
