#include "filters/comparison/find_cause.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

constexpr double least_share = 0.01;  // of the run: what takes less matters to nobody

enum class Rank : std::uint8_t {
  sizes,
  groups,
  iterations,
  large_waiting,
  computation,
  messages,
  waiting,
  names,
  calls,
  small_waiting,
  run
};

struct Finding {
  Rank rank;
  double score = 0;
  std::string text;
};

constexpr std::size_t place(Measure measure) {
  return static_cast<std::size_t>(measure);
}

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

double get_mean(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0;
  for (auto k : places)
    sum += values[k];
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
  const auto shown = std::min(names.size(), most);
  auto out = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size())
    out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

// "caller → callee", each in few characters.
std::string shorten_call_pair(const std::string& pair) {
  constexpr std::string_view between = " → ";
  constexpr std::size_t longest = 40;
  const auto at = pair.find(between);
  if (at == std::string::npos)
    return shorten_name(pair, longest);
  return shorten_name(pair.substr(0, at), longest) + std::string(between) +
         shorten_name(pair.substr(at + between.size()), longest);
}

class CauseFinder {
 public:
  CauseFinder(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of, RunComparison& out)
      : runs_(runs), calls_(runs.calls), iterations_of_(iterations_of), out_(out) {
    mean_time_ = std::max(out.a.time / std::max(1.0, static_cast<double>(out.a.processes)),
                          out.b.time / std::max(1.0, static_cast<double>(out.b.processes)));
  }

  void find() {
    if (!out_.are_alike) {
      out_.headline =
          fmt::format("these seem to be different programs: {:.0f} % of the call pairs are in both",
                      100 * calls_.common_share);
      return;
    }

    look_at_sizes();
    if (runs_.processes.are_partners)
      look_at_computation();
    else
      look_at_groups_computation();
    look_at_messages();
    look_at_waiting();
    look_at_names();
    look_at_calls();
    look_at_moved_calls();
    look_at_iterations();
    look_at_run();
    report();
  }

 private:
  void add(Rank rank, double score, std::string text) {
    found_.push_back({rank, score, std::move(text)});
  }
  const std::string& name(ClassIndex of) const { return calls_.name_class(of); }
  bool waits(ClassIndex of) const { return is_waiting_function(calls_.names.classes[of]); }
  double get_total(std::size_t r, ClassIndex of, Measure measure) const {
    double sum = 0;
    for (const auto& one : runs_.by_class[r][of])
      sum += one.amounts[place(measure)] *
             static_cast<double>(runs_.run(r).plan.processes[one.process].weight);
    return sum;
  }
  // The processes that call a function.
  double count_callers(std::size_t r, ClassIndex of) const {
    double sum = 0;
    for (const auto& one : runs_.by_class[r][of])
      if (one.amounts[place(Measure::visits)] > 0)
        sum += static_cast<double>(runs_.run(r).plan.processes[one.process].weight);
    return std::max(1.0, sum);
  }
  double get_time(std::size_t r, ClassIndex of) const {
    return get_total(r, of, Measure::time) / count_callers(r, of);
  }
  double get_visits(std::size_t r, std::size_t node) const {
    return calls_.totals[r][node][place(Measure::visits)] / count_callers(r, calls_.nodes[node].of);
  }

  void look_at_sizes() {
    std::string text;
    if (out_.a.ranks != out_.b.ranks)
      text = fmt::format("B has {} ranks, A has {}", out_.b.ranks, out_.a.ranks);
    else if (out_.a.processes != out_.b.processes)
      text = describe_threads();

    std::vector<std::string> gone;
    double share = 0;
    for (const auto& pair : out_.pairs)
      if (!pair.a || !pair.b) {
        gone.push_back(describe_alone(pair));
        share =
            std::max(share, static_cast<double>(pair.a ? pair.a->processes : pair.b->processes));
      }
    if (text.empty()) {
      for (auto& one : gone)
        add(Rank::groups, share, std::move(one));
      look_at_members();
      return;
    }

    if (gone.size() == 1)
      text += ": " + gone.front();
    else if (!gone.empty())
      text += fmt::format("; {} groups have no partner", gone.size());
    else
      text += "; each group has a partner";
    text += describe_scaling();
    add(Rank::sizes, 1, std::move(text));
    if (gone.size() > 1)
      for (auto& one : gone)
        add(Rank::groups, 0, std::move(one));
  }

