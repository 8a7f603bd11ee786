#include "filters/comparison/find_cause.hpp"

#include "base/text.hpp"
#include "filters/comparison/cause_finder.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace tracefold {

CauseFinder::CauseFinder(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
                         std::optional<Scaling> asked, RunComparison& out)
    : runs_(runs),
      calls_(runs.calls),
      figures_(runs),
      costs_(runs, asked),
      changes_(list_other_calls(runs, costs_.iterations())),
      asked_(asked),
      words_(runs, iterations_of, changes_, out),
      out_(out),
      is_told_(runs.calls.names.classes.size()) {
  mean_time_ = std::max(out.a.time / std::max(1.0, static_cast<double>(out.a.processes)),
                        out.b.time / std::max(1.0, static_cast<double>(out.b.processes)));
}

void CauseFinder::find() {
  if (!out_.are_alike) {
    out_.headline =
        fmt::format("these seem to be different programs: {:.0f} % of the call pairs are in both",
                    100 * calls_.common_share);
    return;
  }

  if (calls_.less_detailed)
    out_.headline = words_.describe_detail();
  look_at_sizes();
  look_at_iterations();
  look_at_messages();
  for (const auto& change : changes_)
    look_at_calls(change);
  if (runs_.processes.are_partners)
    look_at_computation();
  else
    look_at_groups_computation();
  look_at_network();
  look_at_waiting();
  look_at_names();
  report();
}

CauseFinder::Finding& CauseFinder::add(Rank rank, double score, std::string text, double cost,
                                       double weight, std::string phase) {
  weight = costs_.are_known() && std::abs(weight) >= get_least_cost() ? std::abs(weight) : 0;
  return found_.emplace_back(Finding{rank, score, std::move(text), cost, weight, std::move(phase)});
}

double CauseFinder::get_least_cost() const {
  return least_cause_share * std::max(*out_.a.run_time, *out_.b.run_time);
}

std::string CauseFinder::describe_cost(const Finding& one) const {
  if (one.weight == 0)
    return {};
  if (std::abs(one.cost) < get_least_cost() / 2)
    return "; that costs nothing";
  return fmt::format("; that {} {}{}", one.cost > 0 ? "costs" : "saves",
                     format_time_of(std::abs(one.cost)), one.phase);
}

void CauseFinder::add_function(Rank rank, double score, std::string text, ClassIndex of,
                               double change) {
  const auto cost = costs_.of_class(of);
  // Where the path has moved away from what takes longer, it costs nothing. Where it has come, from
  // one process to another, it costs more than that, but no more than the runs differ.
  const auto most = cost * costs_.of_run() > 0
                        ? std::max(std::abs(costs_.of_run()), std::abs(change))
                        : std::abs(change);
  const auto own = (cost > 0) == (change > 0) ? std::clamp(cost, -most, most) : 0;
  add(rank, score, std::move(text), own, own, costs_.describe_phase({of}));
  is_told_[of] = true;
}

void CauseFinder::look_at_sizes() {
  std::string text;
  if (out_.a.ranks != out_.b.ranks)
    text = fmt::format("B has {} ranks, A has {}", out_.b.ranks, out_.a.ranks);
  else if (out_.a.processes != out_.b.processes)
    text = words_.describe_threads();

  std::vector<std::string> gone;
  double share = 0;
  for (const auto& pair : out_.pairs)
    if (!pair.a || !pair.b) {
      gone.push_back(words_.describe_alone(pair));
      share = std::max(share, static_cast<double>(pair.a ? pair.a->processes : pair.b->processes));
    }
  if (text.empty()) {
    for (auto& one : gone)
      add(Rank::groups, share, std::move(one));
    look_at_members();
    return;
  }

  if (const auto scaling = costs_.scaling())
    text += costs_.are_known() && *out_.b.run_time > 0
                ? fmt::format(" ({} scaling, {:.2f} of ideal)", to_text(*scaling),
                              costs_.factor() * *out_.a.run_time / *out_.b.run_time)
                : fmt::format(" ({} scaling)", to_text(*scaling));
  const bool is_one = gone.size() == 1 && out_.a.ranks != out_.b.ranks;
  if (is_one)
    text += ": " + gone.front();
  else if (gone.size() > 1)
    text += fmt::format("; {} groups have no partner", gone.size());
  add_scaling(std::move(text));
  if (!is_one)
    for (auto& one : gone)
      add(Rank::groups, 0, std::move(one));
}

