#include "filters/comparison/find_cause.hpp"

#include "base/spelling.hpp"
#include "base/text.hpp"
#include "filters/comparison/cause_words.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

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
  small_waiting
};

struct Finding {
  Rank rank;
  double score = 0;
  std::string text;
};

double get_mean(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  double sum = 0;
  for (auto k : places)
    sum += values[k];
  return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

class CauseFinder {
 public:
  CauseFinder(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of, RunComparison& out)
      : runs_(runs),
        calls_(runs.calls),
        figures_(runs),
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
    report();
  }

 private:
  void add(Rank rank, double score, std::string text) {
    found_.push_back({rank, score, std::move(text)});
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

    if (gone.size() == 1)
      text += ": " + gone.front();
    else if (!gone.empty())
      text += fmt::format("; {} groups have no partner", gone.size());
    else
      text += "; each group has a partner";
    text += words_.describe_scaling(mean_time_);
    add(Rank::sizes, 1, std::move(text));
    if (gone.size() > 1)
      for (auto& one : gone)
        add(Rank::groups, 0, std::move(one));
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
      most_computation_ = std::max(most_computation_, std::abs(one.b - one.a));
      changed.push_back(std::move(one));
    }

    explain_all_slower(changed, all_time);
    for (const auto& one : changed)
      add(Rank::computation, std::abs(one.sum), words_.describe_changed(one));
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
    double a = 0, b = 0, time = 0;
    std::vector<std::size_t> places;
    for (const auto& one : changed) {
      if (!figures_.is_in(0, one.of) || !figures_.is_in(1, one.of) ||
          !words_.describe_visits(one.of).empty())
        return;
      a += one.a;
      b += one.b;
      time += figures_.get_total(0, one.of, Measure::time);
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
                    format_time_of(b)));
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
        most_computation_ = std::max(most_computation_, std::abs(time.b - time.a));
        add(Rank::computation, std::abs(time.b - time.a) * static_cast<double>(pair.a->processes),
            text);
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
      const auto visits = words_.describe_visits(calls_.nodes[largest[0]].of);
      add(Rank::messages, std::abs(all[0][1] - all[0][0]) / std::max(all[0][0], all[0][1]),
          fmt::format("B exchanges {} the messages of A, {} → {}{}, most of them in {}{}",
                      describe_times(all[0][0], all[0][1]), format_number(all[0][0]),
                      format_number(all[0][1]), describe_bytes(all[1][0], all[1][1]),
                      where(largest[0]), visits.empty() ? "" : "; " + visits));
    } else if (has_changed(1)) {
      // More calls are the reason, if there are more.
      const auto visits = words_.describe_visits(calls_.nodes[largest[1]].of);
      add(Rank::messages, std::abs(all[1][1] - all[1][0]) / std::max(all[1][0], all[1][1]),
          fmt::format("{}B exchanges {} the bytes of A{}, {} → {}, most of them in {}",
                      visits.empty() ? "" : visits + "; ", describe_times(all[1][0], all[1][1]),
                      all[0][0] > 0 && visits.empty() ? " in as many messages" : "",
                      format_bytes(static_cast<std::uint64_t>(all[1][0])),
                      format_bytes(static_cast<std::uint64_t>(all[1][1])), where(largest[1])));
    }
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
      const bool is_large = change > 5 * most_computation_ && change > 0.05 * mean_time_ &&
                            most_computation_ < 0.03 * mean_time_;
      const bool is_explained =
          std::any_of(found_.begin(), found_.end(), [](const Finding& finding) {
            return finding.rank == Rank::messages && finding.score > 0.05;
          });
      const auto rank = is_large && !is_explained    ? Rank::large_waiting
                        : change > 0.05 * mean_time_ ? Rank::waiting
                                                     : Rank::small_waiting;
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
      add(rank, change * static_cast<double>(changed.places.size()), text);
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
    std::set<std::string> told;
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      const bool a = figures_.is_in(0, c), b = figures_.is_in(1, c);
      if (a == b)
        continue;
      const std::size_t r = a ? 0 : 1;
      const auto time = figures_.get_time(r, c);
      if (!figures_.waits(c) && runs_.processes.are_partners &&
          time >= least_cause_share * mean_time_)
        continue;  // among what computes
      add(Rank::calls, time + 1e-9, words_.describe_only(c));
    }
    if (out_.a.processes != out_.b.processes)
      return;
    const auto visits = place_of(Measure::visits);
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      const auto a = calls_.totals[0][n][visits], b = calls_.totals[1][n][visits];
      if (a <= 0 || b <= 0 || std::abs(b - a) <= least_cause_share * std::max(a, b))
        continue;
      const auto up = calls_.nodes[n].caller;
      const auto up_ratio = up == no_node || calls_.totals[0][up][visits] <= 0
                                ? 1
                                : calls_.totals[1][up][visits] / calls_.totals[0][up][visits];
      if (std::abs(b / a / std::max(up_ratio, 1e-12) - 1) <= least_cause_share)
        continue;  // as often as its caller
      const auto caller = up == no_node ? "" : " by " + figures_.name(calls_.nodes[up].of);
      const auto text = fmt::format("{} is called {} as often{} ({} → {} per process)",
                                    figures_.name(calls_.nodes[n].of), format_often(a, b), caller,
                                    format_number(figures_.get_visits(0, n)),
                                    format_number(figures_.get_visits(1, n)));
      if (told.insert(text).second)
        add(Rank::calls, std::abs(b - a) / std::max(a, b) * 1e-9, text);
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

  // Whether the runs take another time.
  bool is_other_run() const {
    const auto &a = out_.a.run_time, &b = out_.b.run_time;
    return a && b && *a > 0 && *b > 0 &&
           std::abs(*b - *a) > runs_.noise.without_spread * std::max(*a, *b);
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
      out_.headline = is_other_run() ? no_function_differs : no_difference;
    add_wrong_clocks(out_);
  }

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  CallFigures figures_;
  CauseWords words_;
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

}  // namespace tracefold