  // Where only threads make the difference, and each rank has as many.
  std::string describe_threads() const {
    const auto ranks = out_.a.ranks;
    if (ranks > 0 && out_.a.processes % ranks == 0 && out_.b.processes % ranks == 0)
      return fmt::format("B has {} threads in each rank, A has {}", out_.b.processes / ranks,
                         out_.a.processes / ranks);
    return fmt::format("B has {} processes, A has {}", out_.b.processes, out_.a.processes);
  }

  // Which function does not follow the others where the number of ranks is another one. These may
  // take less time per process with more ranks, or as long: what most of them do is usual.
  std::string describe_scaling() const {
    struct Scaled {
      ClassIndex of = 0;
      double a = 0, b = 0;  // mean per process
    };
    std::vector<Scaled> scaled;
    std::vector<double> ratios;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (waits(c))
        continue;
      const Scaled one{c, get_time(0, c), get_time(1, c)};
      if (one.a <= 0 || one.b <= 0 || std::max(one.a, one.b) < least_share * mean_time_)
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
        get_excess(worst) < 2 * least_share * mean_time_)
      return {};

    const auto tell = [](double a, double b) {
      return std::abs(b / a - 1) < 0.02 ? std::string("as long") : format_ratio(a, b);
    };
    const auto times = fmt::format("{} → {}", format_time_of(worst.a), format_time_of(worst.b));
    return fmt::format("; {} takes {} per process, {}, and most functions {}", name(worst.of),
                       tell(worst.a, worst.b), times, tell(1, usual));
  }

  std::string describe_alone(const ComparedPair& pair) const {
    const std::size_t r = pair.a ? 0 : 1;
    const auto& group = pair.a ? *pair.a : *pair.b;
    const auto& plan = runs_.run(r).plan;
    const auto& members = (*plan.groups)[group.number].members;
    auto text = fmt::format("group '{}' of {} ({}) {}", group.name, r == 0 ? "A" : "B",
                            list_places(plan, members),
                            r == 0 ? "is gone in B" : "is new, and has no partner in A");
    std::vector<std::string> alone;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c)
      if (!runs_.by_class[r][c].empty() && runs_.by_class[1 - r][c].empty() && !waits(c))
        if (std::all_of(runs_.by_class[r][c].begin(), runs_.by_class[r][c].end(), [&](auto& one) {
              return std::binary_search(members.begin(), members.end(), one.process);
            }))
          alone.push_back(name(c));
    if (!alone.empty())
      text += fmt::format("; it alone calls {}", name_list(alone, 3));
    return text;
  }

  // Processes whose group in B is not the partner of their group in A.
  void look_at_members() {
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
        add(Rank::groups, static_cast<double>(members.size()),
            fmt::format("{} of B are in another group than in A: '{}'",
                        list_places(runs_.b.plan, members), label_group(runs_.b.plan, group)));
    }
  }

  // Where a function changed.
  std::string describe_where(ClassIndex of, const std::vector<std::size_t>& places) const {
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

  // In which iterations, where these are some of them only.
  std::string describe_when(ClassIndex of, bool is_longer) const {
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

  // Why it is called more or less often: the call, as far up as it is called as often.
  std::string describe_visits(ClassIndex of) const {
    const auto node = find_heaviest(of);
    if (node == no_node)
      return {};
    const auto get_ratio = [&](std::size_t n) {
      const auto a = get_visits(0, n), b = get_visits(1, n);
      return a > 0 && b > 0 ? b / a : 0;
    };
    if (calls_.totals[0][node][place(Measure::visits)] <= 0)
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
    const auto a = get_visits(0, root), b = get_visits(1, root);
    return fmt::format("{} is called {} as often{} ({} → {} per process)",
                       name(calls_.nodes[root].of), format_often(a, b),
                       caller == no_node ? "" : " by " + name(calls_.nodes[caller].of),
                       format_number(a), format_number(b));
  }

  // Says which call leads to a call path that A does not have.
  std::string describe_new_path(std::size_t node) const {
    const auto visits = place(Measure::visits);
    auto root = node;
    for (auto up = calls_.nodes[node].caller;
         up != no_node && calls_.totals[0][up][visits] <= 0 && calls_.totals[1][up][visits] > 0;
         up = calls_.nodes[up].caller)
      root = up;

    const auto caller = calls_.nodes[root].caller;
    if (caller == no_node || calls_.totals[1][root][visits] <= 0)
      return {};
    return fmt::format("{} calls {} in B and not in A ({} per process)",
                       name(calls_.nodes[caller].of), name(calls_.nodes[root].of),
                       format_number(get_visits(1, root)));
  }

  std::size_t find_heaviest(ClassIndex of) const {
    std::size_t out = no_node;
    double most = -1;
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      if (calls_.nodes[n].of != of)
        continue;
      const auto time = std::abs(calls_.totals[1][n][place(Measure::time)] -
                                 calls_.totals[0][n][place(Measure::time)]);
      if (time > most) {
        most = time;
        out = n;
      }
    }
    return out;
  }

  std::string describe_caller(ClassIndex of) const {
    const auto node = find_heaviest(of);
    const auto caller = node == no_node ? no_node : calls_.nodes[node].caller;
    return caller == no_node ? "" : ", called by " + name(calls_.nodes[caller].of);
  }

  bool is_in(std::size_t r, ClassIndex of) const { return get_total(r, of, Measure::visits) > 0; }

  // Says that a function has come or gone, with its time per process.
  std::string describe_only(ClassIndex of) const {
    const bool is_new = is_in(1, of);
    const std::size_t r = is_new ? 1 : 0;
    const auto time = get_time(r, of);
    return fmt::format("{} is {} in B{}: {} per process", name(of), is_new ? "new" : "not called",
                       describe_caller(of), format_time_of(time));
  }

  struct Changed {
    ClassIndex of = 0;
    std::vector<std::size_t> places;
    double a = 0, b = 0;                     // means over these
    double sum = 0;                          // of the differences
    std::vector<std::size_t> opposite = {};  // places that changed in the other direction
    double opposite_a = 0, opposite_b = 0;
  };

  void look_at_computation() {
    std::vector<Changed> changed;
    double all_time = 0;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (waits(c))
        continue;
      all_time += get_total(0, c, Measure::time);
      const auto values = runs_.list_class_values(c, Measure::time);
      Changed one{c, find_changed(values, ValueKind::computation, runs_.noise)};
      if (one.places.empty() &&
          measure_difference(values, ValueKind::computation, runs_.noise).is_beyond)
        one.places = list_counted(values);
      keep_main_direction(values, one);
      if (one.places.empty())
        continue;
      one.a = get_mean(values.a, one.places);
      one.b = get_mean(values.b, one.places);
      one.sum = (one.b - one.a) * static_cast<double>(one.places.size());
      if (std::abs(one.b - one.a) < least_share * mean_time_)
        continue;
      most_computation_ = std::max(most_computation_, std::abs(one.b - one.a));
      changed.push_back(std::move(one));
    }

    explain_all_slower(changed, all_time);
    for (const auto& one : changed)
      add(Rank::computation, std::abs(one.sum), describe_changed(one));
  }

  static void keep_main_direction(const PartnerValues& values, Changed& one) {
    double up = 0, down = 0;
    for (auto k : one.places)
      (values.b[k] > values.a[k] ? up : down) += std::abs(values.b[k] - values.a[k]);
    const bool is_up = up >= down;
    const auto other =
        std::stable_partition(one.places.begin(), one.places.end(),
                              [&](std::size_t k) { return (values.b[k] > values.a[k]) == is_up; });
    // What few of them do is no news.
    if (std::min(up, down) > std::max(up, down) / 4)
      one.opposite.assign(other, one.places.end());
    one.opposite_a = get_mean(values.a, one.opposite);
    one.opposite_b = get_mean(values.b, one.opposite);
    one.places.erase(other, one.places.end());
  }

  std::string describe_changed(const Changed& one) const {
    if (!is_in(0, one.of) || !is_in(1, one.of))
      return describe_only(one.of);
    const bool is_longer = one.b > one.a;
    const auto times = fmt::format(
        "{} takes {} in B{}{}: {} → {}{}", name(one.of), format_ratio(one.a, one.b),
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

  // Where most of the functions take longer by the same factor, that is one finding.
  void explain_all_slower(const std::vector<Changed>& changed, double all_time) {
    double a = 0, b = 0, time = 0;
    std::vector<std::size_t> places;
    for (const auto& one : changed) {
      if (!is_in(0, one.of) || !is_in(1, one.of) || !describe_visits(one.of).empty())
        return;
      a += one.a;
      b += one.b;
      time += get_total(0, one.of, Measure::time);
      if (one.places.size() > places.size())
        places = one.places;
    }
    const bool are_alike = std::all_of(changed.begin(), changed.end(), [&](const Changed& one) {
      return std::abs(one.b / one.a / (b / a) - 1) < 0.15;
    });
    if (changed.size() < 3 || !are_alike || time < 0.7 * all_time)
      return;
    add(Rank::computation, std::abs(b - a) * static_cast<double>(places.size()),
        fmt::format("all that computes takes {} in B{}: {} → {} per process", format_ratio(a, b),
                    describe_where(changed.front().of, places), format_time_of(a),
                    format_time_of(b)));
  }

  // Where processes have no partners, groups tell.
  void look_at_groups_computation() {
    for (const auto& pair : out_.pairs) {
      if (!pair.a || !pair.b)
        continue;
      for (const auto& row : pair.functions) {
        const auto& time = row.get(Measure::time);
        if (!time.is_beyond || std::abs(time.b - time.a) < least_share * mean_time_)
          continue;
        const auto of = find_class(row.name);
        if (of == no_class || waits(of))
          continue;
        const auto text = row.is_in_a && row.is_in_b
                              ? fmt::format("{} takes {} in B in group '{}': {} → {} per process",
                                            row.name, format_ratio(time.a, time.b), pair.a->name,
                                            format_time_of(time.a), format_time_of(time.b))
                              : describe_only(of);
        most_computation_ = std::max(most_computation_, std::abs(time.b - time.a));
        add(Rank::computation, std::abs(time.b - time.a) * static_cast<double>(pair.a->processes),
            text);
      }
    }
  }

  ClassIndex find_class(const std::string& wanted) const {
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c)
      if (name(c) == wanted)
        return c;
    return no_class;
  }

  void look_at_messages() {
    if (out_.a.processes != out_.b.processes)
      return;
    std::array<std::array<double, 2>, 2> all{};  // messages and bytes, by run
    std::array<std::size_t, 2> largest{no_node, no_node};
    std::array<double, 2> most{};
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
      for (std::size_t k = 0; k < 2; ++k) {
        const auto m = place(k == 0 ? Measure::messages : Measure::bytes);
        for (std::size_t r = 0; r < 2; ++r)
          all[k][r] += calls_.totals[r][n][m];
        const auto change = std::abs(calls_.totals[1][n][m] - calls_.totals[0][n][m]);
        if (change > most[k]) {
          most[k] = change;
          largest[k] = n;
        }
      }

    const auto has_changed = [&](std::size_t k) {
      return most[k] > 0 &&
             std::abs(all[k][1] - all[k][0]) > least_share * std::max(all[k][0], all[k][1]);
    };
    const auto where = [&](std::size_t n) {
      const auto caller = calls_.nodes[n].caller;
      return caller == no_node
                 ? name(calls_.nodes[n].of)
                 : name(calls_.nodes[n].of) + ", called by " + name(calls_.nodes[caller].of);
    };
    if (has_changed(0)) {
      const auto visits = describe_visits(calls_.nodes[largest[0]].of);
      add(Rank::messages, std::abs(all[0][1] - all[0][0]) / std::max(all[0][0], all[0][1]),
          fmt::format("B exchanges {} the messages of A, {} → {}{}, most of them in {}{}",
                      describe_times(all[0][0], all[0][1]), format_number(all[0][0]),
                      format_number(all[0][1]), describe_bytes(all[1][0], all[1][1]),
                      where(largest[0]), visits.empty() ? "" : "; " + visits));
    } else if (has_changed(1)) {
      // More calls are the reason, if there are more.
      const auto visits = describe_visits(calls_.nodes[largest[1]].of);
      add(Rank::messages, std::abs(all[1][1] - all[1][0]) / std::max(all[1][0], all[1][1]),
          fmt::format("{}B exchanges {} the bytes of A{}, {} → {}, most of them in {}",
                      visits.empty() ? "" : visits + "; ", describe_times(all[1][0], all[1][1]),
                      all[0][0] > 0 && visits.empty() ? " in as many messages" : "",
                      format_bytes(static_cast<std::uint64_t>(all[1][0])),
                      format_bytes(static_cast<std::uint64_t>(all[1][1])), where(largest[1])));
    }
  }

  static std::string describe_times(double a, double b) {
    if (a <= 0)
      return "more than";
    const auto ratio = b / a;
    return std::abs(ratio - 2) < 0.005 ? "twice" : fmt::format("{:.2f} times", ratio);
  }
  static std::string describe_bytes(double a, double b) {
    if (a <= 0 || b <= 0)
      return {};
    if (std::abs(b / a - 1) < least_share)
      return " with as many bytes";
    return fmt::format(" with {} the bytes", describe_times(a, b));
  }

  void look_at_waiting() {
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (!waits(c))
        continue;
      const auto values = runs_.list_class_values(c, Measure::time);
      const auto one = measure_difference(values, ValueKind::waiting, runs_.noise);
      Changed changed{c, find_changed(values, ValueKind::waiting, runs_.noise), one.a, one.b, 0};
      keep_main_direction(values, changed);
      if (!one.is_beyond && changed.places.empty())
        continue;
      if (!changed.places.empty()) {
        changed.a = get_mean(values.a, changed.places);
        changed.b = get_mean(values.b, changed.places);
      } else {
        changed.places = list_counted(values);
      }
      const auto change = std::abs(changed.b - changed.a);
      // A few processes may wait longer by chance, and more so than they compute.
      const auto least = one.is_beyond ? least_share : 3 * least_share;
      if (change < least * mean_time_)
        continue;
      const bool is_large = change > 5 * most_computation_ && change > 0.05 * mean_time_ &&
                            most_computation_ < 0.03 * mean_time_;
      const bool is_explained =
          std::any_of(found_.begin(), found_.end(), [](const Finding& finding) {
            return finding.rank == Rank::messages && finding.score > 0.05;
          });
      const auto rank = is_large && !is_explained    ? Rank::large_waiting
                        : change > 0.05 * mean_time_ ? Rank::waiting
                                                     : Rank::small_waiting;
      const auto visits = describe_visits(c);
      const auto text =
          is_in(0, c) && is_in(1, c)
              ? fmt::format("{}{} takes {} in B{}: {} → {} per process",
                            visits.empty() ? "" : visits + "; ", name(c),
                            format_ratio(changed.a, changed.b),
                            runs_.processes.are_partners ? describe_where(c, changed.places) : "",
                            format_time_of(changed.a), format_time_of(changed.b))
              : describe_only(c);
      add(rank, change * static_cast<double>(changed.places.size()), text);
    }
  }

  void look_at_names() {
    for (const auto& one : calls_.renamed) {
      const bool waits_there = waits(one.of);
      const auto time = get_time(0, one.of);
      add(Rank::names, time + 1e-9,
          waits_there
              ? fmt::format("B calls {} where A calls {}", one.b, one.a)
              : fmt::format("{} of A is renamed: it is {} in B, with the same callers ({} per "
                            "process)",
                            one.a, one.b, format_time_of(time)));
    }
    for (const auto& one : calls_.inlined)
      add(Rank::names, one.time + 1e-9,
          fmt::format("{} is inlined into {} in {}, which does its work ({} per process)",
                      one.function, one.caller, one.is_in_b ? "B" : "A", format_time_of(one.time)));
  }

  void look_at_calls() {
    std::set<std::string> told;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      const bool a = is_in(0, c), b = is_in(1, c);
      if (a == b)
        continue;
      const std::size_t r = a ? 0 : 1;
      const auto time = get_time(r, c);
      if (!waits(c) && runs_.processes.are_partners && time >= least_share * mean_time_)
        continue;  // among what computes
      add(Rank::calls, time + 1e-9, describe_only(c));
    }
    if (out_.a.processes != out_.b.processes)
      return;
    const auto visits = place(Measure::visits);
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      const auto a = calls_.totals[0][n][visits], b = calls_.totals[1][n][visits];
      if (a <= 0 || b <= 0 || std::abs(b - a) <= least_share * std::max(a, b))
        continue;
      const auto up = calls_.nodes[n].caller;
      const auto up_ratio = up == no_node || calls_.totals[0][up][visits] <= 0
                                ? 1
                                : calls_.totals[1][up][visits] / calls_.totals[0][up][visits];
      if (std::abs(b / a / std::max(up_ratio, 1e-12) - 1) <= least_share)
        continue;  // as often as its caller
      const auto caller = up == no_node ? "" : " by " + name(calls_.nodes[up].of);
      const auto text =
          fmt::format("{} is called {} as often{} ({} → {} per process)", name(calls_.nodes[n].of),
                      format_often(a, b), caller, format_number(get_visits(0, n)),
                      format_number(get_visits(1, n)));
      if (told.insert(text).second)
        add(Rank::calls, std::abs(b - a) / std::max(a, b) * 1e-9, text);
    }
  }

  // Functions that are called from elsewhere, as often as before.
  void look_at_moved_calls() {
    const auto visits = place(Measure::visits);
    struct Callers {
      std::vector<std::string> gone, come;
      double time = 0;
    };
    std::map<ClassIndex, Callers> moved;
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      const auto& node = calls_.nodes[n];
      const bool a = calls_.totals[0][n][visits] > 0, b = calls_.totals[1][n][visits] > 0;
      if (a == b || node.caller == no_node || !is_in(0, node.of) || !is_in(1, node.of))
        continue;
      // Where the caller is new or gone itself, that is told.
      const auto of_caller = calls_.nodes[node.caller].of;
      if (!is_in(0, of_caller) || !is_in(1, of_caller))
        continue;
      auto& callers = moved[node.of];
      (a ? callers.gone : callers.come).push_back(name(of_caller));
      callers.time += calls_.totals[a ? 0 : 1][n][place(Measure::time)];
    }
    for (const auto& [of, callers] : moved)
      if (!callers.gone.empty() && !callers.come.empty())
        add(Rank::calls, callers.time,
            fmt::format("{} is called by {} in B, and no longer by {}", name(of),
                        name_list(callers.come, 3), name_list(callers.gone, 3)));
  }

  // More or fewer iterations, each of which takes as long as before, explain all other changes.
  void look_at_iterations() {
    if (!out_.iterations || out_.iterations->a.empty() || out_.iterations->b.empty())
      return;
    const auto& it = *out_.iterations;
    const auto median = [](std::vector<double> values) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      std::nth_element(values.begin(), middle, values.end());
      return *middle;
    };
    const auto a = median(it.a), b = median(it.b);
    if (it.a.size() == it.b.size() || std::abs(b - a) > out_.noise * std::max(a, b))
      return;
    add(Rank::iterations, 1,
        fmt::format("B has {} iterations, A has {}; each takes as long as before ({} → {})",
                    it.b.size(), it.a.size(), format_time_of(a), format_time_of(b)));
  }

  void look_at_run() {
    const auto &a = out_.a.run_time, &b = out_.b.run_time;
    if (!a || !b || *a <= 0 || *b <= 0 ||
        std::abs(*b - *a) <= runs_.noise.without_spread * std::max(*a, *b))
      return;
    add(Rank::run, 1,
        fmt::format("the run takes {} in B: {} → {}", format_ratio(*a, *b), format_time_of(*a),
                    format_time_of(*b)));
  }

  void report() {
    std::stable_sort(found_.begin(), found_.end(), [](const Finding& x, const Finding& y) {
      return x.rank != y.rank ? x.rank < y.rank : x.score > y.score;
    });
    constexpr std::size_t most = 12;
    for (const auto& one : found_)
      if (out_.headline.empty())
        out_.headline = one.text;
      else if (out_.findings.size() < most && one.text != out_.headline)
        out_.findings.push_back(one.text);
    if (out_.headline.empty())
      out_.headline = no_difference;
  }

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  std::optional<ClassIndex> iterations_of_;
  RunComparison& out_;
  double mean_time_ = 0;
  double most_computation_ = 0;  // the largest change of a function that computes
  std::vector<Finding> found_;
};

}  // namespace