void CauseFinder::add_scaling(std::string text) {
  constexpr std::size_t longest = 135;  // of two lines, without what it costs
  ClassIndex worst = no_class;
  // What saves time is of interest where the run is better than ideal.
  const auto sign = costs_.of_run() < 0 ? -1.0 : 1.0;
  double most = sign * costs_.of_network();
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (figures_.waits(c) && !costs_.is_bound(c))
      continue;
    const auto change = figures_.get_time(1, c) - costs_.factor() * figures_.get_time(0, c);
    // The path may have been somewhere else before.
    const auto bound = std::max(std::abs(change), std::abs(costs_.of_run()));
    const auto cost =
        sign * (costs_.are_known() ? std::clamp(costs_.of_class(c), -bound, bound) : change);
    if (cost > most) {
      most = cost;
      worst = c;
    }
  }
  if (costs_.are_known())
    most = std::max(most + std::min(0.0, sign * sum_moved()), 0.0);
  if (most < 2 * least_cause_share * (costs_.are_known() ? *out_.b.run_time : mean_time_))
    add(Rank::sizes, 1, std::move(text));
  else if (worst == no_class)
    add(Rank::sizes, 1,
        text + (sign > 0 ? "; the network takes longer" : "; the network takes less time"),
        sign * most, most);
  else {
    const auto phase = costs_.describe_phase({worst});
    const auto room = longest - phase.size();
    add(Rank::sizes, 1,
        text + words_.describe_scaling(worst, costs_.scaling() == Scaling::weak,
                                       room - std::min(room, measure_width(text))),
        sign * most, most, phase);
  }
}

double CauseFinder::sum_moved() const {
  double sum = 0;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (figures_.waits(c))
      continue;
    const auto change = figures_.get_time(1, c) - costs_.factor() * figures_.get_time(0, c);
    const auto cost = costs_.of_class(c);
    sum += cost - std::clamp(cost, std::min(change, 0.0), std::max(change, 0.0));
  }
  return sum;
}

void CauseFinder::look_at_members() {
  if (!runs_.processes.are_partners)
    return;
  const auto number = [](const Plan& plan) {
    std::vector<std::size_t> of(plan.processes.size());
    for (std::size_t g = 0; g < plan.groups->size(); ++g)
      for (auto m : (*plan.groups)[g].members)
        of[m] = g;
    return of;
  };
  const auto of_a = number(runs_.a.plan), of_b = number(runs_.b.plan);
  std::map<std::size_t, std::size_t> partner;
  for (const auto& pair : runs_.groups)
    if (pair.a && pair.b)
      partner[*pair.a] = *pair.b;
  std::map<std::size_t, std::vector<std::size_t>> moved;  // by group of B
  for (std::size_t k = 0; k < runs_.processes.a.size(); ++k) {
    const auto at = partner.find(of_a[runs_.processes.a[k]]);
    const auto now = of_b[runs_.processes.b[k]];
    if (at != partner.end() && at->second != now)
      moved[now].push_back(runs_.processes.b[k]);
  }
  const bool has_gone = std::any_of(runs_.groups.begin(), runs_.groups.end(),
                                    [](const auto& pair) { return !pair.a || !pair.b; });
  for (auto& [group, members] : moved) {
    std::sort(members.begin(), members.end());
    if (!has_gone)
      add(Rank::members, static_cast<double>(members.size()),
          fmt::format("{} of B are in another group than in A: '{}'",
                      list_places(runs_.b.plan, members), label_group(runs_.b.plan, group)));
  }
}

void CauseFinder::look_at_iterations() {
  if (costs_.iterations() == 1)
    return;
  const auto &a = *runs_.a.played, &b = *runs_.b.played;
  const auto each_a = a.in_loops / static_cast<double>(a.iterations);
  const auto each_b = b.in_loops / static_cast<double>(b.iterations);
  const bool is_as_before = std::abs(each_b - each_a) <= out_.noise * std::max(each_a, each_b);
  const auto cost = costs_.of_iterations();
  add(Rank::iterations, 1,
      fmt::format("B has {} iterations, A has {}; each takes {} ({} → {})", b.iterations,
                  a.iterations, is_as_before ? "as long as before" : format_ratio(each_a, each_b),
                  format_time_of(each_a), format_time_of(each_b)),
      cost, cost);
}

