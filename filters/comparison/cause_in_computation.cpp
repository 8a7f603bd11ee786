#include "filters/comparison/cause_finder.hpp"

#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracefold {

void CauseFinder::look_at_computation() {
  std::vector<ChangedFunction> changed;
  double all_time = 0;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (figures_.waits(c))
      continue;
    all_time += figures_.get_total(0, c, Measure::time);
    if (is_told_[c] || look_at_callers(c))
      continue;
    const auto values = list_times(c);
    ChangedFunction one{c, find_changed(values, ValueKind::computation, runs_.noise)};
    one.is_of_iteration = follows_iterations(c);
    if (one.places.empty() &&
        measure_difference(values, ValueKind::computation, runs_.noise).is_beyond)
      one.places = list_counted(values);
    keep_main_direction(values, costs_.of_class(c), one);
    if (one.places.empty())
      continue;
    one.a = get_mean(values.a, one.places);
    one.b = get_mean(values.b, one.places);
    one.change = (one.b - one.a) * (one.is_of_iteration ? count_iterations(1) : 1);
    one.sum = one.change * static_cast<double>(one.places.size());
    if (std::abs(one.change) < least_cause_share * mean_time_)
      continue;
    changed.push_back(std::move(one));
  }

  explain_all_slower(changed, all_time);
  explain_shifted_work(changed);
  for (auto& one : changed) {
    look_at_cost(one);
    find_path(one);
    const bool is_of_streams = has_stream(one);
    if (!is_of_streams && has_main_thread(one)) {
      add_function(Rank::computation, std::abs(one.sum), words_.describe_changed(one), one.of,
                   one.change);
      continue;
    }
    const auto cost = costs_.of_waits(is_of_streams);
    const auto own = (cost > 0) == (one.b > one.a) ? cost : 0;
    add(Rank::computation, std::abs(one.sum), words_.describe_changed(one), own, own);
  }
}

bool CauseFinder::look_at_callers(ClassIndex of) {
  const auto visits = runs_.list_class_values(of, Measure::visits);
  constexpr double least_others = 0.1;
  double others = 0, all = 0;
  for (std::size_t k = 0; k < visits.a.size(); ++k) {
    others += (visits.a[k] > 0) != (visits.b[k] > 0);
    all += visits.a[k] > 0 || visits.b[k] > 0;
  }
  const bool are_others = others > 0 && others >= least_others * all;
  const auto a = figures_.get_time(0, of), b = figures_.get_time(1, of);
  if (!are_others || !figures_.is_in(0, of) || !figures_.is_in(1, of) ||
      std::max(a, b) < least_cause_share * mean_time_)
    return false;
  const auto where = [&](std::size_t r) {
    auto text = words_.describe_callers(of, r);
    return text.empty() ? std::string(" on all processes") : text;
  };
  const auto cost = costs_.of_class(of);
  add(Rank::computation, std::max(a, b),
      fmt::format("{} is called{} in B,{} in A: {} → {} each", figures_.name(of), where(1),
                  where(0), format_time_of(a), format_time_of(b)),
      cost, cost, costs_.describe_phase({of}));
  is_told_[of] = true;
  return true;
}

void CauseFinder::find_path(ChangedFunction& one) const {
  constexpr double least_change = 0.85, most_time = 0.7;
  std::size_t largest = no_node;
  double change = 0, most = 0, time = 0;
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
    if (calls_.nodes[n].of != one.of)
      continue;
    const auto a = calls_.totals[0][n][place_of(Measure::time)],
               b = calls_.totals[1][n][place_of(Measure::time)];
    time += a;
    change += b - a;
    if (std::abs(b - a) > most) {
      most = std::abs(b - a);
      largest = n;
    }
  }
  if (largest == no_node || most < least_change * std::abs(change) || one.is_of_iteration ||
      calls_.totals[0][largest][place_of(Measure::time)] > most_time * time)
    return;
  one.path_caller = figures_.find_own_caller(largest);
  if (one.path_caller == no_class)
    return;
  const auto values = figures_.list_times(largest);
  if (list_counted(values) != list_counted(list_times(one.of))) {
    one.path_caller = no_class;
    return;
  }
  one.a = get_mean(values.a, one.places);
  one.b = get_mean(values.b, one.places);
  one.opposite_a = get_mean(values.a, one.opposite);
  one.opposite_b = get_mean(values.b, one.opposite);
}

void CauseFinder::look_at_cost(ChangedFunction& one) const {
  constexpr double by_far = 1.5;
  const auto cost = costs_.of_class(one.of);
  if (!one.opposite.empty() && cost * (one.b - one.a) < 0) {
    std::swap(one.places, one.opposite);
    std::swap(one.a, one.opposite_a);
    std::swap(one.b, one.opposite_b);
    one.change = (one.b - one.a) * (one.is_of_iteration ? count_iterations(1) : 1);
  }
  // The path was in it before, and not in another function.
  const auto in_a = one.a * (one.is_of_iteration ? count_iterations(0) : 1);
  one.moves = one.places.size() > 1 && cost / one.change > by_far && costs_.in_a(one.of) > in_a / 2;
}

