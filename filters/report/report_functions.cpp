#include "filters/report/report_functions.hpp"

#include "filters/summary/measure_run.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace tracefold {

namespace {

struct FunctionSum {
  std::string name;
  Paradigm kind = Paradigm::computation;
  double ticks = 0, visits = 0;
  double of_threads = 0;  // ticks, without those of streams of accelerators
  bool is_of_threads = false;
};

struct FunctionSums {
  std::vector<FunctionSum> list;
  std::vector<std::size_t> of_path;  // by path its place in the list
  double of_threads = 0;             // ticks of all of them
};

bool is_stream(const RunFacts& facts, std::size_t process) {
  return process < facts.types.size() &&
         facts.types[process] == otf2_value::location_type_accelerator;
}

// What only streams run is no computation of a thread.
FunctionSums sum_functions(const RunFacts& facts) {
  const auto& profiles = facts.calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  const auto visits = profiles.columns.find(Metric::visits);
  const auto kinds = classify_paths(facts.calls);

  FunctionSums out;
  std::map<std::string, std::size_t> known;
  out.of_path.resize(profiles.paths.size());
  for (PathIndex path = 0; path < profiles.paths.size(); ++path) {
    auto name = name_call(facts.calls, path).function;
    const auto [at, is_new] = known.emplace(std::move(name), out.list.size());
    if (is_new)
      out.list.push_back({at->first, kinds[path].paradigm});
    out.of_path[path] = at->second;
  }

  for (std::size_t p = 0; p < profiles.processes.size(); ++p) {
    const bool is_of_thread = !is_stream(facts, p);
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      auto& sum = out.list[out.of_path[paths[k]]];
      const auto ticks = static_cast<double>(profiles.value(p, k, time));
      const auto visited = visits ? static_cast<double>(profiles.value(p, k, *visits)) : 0;
      sum.ticks += ticks;
      sum.visits += visited;
      if (!is_of_thread)
        continue;
      sum.of_threads += ticks;
      sum.is_of_threads |= ticks > 0 || visited > 0;
      out.of_threads += ticks;
    }
  }
  for (auto& sum : out.list)
    if (!sum.is_of_threads && (sum.ticks > 0 || sum.visits > 0))
      sum.kind = Paradigm::accelerator;
  return out;
}

// Those that have names and did anything, the longest first.
std::vector<std::size_t> order_functions(const std::vector<FunctionSum>& sums) {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < sums.size(); ++f)
    if (!sums[f].name.empty() && (sums[f].ticks > 0 || sums[f].visits > 0))
      order.push_back(f);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(-sums[a].ticks, sums[a].name) < std::pair(-sums[b].ticks, sums[b].name);
  });
  return order;
}

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

// In which quarter a value is, by the quartiles of a box.
std::uint8_t find_quarter(const std::array<float, 5>& box, double value) {
  std::uint8_t quarter = 0;
  while (quarter < 3 && static_cast<float>(value) > box[quarter + 1])
    ++quarter;
  return quarter;
}

// What each group did in the functions that are shown, which are in the order of the page.
void add_groups(const RunFacts& facts, const FunctionSums& sums,
                const std::vector<std::size_t>& order, std::size_t most_quarters, Report& report) {
  const auto& profiles = facts.calls.profiles;
  const auto time = *profiles.columns.find(Metric::execution_time);
  const auto visits = profiles.columns.find(Metric::visits);
  constexpr auto not_shown = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place_of(sums.list.size(), not_shown);
  for (std::size_t f = 0; f < order.size(); ++f) {
    place_of[order[f]] = f;
    report.functions[f].boxes.resize(report.groups.size());
    report.functions[f].group_seconds.resize(report.groups.size());
    report.functions[f].group_visits.resize(report.groups.size());
  }

  std::vector<std::vector<double>> values(order.size());  // by function, of one group
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    const auto& members = report.groups[g].members;
    for (auto& of : values)
      of.assign(members.size(), 0);
    std::vector<double> visited(order.size());
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto& paths = profiles.shape(members[m]).paths;
      for (std::size_t k = 0; k < paths.size(); ++k)
        if (const auto f = place_of[sums.of_path[paths[k]]]; f != not_shown) {
          values[f][m] +=
              facts.to_seconds(static_cast<double>(profiles.value(members[m], k, time)));
          if (visits)
            visited[f] += static_cast<double>(profiles.value(members[m], k, *visits));
        }
    }
    for (std::size_t f = 0; f < order.size(); ++f) {
      auto& function = report.functions[f];
      function.group_seconds[g] =
          static_cast<float>(std::accumulate(values[f].begin(), values[f].end(), 0.0));
      function.group_visits[g] = static_cast<float>(visited[f]);
      if (members.empty())
        continue;
      auto sorted = values[f];
      function.boxes[g] = make_box(sorted);
      if ((f + 1) * profiles.processes.size() > most_quarters)
        continue;
      function.quarters.resize(profiles.processes.size());
      for (std::size_t m = 0; m < members.size(); ++m)
        function.quarters[members[m]] = find_quarter(function.boxes[g], values[f][m]);
    }
  }
}

}  // namespace

void list_report_functions(const RunFacts& facts, Report& report, const FunctionLimits& most) {
  const auto sums = sum_functions(facts);
  auto order = order_functions(sums.list);
  const auto groups = std::max<std::size_t>(report.groups.size(), 1);
  const auto shown =
      std::min({order.size(), most.functions, std::max<std::size_t>(most.boxes / groups, 10)});
  report.functions_left_out = order.size() - shown;
  order.resize(shown);

  for (const auto f : order) {
    const auto& sum = sums.list[f];
    auto& function = report.functions.emplace_back();
    function.name = sum.name;
    function.kind = sum.kind;
    function.seconds = facts.to_seconds(sum.ticks);
    function.visits = sum.visits;
    if (sum.is_of_threads && sums.of_threads > 0)
      function.share = sum.of_threads / sums.of_threads;
  }
  add_groups(facts, sums, order, most.quarters, report);
}

}  // namespace tracefold
