#include "filters/comparison/find_cause.hpp"

#include "base/spelling.hpp"
#include "base/text.hpp"
#include "filters/comparison/cause_words.hpp"
#include "filters/comparison/run_costs.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace tracefold {

namespace {

enum class Rank : std::uint8_t {
  sizes,
  iterations,
  groups,
  network,
  computation,
  messages,
  names,
  calls,
  waiting
};

struct Finding {
  Rank rank;
  double score = 0;
  std::string text;
  double weight = 0;  // how much its cost counts, in seconds; 0: next to nothing, or not known
};

double get_mean(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0;
  for (auto k : places)
    sum += values[k];
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

class CauseFinder {
 public:
  CauseFinder(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
              std::optional<Scaling> asked, RunComparison& out)
      : runs_(runs),
        calls_(runs.calls),
        figures_(runs),
        costs_(runs, asked),
        asked_(asked),
        words_(runs, iterations_of, out),
        out_(out) {
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

    if (calls_.less_detailed)
      out_.headline = words_.describe_detail();
    look_at_sizes();
    look_at_iterations();
    if (runs_.processes.are_partners)
      look_at_computation();
    else
      look_at_groups_computation();
    look_at_messages();
    look_at_network();
    look_at_waiting();
    look_at_names();
    look_at_calls();
    look_at_moved_calls();
    report();
  }

 private:
  // What it costs the run counts as much as `weight` among other findings. 0: not known.
  void add(Rank rank, double score, std::string text, double cost = 0, double weight = 0,
           const std::string& phase = {}) {
    auto& one = found_.emplace_back(Finding{rank, score, std::move(text)});
    if (!costs_.are_known())
      return;
    const auto least = least_cause_share * std::max(*out_.a.run_time, *out_.b.run_time);
    if (std::abs(weight) < least)
      return;
    one.weight = std::abs(weight);
    one.text += std::abs(cost) < least / 2
                    ? std::string("; that costs nothing")
                    : fmt::format("; that {} {}{}", cost > 0 ? "costs" : "saves",
                                  format_time_of(std::abs(cost)), phase);
  }
  void add_function(Rank rank, double score, std::string text, ClassIndex of, double change) {
    const auto cost = costs_.of_class(of, change);
    // Where the path has moved away from what takes longer, it costs nothing.
    const auto own = (cost > 0) == (change > 0) ? cost : 0;
    add(rank, score, std::move(text), own, own, costs_.describe_phase(of));
  }

  void look_at_sizes() {
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
        share =
            std::max(share, static_cast<double>(pair.a ? pair.a->processes : pair.b->processes));
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
    if (gone.size() == 1)
      text += ": " + gone.front();
    else if (!gone.empty())
      text += fmt::format("; {} groups have no partner", gone.size());
    add_scaling(std::move(text));
    if (gone.size() > 1)
      for (auto& one : gone)
        add(Rank::groups, 0, std::move(one));
  }

  // What keeps the run from what is ideal; where costs are not known, what takes longer than that.
  void add_scaling(std::string text) {
    ClassIndex worst = no_class;
    // What saves time is of interest where the run is better than ideal.
    const auto sign = costs_.of_run() < 0 ? -1.0 : 1.0;
    double most = sign * costs_.of_network();
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (figures_.waits(c) && !costs_.is_bound(c))
        continue;
      const auto change = figures_.get_time(1, c) - costs_.factor() * figures_.get_time(0, c);
      const auto cost = sign * (costs_.are_known() ? costs_.of_class(c, change) : change);
      if (cost > most) {
        most = cost;
        worst = c;
      }
    }
    if (most < 2 * least_cause_share * (costs_.are_known() ? *out_.b.run_time : mean_time_))
      add(Rank::sizes, 1, std::move(text));
    else if (worst == no_class)
      add(Rank::sizes, 1,
          text + (sign > 0 ? "; the network takes longer" : "; the network takes less time"),
          sign * most, most);
    else
      add(Rank::sizes, 1, text + words_.describe_scaling(worst), sign * most, most,
          costs_.describe_phase(worst));
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

  void look_at_computation() {
    std::vector<ChangedFunction> changed;
    double all_time = 0;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (figures_.waits(c))
        continue;
      all_time += figures_.get_total(0, c, Measure::time);
      const auto values = runs_.list_class_values(c, Measure::time);
      ChangedFunction one{c, find_changed(values, ValueKind::computation, runs_.noise)};
      if (one.places.empty() &&
          measure_difference(values, ValueKind::computation, runs_.noise).is_beyond)
        one.places = list_counted(values);
      keep_main_direction(values, one);
      if (one.places.empty())
        continue;
      one.a = get_mean(values.a, one.places);
      one.b = get_mean(values.b, one.places);
      one.sum = (one.b - one.a) * static_cast<double>(one.places.size());
      if (std::abs(one.b - one.a) < least_cause_share * mean_time_)
        continue;
      changed.push_back(std::move(one));
    }

    explain_all_slower(changed, all_time);
    explain_shifted_work(changed);
    for (auto& one : changed) {
      look_at_cost(one);
      const bool is_of_streams = has_stream(one);
      if (!is_of_streams && has_main_thread(one)) {
        add_function(Rank::computation, std::abs(one.sum), words_.describe_changed(one), one.of,
                     one.b - one.a);
        continue;
      }
      const auto cost = costs_.of_waits(is_of_streams);
      const auto own = (cost > 0) == (one.b > one.a) ? cost : 0;
      add(Rank::computation, std::abs(one.sum), words_.describe_changed(one), own, own);
    }
  }

  // Where some take longer, and others less, those come first that the cost is of.
  void look_at_cost(ChangedFunction& one) const {
    constexpr double by_far = 1.5;
    const auto cost = costs_.of_class(one.of, one.b - one.a);
    if (!one.opposite.empty() && cost * (one.b - one.a) < 0) {
      std::swap(one.places, one.opposite);
      std::swap(one.a, one.opposite_a);
      std::swap(one.b, one.opposite_b);
    }
    one.moves = one.places.size() > 1 && cost / (one.b - one.a) > by_far;
  }

  bool has_main_thread(const ChangedFunction& one) const {
    return std::any_of(one.places.begin(), one.places.end(), [&](std::size_t k) {
      return runs_.a.plan.processes[runs_.processes.a[k]].thread == 0;
    });
  }
  bool has_stream(const ChangedFunction& one) const {
    const auto& plan = runs_.a.plan;
    return std::any_of(one.places.begin(), one.places.end(), [&](std::size_t k) {
      return plan.intents[plan.processes[runs_.processes.a[k]].intent].set.type ==
             otf2_value::location_type_accelerator;
    });
  }

  // Where one function takes longer by what another one takes less, that is one finding.
  void explain_shifted_work(std::vector<ChangedFunction>& changed) {
    constexpr double least_share = 0.02, most_left = 0.3;
    if (!costs_.are_known())
      return;
    const auto least = least_share * *out_.a.run_time;
    for (auto to = changed.begin(); to != changed.end(); ++to)
      for (auto from = changed.begin(); from != changed.end(); ++from) {
        const auto more = to->b - to->a, less = from->a - from->b;
        if (more < least || less < least || std::abs(more - less) > most_left * more ||
            to->places != from->places || !to->opposite.empty() || !from->opposite.empty())
          continue;
        const auto gained = costs_.of_class(from->of, less), lost = costs_.of_class(to->of, more);
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

  static void keep_main_direction(const PartnerValues& values, ChangedFunction& one) {
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

  // Where most of the functions take longer by the same factor, that is one finding.
  void explain_all_slower(const std::vector<ChangedFunction>& changed, double all_time) {
    double a = 0, b = 0, time = 0, cost = 0;
    std::vector<std::size_t> places;
    for (const auto& one : changed) {
      if (!figures_.is_in(0, one.of) || !figures_.is_in(1, one.of) ||
          !words_.describe_visits(one.of).empty())
        return;
      a += one.a;
      b += one.b;
      time += figures_.get_total(0, one.of, Measure::time);
      cost += costs_.of_class(one.of, one.b - one.a);
      if (one.places.size() > places.size())
        places = one.places;
    }
    const bool are_alike = std::all_of(
        changed.begin(), changed.end(),
        [&](const ChangedFunction& one) { return std::abs(one.b / one.a / (b / a) - 1) < 0.15; });
    if (changed.size() < 3 || !are_alike || time < 0.7 * all_time)
      return;
    add(Rank::computation, std::abs(b - a) * static_cast<double>(places.size()),
        fmt::format("all that computes takes {} in B{}: {} → {} per process", format_ratio(a, b),
                    words_.describe_where(changed.front().of, places), format_time_of(a),
                    format_time_of(b)),
        cost, cost);
  }

  // Where processes have no partners, groups tell.
  void look_at_groups_computation() {
    for (const auto& pair : out_.pairs) {
      if (!pair.a || !pair.b)
        continue;
      for (const auto& row : pair.functions) {
        const auto& time = row.get(Measure::time);
        if (!time.is_beyond || std::abs(time.b - time.a) < least_cause_share * mean_time_)
          continue;
        const auto of = figures_.find_class(row.name);
        if (of == no_class || figures_.waits(of))
          continue;
        const auto text = row.is_in_a && row.is_in_b
                              ? fmt::format("{} takes {} in B in group '{}': {} → {} per process",
                                            row.name, format_ratio(time.a, time.b), pair.a->name,
                                            format_time_of(time.a), format_time_of(time.b))
                              : words_.describe_only(of);
        const auto score = std::abs(time.b - time.a) * static_cast<double>(pair.a->processes);
        // What the function costs is known of all groups together.
        add(Rank::computation, score, text);
      }
    }
  }

  void look_at_messages() {
    if (out_.a.processes != out_.b.processes)
      return;
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

    const auto has_changed = [&](std::size_t k) {
      return most[k] > 0 &&
             std::abs(all[k][1] - all[k][0]) > least_cause_share * std::max(all[k][0], all[k][1]);
    };
    const auto where = [&](std::size_t n) {
      const auto caller = calls_.nodes[n].caller;
      return caller == no_node ? figures_.name(calls_.nodes[n].of)
                               : figures_.name(calls_.nodes[n].of) + ", called by " +
                                     figures_.name(calls_.nodes[caller].of);
    };
    if (has_changed(0)) {
      add_messages(std::abs(all[0][1] - all[0][0]) / std::max(all[0][0], all[0][1]),
                   fmt::format("B exchanges {} the messages of A ({} → {}){}, most of them in {}",
                               describe_times(all[0][0], all[0][1]), format_number(all[0][0]),
                               format_number(all[0][1]), describe_bytes(all[1][0], all[1][1]),
                               where(largest[0])));
    } else if (has_changed(1)) {
      // More calls are the reason, if there are more.
      const auto visits = words_.describe_visits(calls_.nodes[largest[1]].of);
      add_messages(
          std::abs(all[1][1] - all[1][0]) / std::max(all[1][0], all[1][1]),
          !visits.empty()
              ? visits
              : fmt::format("B exchanges {} the bytes of A{} ({} → {}), most of them in {}",
                            describe_times(all[1][0], all[1][1]),
                            all[0][0] > 0 ? " in as many messages" : "",
                            format_bytes(static_cast<std::uint64_t>(all[1][0])),
                            format_bytes(static_cast<std::uint64_t>(all[1][1])),
                            where(largest[1])));
    }
  }

  void add_messages(double score, std::string text) {
    are_messages_other_ = true;
    add(Rank::messages, score, std::move(text), costs_.of_network(), costs_.of_network());
  }

  // Other numbers of calls of MPI; or as many, and still another time.
  void look_at_network() {
    constexpr double least_change = 0.1;  // of what the network costs
    if (!costs_.are_known() || are_messages_other_ || costs_.scaling())
      return;
    const auto a = runs_.a.played->network, b = runs_.b.played->network;
    if (std::abs(b - a) <=
        std::max(least_change * std::max(a, b), least_cause_share * *out_.a.run_time))
      return;
    auto text = fmt::format("the network holds B up for {}, A for {}, with the same messages",
                            format_time_of(b), format_time_of(a));
    double most = 0;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      const auto change = std::abs(figures_.get_total(1, c, Measure::visits) -
                                   figures_.get_total(0, c, Measure::visits));
      if (!figures_.waits(c) || change <= most)
        continue;
      if (auto visits = words_.describe_visits(c); !visits.empty()) {
        most = change;
        text = std::move(visits);
      }
    }
    add(Rank::network, std::abs(b - a), std::move(text), b - a, b - a);
  }

  void look_at_waiting() {
    if (!runs_.knows_waiting())
      return;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      if (!figures_.waits(c))
        continue;
      const auto values = runs_.list_class_values(c, Measure::time);
      const auto one = measure_difference(values, ValueKind::waiting, runs_.noise);
      ChangedFunction changed{c, find_changed(values, ValueKind::waiting, runs_.noise), one.a,
                              one.b, 0};
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
      const auto least = one.is_beyond ? least_cause_share : 3 * least_cause_share;
      if (change < least * mean_time_)
        continue;
      const auto visits = words_.describe_visits(c);
      const auto text =
          figures_.is_in(0, c) && figures_.is_in(1, c)
              ? fmt::format(
                    "{}{} takes {} in B{}: {} → {} per process",
                    visits.empty() ? "" : visits + "; ", figures_.name(c),
                    format_ratio(changed.a, changed.b),
                    runs_.processes.are_partners ? words_.describe_where(c, changed.places) : "",
                    format_time_of(changed.a), format_time_of(changed.b))
              : words_.describe_only(c);
      add(Rank::waiting, change * static_cast<double>(changed.places.size()), text);
    }
  }

  void look_at_names() {
    for (const auto& one : calls_.renamed) {
      const bool waits_there = figures_.waits(one.of);
      const auto time = figures_.get_time(0, one.of);
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
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      const bool a = figures_.is_in(0, c), b = figures_.is_in(1, c);
      if (a == b)
        continue;
      const std::size_t r = a ? 0 : 1;
      const auto time = figures_.get_time(r, c);
      if (!figures_.waits(c) && runs_.processes.are_partners &&
          time >= least_cause_share * mean_time_)
        continue;  // among what computes
      add_function(Rank::calls, time + 1e-9, words_.describe_only(c), c, a ? -time : time);
    }
  }

  // Functions that are called from elsewhere, as often as before.
  void look_at_moved_calls() {
    const auto visits = place_of(Measure::visits);
    struct Callers {
      std::vector<std::string> gone, come;
      double time = 0;
    };
    std::map<ClassIndex, Callers> moved;
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      const auto& node = calls_.nodes[n];
      const bool a = calls_.totals[0][n][visits] > 0, b = calls_.totals[1][n][visits] > 0;
      if (a == b || node.caller == no_node || !figures_.is_in(0, node.of) ||
          !figures_.is_in(1, node.of))
        continue;
      // Where the caller is new or gone itself, that is told.
      const auto of_caller = calls_.nodes[node.caller].of;
      if (!figures_.is_in(0, of_caller) || !figures_.is_in(1, of_caller))
        continue;
      auto& callers = moved[node.of];
      (a ? callers.gone : callers.come).push_back(figures_.name(of_caller));
      callers.time += calls_.totals[a ? 0 : 1][n][place_of(Measure::time)];
    }
    for (const auto& [of, callers] : moved)
      if (!callers.gone.empty() && !callers.come.empty())
        add(Rank::calls, callers.time,
            fmt::format("{} is called by {} in B, and no longer by {}", figures_.name(of),
                        list_some(callers.come, 3), list_some(callers.gone, 3)));
  }

  // More or fewer iterations explain most other changes.
  void look_at_iterations() {
    if (costs_.of_iterations() == 0)
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

  // Whether the runs take another time.
  bool is_other_run() const {
    const auto &a = out_.a.run_time, &b = out_.b.run_time;
    return a && b && *a > 0 && *b > 0 &&
           std::abs(*b - *a) > runs_.noise.without_spread * std::max(*a, *b);
  }

  void report() {
    // Numbers of ranks, threads and iterations come first, then what costs most.
    std::stable_sort(found_.begin(), found_.end(), [](const Finding& x, const Finding& y) {
      const bool is_first = std::min(x.rank, y.rank) <= Rank::iterations;
      if (!is_first && x.weight != y.weight)
        return x.weight > y.weight;
      return x.rank != y.rank ? x.rank < y.rank : x.score > y.score;
    });
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

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  CallFigures figures_;
  RunCosts costs_;
  std::optional<Scaling> asked_;
  CauseWords words_;
  RunComparison& out_;
  bool are_messages_other_ = false;
  double mean_time_ = 0;
  std::vector<Finding> found_;
};

}  // namespace

void find_cause(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of, RunComparison& out,
                std::optional<Scaling> scaling) {
  CauseFinder(runs, iterations_of, scaling, out).find();
}

}  // namespace tracefold