bool CauseFinder::has_main_thread(const ChangedFunction& one) const {
  return std::any_of(one.places.begin(), one.places.end(), [&](std::size_t k) {
    return runs_.a.plan.processes[runs_.processes.a[k]].thread == 0;
  });
}

bool CauseFinder::has_stream(const ChangedFunction& one) const {
  const auto& plan = runs_.a.plan;
  return std::any_of(one.places.begin(), one.places.end(), [&](std::size_t k) {
    return plan.intents[plan.processes[runs_.processes.a[k]].intent].set.type ==
           otf2_value::location_type_accelerator;
  });
}

void CauseFinder::explain_shifted_work(std::vector<ChangedFunction>& changed) {
  constexpr double least_share = 0.02, most_left = 0.3;
  if (!costs_.are_known())
    return;
  const auto least = least_share * *out_.a.run_time;
  for (auto to = changed.begin(); to != changed.end(); ++to)
    for (auto from = changed.begin(); from != changed.end(); ++from) {
      const auto more = to->b - to->a, less = from->a - from->b;
      if (more < least || less < least || std::abs(more - less) > most_left * more ||
          to->places != from->places || to->is_of_iteration != from->is_of_iteration ||
          !to->opposite.empty() || !from->opposite.empty())
        continue;
      const auto gained = costs_.of_class(from->of), lost = costs_.of_class(to->of);
      add(Rank::computation, std::abs(to->sum),
          fmt::format("{} in B{}, and {}", words_.describe_times_of(*to, true),
                      words_.describe_where(to->of, to->places),
                      words_.describe_times_of(*from, false)),
          gained + lost, std::max(std::abs(gained), std::abs(lost)));
      const auto of = from->of;
      changed.erase(to);
      std::erase_if(changed, [&](const ChangedFunction& one) { return one.of == of; });
      return;
    }
}

void CauseFinder::keep_main_direction(const PartnerValues& values, double cost,
                                      ChangedFunction& one) {
  double up = 0, down = 0;
  for (auto k : one.places)
    (values.b[k] > values.a[k] ? up : down) += std::abs(values.b[k] - values.a[k]);
  const bool is_up = up >= down;
  const auto other =
      std::stable_partition(one.places.begin(), one.places.end(),
                            [&](std::size_t k) { return (values.b[k] > values.a[k]) == is_up; });
  // What few of them do is no news, unless it costs something.
  if (std::min(up, down) > std::max(up, down) / 4 || (cost != 0 && (cost > 0) != is_up))
    one.opposite.assign(other, one.places.end());
  one.opposite_a = get_mean(values.a, one.opposite);
  one.opposite_b = get_mean(values.b, one.opposite);
  one.places.erase(other, one.places.end());
}

void CauseFinder::explain_all_slower(std::vector<ChangedFunction>& changed, double all_time) {
  double a = 0, b = 0, time = 0, cost = 0;
  std::vector<std::size_t> places;
  if (costs_.iterations() != 1)
    return;
  for (const auto& one : changed) {
    if (!words_.describe_visits(one.of).empty())
      return;
    a += one.a;
    b += one.b;
    time += figures_.get_total(0, one.of, Measure::time);
    cost += costs_.of_class(one.of);
    places = one.places;
  }
  const bool are_alike =
      std::all_of(changed.begin(), changed.end(), [&](const ChangedFunction& one) {
        return one.places == places && std::abs(one.b / one.a / (b / a) - 1) < 0.15;
      });
  if (changed.size() < 2 || !are_alike || time < 0.7 * all_time)
    return;
  add(Rank::computation, std::abs(b - a) * static_cast<double>(places.size()),
      fmt::format("all that computes takes {} in B{}: {} → {} per process", format_ratio(a, b),
                  words_.describe_where(changed.front().of, places), format_time_of(a),
                  format_time_of(b)),
      cost, cost);
  changed.clear();
}

void CauseFinder::look_at_groups_computation() {
  for (const auto& pair : out_.pairs) {
    if (!pair.a || !pair.b)
      continue;
    for (const auto& row : pair.functions) {
      const auto& time = row.get(Measure::time);
      if (!time.is_beyond || std::abs(time.b - time.a) < least_cause_share * mean_time_)
        continue;
      const auto of = figures_.find_class(row.name);
      if (of == no_class || figures_.waits(of) || is_told_[of] || !row.is_in_a || !row.is_in_b)
        continue;
      const auto text = fmt::format("{} takes {} in B in group '{}': {} → {} per process", row.name,
                                    format_ratio(time.a, time.b), pair.a->name,
                                    format_time_of(time.a), format_time_of(time.b));
      const auto score = std::abs(time.b - time.a) * static_cast<double>(pair.a->processes);
      // What the function costs is known of all groups together.
      add(Rank::computation, score, text);
    }
  }
}

}  // namespace tracefold
