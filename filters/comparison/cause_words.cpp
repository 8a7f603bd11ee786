#include "filters/comparison/cause_words.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"
#include "model/profile/time_metric.hpp"
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
  const auto [factor, unit] = size >= 0.9995      ? std::pair(1.0, "s")
                              : size >= 0.9995e-3 ? std::pair(1e3, "ms")
                                                  : std::pair(1e6, "us");
  const auto scaled = size * factor;
  return fmt::format("{:.{}f} {}", seconds * factor,
                     scaled < 9.995   ? 2
                     : scaled < 99.95 ? 1
                                      : 0,
                     unit);
}

std::string format_ratio(double a, double b) {
  if (a <= 0)
    return "time";
  const auto ratio = b / a;
  if (ratio < 0.005)
    return "nearly no time";
  return ratio >= 10    ? fmt::format("{:.0f} times as long", ratio)
         : ratio >= 1.5 ? fmt::format("{:.1f} times as long", ratio)
         : ratio >= 1.0 ? fmt::format("{:.0f} % longer", std::max(1.0, 100 * (ratio - 1)))
                        : fmt::format("{:.0f} % less time", std::max(1.0, 100 * (1 - ratio)));
}

std::string format_often(double a, double b) {
  const auto ratio = b / a;
  return ratio < 0.1    ? fmt::format("1/{:.0f}", 1 / std::max(ratio, 1e-9))
         : ratio < 1.95 ? fmt::format("{:.2f} times", ratio)
                        : fmt::format("{:.1f} times", ratio);
}

std::string format_number(double number) {
  return number == std::floor(number) || number >= 1000
             ? group_digits(static_cast<std::uint64_t>(std::llround(number)))
             : fmt::format("{:.1f}", number);
}

std::string describe_times(double a, double b) {
  if (a <= 0 || b <= 0)
    return a <= 0 ? "more than" : "none of";
  const auto ratio = b / a;
  if (std::abs(ratio - 2) < 0.005)
    return "twice";
  return ratio < 0.1 ? format_often(a, b) + " of"
                     : fmt::format("{:.{}f} times", ratio, ratio < 10 ? 2 : 0);
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

std::string CauseWords::describe_detail() const {
  const auto less = *calls_.less_detailed;
  std::size_t all = 0, both = 0, other = 0;
  bool has_own = false;  // functions of the program itself
  std::set<std::string> paradigms;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    const auto& names = calls_.names.classes[c].names;
    const auto paradigm = calls_.names.classes[c].first.paradigm;
    other += !names[1 - less].empty();
    if (names[less].empty())
      continue;
    ++all;
    both += !names[1 - less].empty();
    has_own |= paradigm == otf2_value::paradigm_unknown || paradigm == otf2_value::paradigm_user ||
               paradigm == otf2_value::paradigm_compiler;
    paradigms.insert(paradigm_name(paradigm));
  }
  const char *one = less == 0 ? "A" : "B", *another = less == 0 ? "B" : "A";
  const auto what = has_own ? fmt::format("{} is recorded with less detail", one)
                            : fmt::format("{} records {} only", one, fmt::join(paradigms, " and "));
  return fmt::format(
      "{}; {} functions that it calls are in {}, which has {} more", what,
      both == all ? fmt::format("all {}", all) : fmt::format("{} of the {}", both, all), another,
      other - both);
}

// B's time by A's time that most functions have; where there are two, of the one that scales
// better.
std::optional<double> CauseWords::find_usual(double least) const {
  std::vector<double> ratios;
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
    const auto a = figures_.get_time(0, c), b = figures_.get_time(1, c);
    if (!figures_.waits(c) && a > 0 && b > 0 && std::max(a, b) >= least)
      ratios.push_back(b / a);
  }
  if (ratios.size() < 2)
    return std::nullopt;
  std::sort(ratios.begin(), ratios.end());
  return ratios[out_.b.processes >= out_.a.processes ? (ratios.size() - 1) / 2 : ratios.size() / 2];
}

