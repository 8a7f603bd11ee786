#include "filters/comparison/cause_finder.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tracefold {

void CauseFinder::look_at_messages() {
  if (out_.a.processes != out_.b.processes) {
    are_messages_other_ = true;
    return;
  }
  std::array<std::array<double, 2>, 2> all{};  // messages and bytes, by run
  std::array<std::size_t, 2> largest{no_node, no_node};
  std::array<double, 2> most{};
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
    for (std::size_t k = 0; k < 2; ++k) {
      const auto m = place_of(k == 0 ? Measure::messages : Measure::bytes);
      for (std::size_t r = 0; r < 2; ++r)
        all[k][r] += calls_.totals[r][n][m];
      const auto change = std::abs(calls_.totals[1][n][m] - calls_.totals[0][n][m]);
      if (change > most[k]) {
        most[k] = change;
        largest[k] = n;
      }
    }

  const auto has_changed = [&, all](std::size_t k) {
    return most[k] > 0 && std::abs(all[k][1] - costs_.iterations() * all[k][0]) >
                              least_cause_share * std::max(all[k][0], all[k][1]);
  };
  // With more iterations, amounts are those of one.
  const auto* each = costs_.iterations() == 1 ? "" : " per iteration";
  for (auto& amounts : all)
    for (std::size_t r = 0; r < 2; ++r)
      amounts[r] /= costs_.iterations() == 1 ? 1 : count_iterations(r);
  const auto where = [&](std::size_t n) {
    const auto caller = calls_.nodes[n].caller;
    return caller == no_node ? figures_.name(calls_.nodes[n].of)
                             : figures_.name(calls_.nodes[n].of) + ", called by " +
                                   figures_.name(calls_.nodes[caller].of);
  };
  are_messages_other_ = has_changed(0) || has_changed(1);
  if (has_changed(0)) {
    add_messages(largest[0], std::abs(all[0][1] - all[0][0]) / std::max(all[0][0], all[0][1]),
                 fmt::format("B exchanges {} the messages of A ({} → {}{}){}, most of them in {}",
                             describe_times(all[0][0], all[0][1]), format_number(all[0][0]),
                             format_number(all[0][1]), each, describe_bytes(all[1][0], all[1][1]),
                             where(largest[0])));
  } else if (has_changed(1) && !words_.find_change(calls_.nodes[largest[1]].of)) {
    const auto of = calls_.nodes[largest[1]].of;
    add_messages(largest[1], std::abs(all[1][1] - all[1][0]) / std::max(all[1][0], all[1][1]),
                 fmt::format("B exchanges {} the bytes of A{} ({} → {}{}), most of them in {}{}",
                             describe_times(all[1][0], all[1][1]),
                             all[0][0] > 0 ? " in as many messages" : "",
                             format_bytes(static_cast<std::uint64_t>(all[1][0])),
                             format_bytes(static_cast<std::uint64_t>(all[1][1])), each,
                             where(largest[1]), describe_other_bytes(of)));
  }
}

std::string CauseFinder::describe_other_bytes(ClassIndex of) const {
  if (!runs_.processes.are_partners)
    return {};
  const auto values = runs_.list_class_values(of, Measure::bytes);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < values.a.size(); ++k)
    if (std::abs(values.b[k] - values.a[k]) >
        least_cause_share * std::max(values.a[k], values.b[k]))
      places.push_back(k);
  return 2 * places.size() > list_counted(values).size() ? "" : words_.describe_where(of, places);
}

bool CauseFinder::is_of_mpi(const OtherCalls& change) const {
  return std::all_of(change.classes.begin(), change.classes.end(),
                     [&](ClassIndex c) { return costs_.is_of_network(c); });
}

void CauseFinder::add_messages(std::size_t node, double score, std::string text) {
  const auto* change = words_.find_change(calls_.nodes[node].of);
  if (change && !is_of_mpi(*change)) {
    add(Rank::messages, score, std::move(text));
    return;
  }
  double cost = 0;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    const auto* own = words_.find_change(c);
    if (!costs_.is_of_network(c) || (own && !is_of_mpi(*own)) ||
        (own != change && !has_messages(c)))
      continue;
    cost += costs_.of_class(c);
    is_told_[c] = true;
  }
  add(Rank::messages, score, std::move(text), cost, cost).is_of_calls = true;
}

bool CauseFinder::has_messages(ClassIndex of) const {
  return figures_.get_total(0, of, Measure::messages) > 0 ||
         figures_.get_total(1, of, Measure::messages) > 0;
}

void CauseFinder::look_at_calls(const OtherCalls& change) {
  constexpr double most_other = 0.2;  // relative, of the time of a call
  const bool is_often = change.kind == OtherCalls::Kind::often;
  // One function that is called more often is among what computes.
  if (is_often && change.classes.size() == 1 && !figures_.waits(change.classes.front()) &&
      runs_.processes.are_partners)
    return;
  double cost = 0, time = 0, most = -1;
  std::vector<ClassIndex> told;
  ClassIndex largest = no_class;
  for (auto c : change.classes) {
    const auto a = figures_.get_time(0, c), b = figures_.get_time(1, c);
    const bool waits = figures_.waits(c);
    const auto visits =
        figures_.get_total(0, c, Measure::visits) > 0
            ? figures_.get_total(1, c, Measure::visits) / figures_.get_total(0, c, Measure::visits)
            : 0;
    if (is_told_[c] || (is_often && !waits && a > 0 && std::abs(b / a / visits - 1) > most_other))
      continue;
    told.push_back(c);
    const auto of = costs_.of_class(c);
    cost += of;
    time += waits ? 0 : std::abs(b - a);
    // Who waits may do so for another reason than these calls.
    const auto own = costs_.are_known() && std::abs(of) >= get_least_cost()
                         ? mean_time_ + std::abs(of)
                     : waits ? 0
                             : std::abs(b - a);
    if (own > most) {
      most = own;
      largest = c;
    }
  }
  if (told.empty())
    return;
  auto text = words_.describe_calls(change, largest);
  if (text.empty())
    return;
  for (auto c : told)
    is_told_[c] = true;
  if (costs_.scaling())
    cost = 0;  // told with the sizes
  const bool computes = time >= least_cause_share * mean_time_;
  const auto rank = is_of_mpi(change)                          ? Rank::messages
                    : computes && runs_.processes.are_partners ? Rank::computation
                                                               : Rank::calls;
  const auto processes = static_cast<double>(std::max(out_.a.processes, out_.b.processes));
  add(rank, time * processes + 1e-9, std::move(text), cost, cost, costs_.describe_phase(told))
      .is_of_calls =
      std::any_of(told.begin(), told.end(), [&](ClassIndex c) { return costs_.communicates(c); });
}

