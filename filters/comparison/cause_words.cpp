#include "filters/comparison/cause_words.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::array<std::pair<std::uint64_t, const char*>, 3> location_nouns{
    {{otf2_value::location_type_cpu, "thread"},
     {otf2_value::location_type_accelerator, "accelerator stream"},
     {otf2_value::location_type_metric, "metric location"}}};

std::uint64_t count_locations(const Plan& plan, std::uint64_t type) {
  std::uint64_t count = 0;
  for (const auto& process : plan.processes)
    if (process.intent < plan.intents.size() && plan.intents[process.intent].set.type == type)
      count += process.weight;
  return count;
}

}  // namespace

std::string format_time_of(double seconds) {
  const auto size = std::abs(seconds);
  if (size == 0)
    return "0";
  if (size >= 1)
    return fmt::format("{:.2f} s", seconds);
  if (size >= 1e-3)
    return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string format_ratio(double a, double b) {
  if (a <= 0)
    return "time";
  const auto ratio = b / a;
  if (ratio < 0.005)
    return "nearly no time";
  return ratio >= 1.5   ? fmt::format("{:.1f} times as long", ratio)
         : ratio >= 1.0 ? fmt::format("{:.0f} % longer", std::max(1.0, 100 * (ratio - 1)))
                        : fmt::format("{:.0f} % less time", std::max(1.0, 100 * (1 - ratio)));
}

std::string format_often(double a, double b) {
  const auto ratio = b / a;
  return ratio < 1.95 ? fmt::format("{:.2f} times", ratio) : fmt::format("{:.1f} times", ratio);
}

std::string format_number(double number) {
  return number == std::floor(number) || number >= 1000
             ? group_digits(static_cast<std::uint64_t>(std::llround(number)))
             : fmt::format("{:.1f}", number);
}

std::string describe_times(double a, double b) {
  if (a <= 0)
    return "more than";
  const auto ratio = b / a;
  return std::abs(ratio - 2) < 0.005 ? "twice" : fmt::format("{:.2f} times", ratio);
}

std::string describe_bytes(double a, double b) {
  if (a <= 0 || b <= 0)
    return {};
  if (std::abs(b / a - 1) < least_cause_share)
    return " with as many bytes";
  return fmt::format(" with {} the bytes", describe_times(a, b));
}

void add_wrong_clocks(RunComparison& out) {
  const auto tell = [&](const ComparedSide& side, const std::string& whose) {
    if (!side.early_messages.are_few())
      out.findings.push_back(describe_early_messages(side.early_messages, whose) +
                             ": times of waiting are not compared");
  };
  const bool is_one_run = !out.a.part.empty();
  tell(out.a, is_one_run ? "" : " of A");
  if (!is_one_run)
    tell(out.b, " of B");
}

std::string CauseWords::describe_threads() const {
  const auto ranks = out_.a.ranks;
  std::vector<std::string> changes;
  for (const auto& [type, noun] : location_nouns) {
    const auto a = count_locations(runs_.a.plan, type), b = count_locations(runs_.b.plan, type);
    const bool are_even = ranks > 0 && a % ranks == 0 && b % ranks == 0;
    const auto each = are_even ? ranks : 1;
    if (a != b && (are_even || type != otf2_value::location_type_cpu))
      changes.push_back(fmt::format("B has {} {}{}{}, A has {}", b / each, noun,
                                    b / each == 1 ? "" : "s", are_even ? " in each rank" : "",
                                    a / each));
  }
  if (changes.empty())
    return fmt::format("B has {} processes, A has {}", out_.b.processes, out_.a.processes);
  return fmt::format("{}", fmt::join(changes, "; "));
}

std::string CauseWords::describe_scaling(double mean_time) const {
  struct Scaled {
    ClassIndex of = 0;
    double a = 0, b = 0;  // mean per process
  };
  std::vector<Scaled> scaled;
  std::vector<double> ratios;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    if (figures_.waits(c))
      continue;
    const Scaled one{c, figures_.get_time(0, c), figures_.get_time(1, c)};
    if (one.a <= 0 || one.b <= 0 || std::max(one.a, one.b) < least_cause_share * mean_time)
      continue;
    scaled.push_back(one);
    ratios.push_back(one.b / one.a);
  }
  if (scaled.size() < 2)
    return {};

  // The median is usual; where there are two, the one that scales better.
  std::sort(ratios.begin(), ratios.end());
  const auto usual =
      ratios[out_.b.processes >= out_.a.processes ? (ratios.size() - 1) / 2 : ratios.size() / 2];
  const auto get_excess = [&](const Scaled& one) { return std::abs(one.b - usual * one.a); };
  const auto worst = *std::max_element(
      scaled.begin(), scaled.end(),
      [&](const Scaled& x, const Scaled& y) { return get_excess(x) < get_excess(y); });

  constexpr double least_excess = 0.15;  // of the time that would be usual
  if (get_excess(worst) < least_excess * usual * worst.a ||
      get_excess(worst) < 2 * least_cause_share * mean_time)
    return {};

  const auto tell = [](double a, double b) {
    return std::abs(b / a - 1) < 0.02 ? std::string("as long") : format_ratio(a, b);
  };
  const auto times = fmt::format("{} → {}", format_time_of(worst.a), format_time_of(worst.b));
  return fmt::format("; {} takes {} per process, {}, and most functions {}",
                     figures_.name(worst.of), tell(worst.a, worst.b), times, tell(1, usual));
}