std::string CauseWords::describe_longest(ClassIndex of) const {
  constexpr double by_far = 1.2;
  double longest = 0, next = 0;
  const Process* process = nullptr;
  for (const auto& one : runs_.by_class[1][of]) {
    const auto time = one.amounts[place_of(Measure::time)];
    next = std::max(next, std::min(time, longest));
    if (time > longest) {
      longest = time;
      process = &runs_.b.plan.processes[one.process];
    }
  }
  return next > 0 && longest > by_far * next
             ? fmt::format(", {} on {}", format_time_of(longest), name_process(*process))
             : "";
}

std::string CauseWords::describe_scaling(ClassIndex of, bool is_weak, std::size_t room) const {
  const auto a = figures_.get_time(0, of), b = figures_.get_time(1, of);
  if (a <= 0 || b <= 0) {
    const auto* change = find_change(of);
    const auto text = change ? describe_calls(*change, of) : "";
    return text.empty() ? "" : "; " + text;
  }
  const auto tell = [](double from, double to) {
    return std::abs(to / from - 1) < 0.03 ? std::string("as long") : format_ratio(from, to);
  };
  const auto times =
      tell(a, b) == "as long" ? format_time_of(b) : format_time_of(a) + " → " + format_time_of(b);
  auto out = fmt::format("; {} takes {} ({} each{})", figures_.name(of), tell(a, b), times,
                         describe_longest(of));
  // As long in each rank is ideal, unless one waits for another one with it.
  if (!figures_.waits(of) && is_weak && tell(a, b) == "as long")
    out += ", but less of it at the same time";
  // What others do says nothing of what is no computation, or does the same.
  const auto ratio =
      figures_.waits(of) ? std::nullopt : find_usual(least_cause_share * std::max(a, b));
  auto usual = ratio ? tell(1, *ratio) : tell(a, b);
  if (usual == tell(a, b))
    return out;
  if (usual.ends_with(" times as long"))
    usual.resize(usual.size() - std::string_view(" as long").size());
  const auto others = ", most others " + usual;
  return measure_width(out + others) <= room ? out + others : out;
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
  const auto all = runs_.processes.a.size();
  const auto changed = places.size();
  std::set<std::size_t> callers;
  for (std::size_t r = 0; r < 2; ++r)
    for (const auto& one : runs_.by_class[r][of])
      callers.insert(one.process);
  std::vector<std::size_t> members;
  members.reserve(places.size());
  for (auto k : places)
    members.push_back(runs_.processes.a[k]);
  std::sort(members.begin(), members.end());
  if (changed == all)
    return all > 1 ? " on all processes" : "";
  if (10 * changed >= 9 * all)
    return fmt::format(" on {} of {} processes", changed, all);
  if (auto known = name_members(0, members); !known.empty())
    return " " + known;
  if (changed == callers.size())
    return " on all processes that call it";
  if (10 * changed >= 9 * callers.size())
    return fmt::format(" on {} of {} processes that call it", changed, callers.size());
  return " on " + list_members(0, members);
}

std::string CauseWords::describe_callers(ClassIndex of, std::size_t r) const {
  const auto& processes = runs_.run(r).plan.processes;
  std::vector<std::size_t> members;
  for (const auto& one : runs_.by_class[r][of])
    if (one.amounts[place_of(Measure::visits)] > 0) {
      if (processes[one.process].weight > 1)
        return {};  // it stands for others, of which nobody knows which ones
      members.push_back(one.process);
    }
  if (members.empty() || members.size() == processes.size())
    return {};
  const auto known = name_members(r, members);
  return " " + (known.empty() ? "on " + list_members(r, members) : known);
}