bool CauseFinder::is_other_run() const {
  const auto &a = out_.a.run_time, &b = out_.b.run_time;
  return a && b && *a > 0 && *b > 0 &&
         std::abs(*b - *a) > runs_.noise.without_spread * std::max(*a, *b);
}

void CauseFinder::fit_costs() {
  constexpr double most = 1.15;  // times of what the runs differ
  if (!costs_.are_known() || costs_.scaling())
    return;
  const auto of_run = costs_.of_run();
  double same = 0, other = 0;  // costs in the direction of the run, and against it
  for (const auto& one : found_)
    if (one.weight > 0)
      (one.cost * of_run > 0 ? same : other) += one.cost;
  if (std::abs(same + other) > most * std::abs(of_run) && std::abs(same) > std::abs(other)) {
    const auto by = std::max(0.0, (of_run - other) / same);
    for (auto& one : found_)
      if (one.weight > 0 && one.cost * of_run > 0) {
        one.cost *= by;
        one.weight *= by;
      }
  }
  const bool are_all_known = std::abs(same + other) >= std::abs(of_run) / 2 ||
                             std::any_of(found_.begin(), found_.end(), [](const Finding& one) {
                               return one.weight > 0 && !one.is_of_calls;
                             });
  if (are_all_known || found_.empty())
    return;
  const auto order = [](const Finding& one) {
    return std::tuple(!one.is_of_calls, -one.weight, one.rank != Rank::waiting, -one.score);
  };
  const auto reason =
      std::min_element(found_.begin(), found_.end(),
                       [&](const Finding& x, const Finding& y) { return order(x) < order(y); });
  // Noise makes some difference.
  const auto least = reason->is_of_calls ? 2 : reason->rank == Rank::waiting ? 4 : HUGE_VAL;
  if (std::abs(of_run) < least * get_least_cost())
    return;
  reason->cost = of_run;
  reason->weight = std::abs(of_run);
}

void CauseFinder::report() {
  fit_costs();
  for (auto& one : found_)
    one.text += describe_cost(one);
  // Numbers of ranks, threads and iterations come first, then what costs most.
  std::stable_sort(found_.begin(), found_.end(), [](const Finding& x, const Finding& y) {
    const bool is_first = std::min(x.rank, y.rank) <= Rank::iterations;
    if (!is_first && x.weight != y.weight)
      return x.weight > y.weight;
    return x.rank != y.rank ? x.rank < y.rank : x.score > y.score;
  });
  // Processes wait now for one, now for another.
  if (costs_.are_known() && !found_.empty() && found_.front().rank == Rank::waiting &&
      found_.front().weight == 0)
    found_.clear();
  constexpr std::size_t most = 12;
  for (const auto& one : found_)
    if (out_.headline.empty())
      out_.headline = one.text;
    else if (out_.findings.size() < most && one.text != out_.headline)
      out_.findings.push_back(one.text.starts_with(out_.headline + "; ")
                                  ? one.text.substr(out_.headline.size() + 2)
                                  : one.text);
  if (out_.headline.empty())
    out_.headline = is_other_run() ? no_function_differs : no_difference;
  if (const auto scaling = costs_.scaling(); scaling && !asked_)
    out_.findings.insert(
        out_.findings.begin(),
        fmt::format("it counts as {} scaling, since the work of {} is nearer to that in A",
                    to_text(*scaling), scaling == Scaling::strong ? "all together" : "each"));
  if (out_.a.run_time && out_.b.run_time && !costs_.are_known() && !found_.empty())
    out_.findings.push_back(
        fmt::format("what this costs is not known: the critical path of {} is not",
                    !runs_.a.played && !runs_.b.played ? "both runs"
                    : !runs_.a.played                  ? "A"
                                                       : "B"));
  add_wrong_clocks(out_);
}

bool CauseFinder::follows_iterations(ClassIndex of) const {
  return tracefold::follows_iterations(figures_.get_total(0, of, Measure::visits),
                                       figures_.get_total(1, of, Measure::visits),
                                       costs_.iterations());
}

PartnerValues CauseFinder::list_times(ClassIndex of) const {
  auto values = runs_.list_class_values(of, Measure::time);
  if (follows_iterations(of)) {
    for (auto& value : values.a)
      value /= count_iterations(0);
    for (auto& value : values.b)
      value /= count_iterations(1);
  }
  return values;
}

void find_cause(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of, RunComparison& out,
                std::optional<Scaling> scaling) {
  CauseFinder(runs, iterations_of, scaling, out).find();
}

}  // namespace tracefold