std::string CauseWords::describe_alone(const ComparedPair& pair) const {
  const std::size_t r = pair.a ? 0 : 1;
  const auto& group = pair.a ? *pair.a : *pair.b;
  const auto& plan = runs_.run(r).plan;
  const auto& members = (*plan.groups)[group.number].members;
  auto text = fmt::format("group '{}' of {} ({}) {}", group.name, r == 0 ? "A" : "B",
                          list_places(plan, members),
                          r == 0 ? "is gone in B" : "is new, and has no partner in A");
  std::vector<std::string> alone;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c)
    if (!runs_.by_class[r][c].empty() && runs_.by_class[1 - r][c].empty() && !figures_.waits(c))
      if (std::all_of(runs_.by_class[r][c].begin(), runs_.by_class[r][c].end(), [&](auto& one) {
            return std::binary_search(members.begin(), members.end(), one.process);
          }))
        alone.push_back(figures_.name(c));
  if (!alone.empty())
    text += fmt::format("; only it calls {}", list_some(alone, 3));
  return text;
}

std::string CauseWords::describe_where(ClassIndex of,
                                       const std::vector<std::size_t>& places) const {
  const auto& plan = runs_.a.plan;
  const auto all = runs_.processes.a.size();
  const auto changed = places.size();
  std::set<std::size_t> callers;
  for (std::size_t r = 0; r < 2; ++r)
    for (const auto& one : runs_.by_class[r][of])
      callers.insert(one.process);
  std::vector<std::size_t> members;
  for (auto k : places)
    members.push_back(runs_.processes.a[k]);
  std::sort(members.begin(), members.end());
  if (changed == all)
    return all > 1 ? " on all processes" : "";
  if (10 * changed >= 9 * all)
    return fmt::format(" on {} of {} processes", changed, all);
  if (changed == 1)
    return fmt::format(" on {} alone", name_process(plan.processes[members.front()]));
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    if ((*plan.groups)[g].members == members)
      return fmt::format(" in group '{}'", label_group(plan, g));
  if (changed == callers.size())
    return " on all processes that call it";
  if (10 * changed >= 9 * callers.size())
    return fmt::format(" on {} of {} processes that call it", changed, callers.size());
  const auto list = list_places(plan, members);
  const bool is_rank_list = !list.empty() && list.front() >= '0' && list.front() <= '9';
  return (is_rank_list ? " on ranks " : " on ") + shorten(list, 60);
}

std::string CauseWords::describe_when(ClassIndex of, bool is_longer) const {
  if (!out_.iterations || iterations_of_ != of)
    return {};
  const auto& it = *out_.iterations;
  const auto& changed = is_longer ? it.slower : it.faster;
  if (changed.empty() || it.a.size() != it.b.size() || 5 * changed.size() > 4 * it.a.size())
    return {};
  double all = 0, here = 0;
  for (std::size_t k = 0; k < it.a.size(); ++k)
    all += it.b[k] - it.a[k];
  for (auto k : changed)
    here += it.b[k] - it.a[k];
  if (std::abs(here) < 0.6 * std::abs(all))
    return {};

  // The others change less by far: else all do, and only the spread divides them.
  const auto inside = here / static_cast<double>(changed.size());
  const auto outside = (all - here) / static_cast<double>(it.a.size() - changed.size());
  if (std::abs(outside) > 0.5 * std::abs(inside))
    return {};

  const std::vector<std::uint64_t> numbers(changed.begin(), changed.end());
  return fmt::format(" in iteration{} {} of {}", numbers.size() == 1 ? "" : "s",
                     shorten(to_ranges(numbers), 60), it.a.size());
}