std::string CauseWords::name_members(std::size_t r, const std::vector<std::size_t>& members) const {
  const auto& plan = runs_.run(r).plan;
  if (members.size() == 1 && plan.processes[members.front()].weight == 1)
    return fmt::format("on {} alone", name_process(plan.processes[members.front()]));
  const auto list = list_places(plan, members);
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    if ((*plan.groups)[g].members == members)
      if (const auto label = label_group(plan, g); label.size() < list.size())
        return fmt::format("in group '{}'", label);
  std::set<std::uint64_t> ranks;
  for (auto m : members)
    if (const auto rank = plan.processes[m].rank)
      ranks.insert(*rank);
  const auto of_ranks =
      std::count_if(plan.processes.begin(), plan.processes.end(),
                    [&](const Process& one) { return one.rank && ranks.count(*one.rank) > 0; });
  if (ranks.empty() || ranks.size() == members.size() ||
      static_cast<std::size_t>(of_ranks) != members.size())
    return {};
  return fmt::format("on all threads of rank{} {}", ranks.size() == 1 ? "" : "s",
                     shorten(to_ranges({ranks.begin(), ranks.end()}), longest_list));
}

std::string CauseWords::list_members(std::size_t r, const std::vector<std::size_t>& members) const {
  const auto list = list_places(runs_.run(r).plan, members);
  const bool is_rank_list = !list.empty() && list.front() >= '0' && list.front() <= '9';
  return (!is_rank_list         ? ""
          : members.size() == 1 ? "rank "
                                : "ranks ") +
         shorten(list, longest_list);
}

CauseWords::SomeIterations CauseWords::find_iterations(ClassIndex of, bool is_longer) const {
  // Of all computation they say nothing of one function.
  if (!out_.iterations || iterations_of_ != of || out_.iterations->function.empty())
    return {};
  const auto& it = *out_.iterations;
  const auto& changed = is_longer ? it.slower : it.faster;
  if (changed.empty() || it.a.size() != it.b.size() || 5 * changed.size() > 4 * it.a.size())
    return {};
  double all = 0;
  SomeIterations here;
  for (std::size_t k = 0; k < it.a.size(); ++k)
    all += it.b[k] - it.a[k];
  for (auto k : changed) {
    here.a += it.a[k];
    here.b += it.b[k];
  }
  const auto change = here.b - here.a;
  if (std::abs(change) < 0.6 * std::abs(all))
    return {};

  // The others change less by far: else all do, and only the spread divides them.
  const auto inside = change / static_cast<double>(changed.size());
  const auto outside = (all - change) / static_cast<double>(it.a.size() - changed.size());
  if (std::abs(outside) > 0.5 * std::abs(inside))
    return {};

  const std::vector<std::uint64_t> numbers(changed.begin(), changed.end());
  here.text = fmt::format(" in iteration{} {} of {}", numbers.size() == 1 ? "" : "s",
                          shorten(to_ranges(numbers), 60), it.a.size());
  return here;
}

std::string CauseWords::describe_trend(ClassIndex of, const std::string& some) const {
  constexpr std::size_t least_iterations = 8;
  constexpr double least_pairs = 0.9;   // of which the later one changes more
  constexpr double least_growth = 0.5;  // from the first half to the last one, of the mean change
  if (!out_.iterations || iterations_of_ != of || out_.iterations->function.empty() ||
      !some.empty())
    return {};
  const auto &a = out_.iterations->a, &b = out_.iterations->b;
  const auto n = a.size();
  if (n != b.size() || n < least_iterations)
    return {};
  double up = 0, down = 0, growth = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto change = b[i] - a[i];
    sum += change;
    growth += i < n / 2 ? -change : i >= n - n / 2 ? change : 0;
    for (std::size_t k = i + 1; k < n; ++k) {
      up += b[k] - a[k] > change ? 1 : 0;
      down += b[k] - a[k] < change ? 1 : 0;
    }
  }
  if (std::abs(growth) < least_growth * std::abs(sum) / 2)
    return {};
  const auto all = n * (n - 1) / 2;
  const auto pairs = least_pairs * static_cast<double>(all);
  const bool becomes_longer = sum > 0 ? up >= pairs : down >= pairs;
  const bool becomes_shorter = sum > 0 ? down >= pairs : up >= pairs;
  return becomes_longer    ? ", more so with each iteration"
         : becomes_shorter ? ", less so with each iteration"
                           : "";
}