void find_cause(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
                RunComparison& out) {
  CauseFinder(runs, iterations_of, out).find();
}

void find_difference(RunComparison& out) {
  const auto& pair = out.pairs.front();
  const auto& rows = pair.functions;
  const auto time = std::max(pair.a->time, pair.b->time);
  const auto largest = std::max_element(rows.begin(), rows.end(), [](auto& x, auto& y) {
    const auto measure = [](const DifferenceRow& row) {
      const auto& one = row.get(Measure::time);
      return one.is_beyond ? std::abs(one.b - one.a) : 0;
    };
    return measure(x) < measure(y);
  });
  constexpr std::size_t most_alone = 3;
  std::vector<std::string> alone_a, alone_b;
  for (const auto& row : pair.call_pairs)
    if (row.is_in_a != row.is_in_b)
      (row.is_in_a ? alone_a : alone_b).push_back(shorten_call_pair(row.name));
  if (largest != rows.end() && largest->get(Measure::time).is_beyond &&
      std::abs(largest->get(Measure::time).b - largest->get(Measure::time).a) >=
          least_share * time) {
    const auto& one = largest->get(Measure::time);
    const char *longer = one.b > one.a ? "B" : "A", *shorter = one.b > one.a ? "A" : "B";
    const auto most = format_time_of(std::max(one.a, one.b));
    out.headline = largest->is_in_a && largest->is_in_b
                       ? fmt::format("{} takes {} more time in {}: {}, {} in {}, per process",
                                     largest->name, format_time_of(std::abs(one.b - one.a)), longer,
                                     most, format_time_of(std::min(one.a, one.b)), shorter)
                       : fmt::format("{} alone calls {}, which takes {} per process", longer,
                                     largest->name, most);
  }
  if (!alone_a.empty())
    out.findings.push_back("A alone calls " + name_list(alone_a, most_alone));
  if (!alone_b.empty())
    out.findings.push_back("B alone calls " + name_list(alone_b, most_alone));
  if (out.headline.empty() && !out.findings.empty()) {
    out.headline = out.findings.front();
    out.findings.erase(out.findings.begin());
  }
  if (out.headline.empty())
    out.headline = no_difference;
}

}  // namespace tracefold