std::string CauseWords::describe_visits(ClassIndex of) const {
  const auto node = figures_.find_heaviest(of);
  if (node == no_node)
    return {};
  const auto get_ratio = [&](std::size_t n) {
    const auto a = figures_.get_visits(0, n), b = figures_.get_visits(1, n);
    return a > 0 && b > 0 ? b / a : 0;
  };
  if (calls_.totals[0][node][place_of(Measure::visits)] <= 0)
    return describe_new_path(node);
  const auto ratio = get_ratio(node);
  if (ratio == 0 || std::abs(ratio - 1) < 0.02)
    return {};
  auto root = node;
  for (auto up = calls_.nodes[node].caller; up != no_node; up = calls_.nodes[up].caller) {
    if (std::abs(get_ratio(up) / ratio - 1) > 0.02)
      break;
    root = up;
  }
  const auto caller = calls_.nodes[root].caller;
  const auto a = figures_.get_visits(0, root), b = figures_.get_visits(1, root);
  return fmt::format("{} is called {} as often{} ({} → {} per process)",
                     figures_.name(calls_.nodes[root].of), format_often(a, b),
                     caller == no_node ? "" : " by " + figures_.name(calls_.nodes[caller].of),
                     format_number(a), format_number(b));
}

std::string CauseWords::describe_new_path(std::size_t node) const {
  const auto visits = place_of(Measure::visits);
  auto root = node;
  for (auto up = calls_.nodes[node].caller;
       up != no_node && calls_.totals[0][up][visits] <= 0 && calls_.totals[1][up][visits] > 0;
       up = calls_.nodes[up].caller)
    root = up;

  const auto caller = calls_.nodes[root].caller;
  if (caller == no_node || calls_.totals[1][root][visits] <= 0)
    return {};
  return fmt::format("{} calls {} in B and not in A ({} per process)",
                     figures_.name(calls_.nodes[caller].of), figures_.name(calls_.nodes[root].of),
                     format_number(figures_.get_visits(1, root)));
}

std::string CauseWords::describe_caller(ClassIndex of) const {
  const auto node = figures_.find_heaviest(of);
  const auto caller = node == no_node ? no_node : calls_.nodes[node].caller;
  return caller == no_node ? "" : ", called by " + figures_.name(calls_.nodes[caller].of);
}

std::string CauseWords::describe_only(ClassIndex of) const {
  const bool is_new = figures_.is_in(1, of);
  const std::size_t r = is_new ? 1 : 0;
  const auto time = figures_.get_time(r, of);
  return fmt::format("{} is {} in B{}: {} per process", figures_.name(of),
                     is_new ? "new" : "not called", describe_caller(of), format_time_of(time));
}

std::string CauseWords::describe_changed(const ChangedFunction& one) const {
  if (!figures_.is_in(0, one.of) || !figures_.is_in(1, one.of))
    return describe_only(one.of);
  const bool is_longer = one.b > one.a;
  const auto times = fmt::format(
      "{} takes {} in B{}{}: {} → {}{}", figures_.name(one.of), format_ratio(one.a, one.b),
      describe_when(one.of, is_longer), describe_where(one.of, one.places), format_time_of(one.a),
      format_time_of(one.b), one.places.size() > 1 ? " per process" : "");
  const auto visits = describe_visits(one.of);
  const auto opposite =
      one.opposite.empty()
          ? std::string()
          : fmt::format(", and {}{}: {} → {}", format_ratio(one.opposite_a, one.opposite_b),
                        describe_where(one.of, one.opposite), format_time_of(one.opposite_a),
                        format_time_of(one.opposite_b));
  return (visits.empty() ? times : visits + "; " + times) + opposite;
}

}  // namespace tracefold