std::string CauseWords::describe_network(double change, ClassIndex mostly_in,
                                         bool are_same_messages) const {
  const auto &a = *runs_.a.played, &b = *runs_.b.played;
  const auto& slow = change > 0 ? b : a;
  const auto& plan = runs_.run(change > 0 ? 1 : 0).plan;
  const auto times =
      fmt::format("for {}, A for {}", format_time_of(b.network), format_time_of(a.network));
  if (slow.slow_ends.empty() || slow.slow_ends == (change > 0 ? a : b).slow_ends)
    return fmt::format("the network holds B up {}{}{}", times,
                       are_same_messages ? ", with the same messages" : "",
                       mostly_in == no_class ? "" : ", mostly in " + figures_.name(mostly_in));
  const auto name = [&](std::size_t k) { return name_process(plan.processes[slow.slow_ends[k]]); };
  const auto between = slow.slow_ends.size() == 2
                           ? fmt::format("between {} and {}", name(0), name(1))
                           : "from and to " + list_members(change > 0 ? 1 : 0, slow.slow_ends);
  return fmt::format("messages {} take {} in B: the network holds it up {}", between,
                     change > 0 ? "longer" : "less time", times);
}

std::string CauseWords::describe_times_of(const ChangedFunction& one, bool is_first) const {
  return fmt::format("{}{} {} ({} → {})", figures_.name(one.of), is_first ? " takes" : "",
                     format_ratio(one.a, one.b), format_time_of(one.a), format_time_of(one.b));
}

std::string CauseWords::describe_changed(const ChangedFunction& one) const {
  const auto visits = describe_visits(one.of);
  const auto name = figures_.name(one.of);
  const auto inlined =
      std::find_if(calls_.inlined.begin(), calls_.inlined.end(), [&](const Inlined& of) {
        return of.caller == calls_.name_class(one.of) && of.function != of.caller;
      });
  // Some iterations have times of their own: 50 % more in half of them, not 25 % more of all.
  auto a = one.a, b = one.b;
  std::string where;
  if (one.moves) {
    where = ", now on one process, now on another";
  } else if (visits.empty() || one.places.size() < runs_.processes.a.size()) {
    const auto when = find_iterations(one.of, b > a);
    where = when.text + describe_where(one.of, one.places) + describe_trend(one.of, when.text);
    if (one.path_caller != no_class)
      where = fmt::format(" where {} calls it{}", figures_.name(one.path_caller),
                          where.starts_with(" on ") ? "," + where : where);
    if (!when.text.empty()) {
      a = when.a;
      b = when.b;
    }
  }
  // "f is called twice as often, and takes …"
  auto out = visits.empty()                   ? name
             : visits.starts_with(name + " ") ? visits + ", and"
                                              : visits + "; " + name;
  if (visits.empty() && inlined != calls_.inlined.end())
    out += fmt::format(", with {} that is inlined in {},", inlined->function,
                       inlined->is_in_b ? "B" : "A");
  const bool is_renamed = std::any_of(calls_.renamed.begin(), calls_.renamed.end(),
                                      [&](const Renamed& of) { return of.of == one.of; });
  const auto as = is_renamed ? fmt::format(" (as {})", figures_.name_in(1, one.of)) : "";
  out += fmt::format(" takes {} in B{}{}: {} → {}{}", format_ratio(a, b), as, where,
                     format_time_of(a), format_time_of(b),
                     one.is_of_iteration     ? " per iteration"
                     : one.places.size() > 1 ? " each"
                                             : "");
  if (!one.opposite.empty() && !one.moves)
    out += fmt::format(", and {}{}: {} → {}", format_ratio(one.opposite_a, one.opposite_b),
                       describe_where(one.of, one.opposite), format_time_of(one.opposite_a),
                       format_time_of(one.opposite_b));
  return out;
}

}  // namespace tracefold
