#include "filters/summary/loss_search.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

bool contains(const std::vector<std::size_t>& ascending, std::size_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

std::vector<std::size_t> list_rest(const std::vector<std::size_t>& ascending, std::size_t count) {
  std::vector<std::size_t> rest;
  for (std::size_t k = 0; k < count; ++k)
    if (!contains(ascending, k))
      rest.push_back(k);
  return rest;
}

std::vector<std::size_t> LossSearch::list_masters(const std::vector<std::size_t>& ranks) const {
  std::vector<std::size_t> masters;
  for (auto r : ranks)
    masters.push_back(out.ranks[r].master);
  return masters;
}

std::vector<std::size_t> LossSearch::list_all_masters() const {
  std::vector<std::size_t> masters;
  for (const auto& rank : out.ranks)
    masters.push_back(rank.master);
  return masters;
}

std::vector<std::size_t> LossSearch::find_ranks(const std::vector<std::size_t>& masters) const {
  std::vector<std::size_t> ranks;
  for (std::size_t r = 0; r < out.ranks.size(); ++r)
    if (std::find(masters.begin(), masters.end(), out.ranks[r].master) != masters.end())
      ranks.push_back(r);
  return ranks;
}

std::vector<std::size_t> LossSearch::list_others(const std::vector<std::size_t>& ranks) const {
  return list_masters(list_rest(ranks, out.ranks.size()));
}

std::string LossSearch::find_node(const std::vector<std::size_t>& ranks) const {
  if (facts.nodes.empty() || ranks.empty())
    return {};
  const auto& node = facts.nodes[out.ranks[ranks.front()].master];
  if (node.empty())
    return {};
  std::size_t on_node = 0;
  for (const auto& rank : out.ranks)
    on_node += facts.nodes[rank.master] == node;
  for (auto r : ranks)
    if (facts.nodes[out.ranks[r].master] != node)
      return {};
  const bool is_whole = on_node == ranks.size() && on_node < out.ranks.size();
  return is_whole ? node : std::string();
}

void LossSearch::take(const CallWork::Excess& excess) {
  auto& found = out.finding;
  const bool is_late = found.loss == Loss::serialisation;
  const auto others = std::max<std::size_t>(out.ranks.size() - 1, 1);
  const auto lateness = is_late ? found.lost / static_cast<double>(others) : 0;
  if (excess.difference() <= 0 || excess.difference() < 0.2 * lateness)
    return;
  found.call = excess.call;
  found.paradigm = excess.paradigm;
  found.is_alone = excess.is_alone();
  if (excess.paradigm == Paradigm::io) {
    found.loss = Loss::io;
    found.value = excess.own;
    found.others = excess.others;
  }
}

void LossSearch::take_wait_for(const std::vector<std::size_t>& late) {
  Metric metric = Metric::none;
  double most = 0;
  for (const auto& [kind, of] : blame.times()) {
    double lost = 0;
    for (auto p : late)
      if (const auto at = of.find(p); at != of.end())
        lost += at->second;
    if (lost > most) {
      most = lost;
      metric = kind;
    }
  }
  if (metric == Metric::none)
    return;
  if (std::any_of(out.waits.begin(), out.waits.end(),
                  [&](const auto& wait) { return wait.kind == metric; })) {
    take_wait(metric, most);
    out.finding.lost_is_of_run = is_blamed_outside(metric);
  }
}

void LossSearch::take_counters() {
  auto& found = out.finding;
  if (found.who.size() != 1 || found.call.empty())
    return;
  const auto& profiles = facts.calls.profiles;
  // How much of a counter it has, by the average of those of the others that record it.
  const auto compare = [&](std::initializer_list<std::string_view> names) -> std::optional<double> {
    std::optional<std::size_t> column;
    for (const auto name : names)
      if (!column)
        column = profiles.columns.find(name);
    if (!column)
      return std::nullopt;
    double own = 0;
    std::vector<double> others;
    for (const auto& rank : out.ranks) {
      const auto& paths = profiles.shape(rank.master).paths;
      double sum = 0;
      for (std::size_t k = 0; k < paths.size(); ++k)
        if (name_call(facts.calls, paths[k]).function == found.call.function)
          sum += static_cast<double>(profiles.value(rank.master, k, *column));
      if (rank.master == found.who.front())
        own = sum;
      else if (sum > 0)
        others.push_back(sum);
    }
    if (own <= 0 || others.empty())
      return std::nullopt;
    return own / compute_mean(others);
  };
  const auto instructions = compare({"PAPI_TOT_INS", "instructions", "instructions:u"});
  const auto cycles = compare({"PAPI_TOT_CYC", "cycles", "cpu-cycles", "cycles:u"});
  if (instructions && cycles)
    found.counted = {*instructions, *cycles};
}

bool LossSearch::is_blamed_outside(Metric metric) const {
  const auto found = blame.times().find(metric);
  if (facts.part != RunPart::loop || found == blame.times().end())
    return false;
  double in_run = 0;
  for (const auto& [process, time] : found->second)
    in_run += time;
  constexpr double as_good_as_all = 0.95;
  return sum_waits(metric) < as_good_as_all * in_run;
}

double LossSearch::sum_waits(Metric metric) const {
  if (const auto exact = facts.sums.waits.find(metric); exact != facts.sums.waits.end())
    return facts.to_seconds(static_cast<double>(exact->second));
  const auto& profiles = facts.calls.profiles;
  const auto column = profiles.columns.find(metric);
  double sum = 0;
  for (std::size_t p = 0; column && p < profiles.processes.size(); ++p)
    for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
      sum += static_cast<double>(profiles.value(p, k, *column));
  return facts.to_seconds(sum);
}

void LossSearch::take_wait(Metric metric, double seconds) {
  std::map<NamedCall, double> of_calls;
  std::map<std::string, double> of_functions;
  double all = 0;
  for (const auto& wait : out.waits)
    if (wait.kind == metric) {
      of_calls[wait.call] += wait.seconds;
      of_functions[wait.call.function] += wait.seconds;
      all += wait.seconds;
    }
  out.finding.wait = metric;
  out.finding.lost = seconds;
  if (all <= 0)
    return;

  constexpr double as_good_as_all = 0.9;
  const auto less = [](const auto& x, const auto& y) { return x.second < y.second; };
  const auto function = *std::max_element(of_functions.begin(), of_functions.end(), less);
  const auto call = *std::max_element(of_calls.begin(), of_calls.end(), less);
  const bool is_of_function =
      call.second < as_good_as_all * all && function.second >= as_good_as_all * all;
  out.finding.wait_call = is_of_function ? NamedCall{function.first, ""} : call.first;
  if (!is_of_function && call.second < as_good_as_all * all)
    out.finding.lost *= call.second / all;
}

}  // namespace tracefold