void CauseFinder::look_at_network() {
  constexpr double least_change = 0.1;  // of what the network costs
  constexpr double most_of_calls = 0.2, mostly = 0.6;
  if (!costs_.are_known() || costs_.scaling())
    return;
  double rest = costs_.knows_network() ? 0 : costs_.of_network();
  ClassIndex largest = no_class;
  double most = 0;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (!costs_.is_of_network(c) || is_told_[c] || !costs_.knows_network())
      continue;
    const auto cost = costs_.of_class(c);
    rest += cost;
    if (std::abs(cost) > std::abs(most)) {
      most = cost;
      largest = c;
    }
  }
  const auto a = costs_.iterations() * runs_.a.played->network, b = runs_.b.played->network;
  if (std::abs(rest) <= std::max(least_change * std::max(a, b), get_least_cost()))
    return;
  const auto calls = std::max_element(found_.begin(), found_.end(), [](auto& x, auto& y) {
    return (x.is_of_calls ? x.weight : -1) < (y.is_of_calls ? y.weight : -1);
  });
  if (calls != found_.end() && calls->is_of_calls && calls->cost * rest > 0 &&
      std::abs(calls->cost) >= most_of_calls * std::abs(rest)) {
    calls->cost += rest;
    calls->weight = std::abs(calls->cost) < get_least_cost() ? 0 : std::abs(calls->cost);
    return;
  }
  if (most * rest < mostly * rest * rest)
    largest = no_class;
  add(Rank::network, std::abs(rest), words_.describe_network(rest, largest, !are_messages_other_),
      rest, rest);
}

void CauseFinder::look_at_waiting() {
  if (!runs_.knows_waiting())
    return;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (!figures_.waits(c) || is_told_[c] || !figures_.is_in(0, c) || !figures_.is_in(1, c))
      continue;
    const auto values = list_times(c);
    const auto one = measure_difference(values, ValueKind::waiting, runs_.noise);
    ChangedFunction changed{c, find_changed(values, ValueKind::waiting, runs_.noise), one.a, one.b,
                            0};
    keep_main_direction(values, 0, changed);
    if (!one.is_beyond && changed.places.empty())
      continue;
    if (!changed.places.empty()) {
      changed.a = get_mean(values.a, changed.places);
      changed.b = get_mean(values.b, changed.places);
    } else {
      changed.places = list_counted(values);
    }
    const bool is_of_iteration = follows_iterations(c);
    const auto change =
        std::abs(changed.b - changed.a) * (is_of_iteration ? count_iterations(1) : 1);
    // A few processes may wait longer by chance, and more so than they compute.
    const auto least = one.is_beyond ? least_cause_share : 3 * least_cause_share;
    if (change < least * mean_time_)
      continue;
    auto text = fmt::format(
        "{} takes {} in B{}: {} → {} per {}", figures_.name(c), format_ratio(changed.a, changed.b),
        runs_.processes.are_partners ? words_.describe_where(c, changed.places) : "",
        format_time_of(changed.a), format_time_of(changed.b),
        is_of_iteration ? "iteration" : "process");
    // Before MPI has begun, nobody waits.
    const auto cost = costs_.is_bound(c) ? costs_.of_class(c) : 0;
    add(Rank::waiting, change * static_cast<double>(changed.places.size()), std::move(text), cost,
        cost, costs_.describe_phase({c}));
  }
}

void CauseFinder::look_at_names() {
  for (const auto& one : calls_.renamed) {
    const auto time = figures_.get_time(0, one.of);
    add(Rank::names, time + 1e-9,
        is_told_[one.of]
            ? fmt::format("{} of B is {} of A, renamed or replaced: it has the same callers", one.b,
                          one.a)
            : fmt::format("{} of A is renamed: it is {} in B, with the same callers ({} per "
                          "process)",
                          one.a, one.b, format_time_of(time)));
  }
  for (const auto& one : calls_.inlined) {
    if (one.function == one.caller)
      continue;  // it calls itself
    // What takes no time itself has no work that could be done elsewhere.
    const bool is_between = one.time < least_cause_share * mean_time_;
    add(Rank::names, one.time + 1e-9,
        is_between
            ? fmt::format("{} calls {} in {}, and in {} what that calls", one.caller, one.function,
                          one.is_in_b ? "A" : "B", one.is_in_b ? "B" : "A")
            : fmt::format("{} is inlined into {} in {}, which does its work ({} per process)",
                          one.function, one.caller, one.is_in_b ? "B" : "A",
                          format_time_of(one.time)));
  }
}

}  // namespace tracefold
