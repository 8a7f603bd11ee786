#include "filters/comparison/compare_runs.hpp"

#include "filters/comparison/fit_growth.hpp"
#include "model/describe_group.hpp"
#include "model/process_names.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold {

namespace {

double get_weight(const ComparedRun& run, std::size_t process) {
  return static_cast<double>(run.plan.processes[process].weight);
}

// By member; null where it has no amounts.
std::vector<const MemberAmounts*> find_members(const std::vector<MemberAmounts>& amounts,
                                               const std::vector<std::size_t>& members) {
  std::vector<const MemberAmounts*> out;
  out.reserve(members.size());
  for (auto m : members) {
    const auto at =
        std::lower_bound(amounts.begin(), amounts.end(), m,
                         [](const MemberAmounts& one, std::size_t p) { return one.process < p; });
    out.push_back(at != amounts.end() && at->process == m ? &*at : nullptr);
  }
  return out;
}

double get_value(const MemberAmounts* member, Measure measure) {
  return member ? member->amounts[place_of(measure)] : 0;
}

bool is_caller(const MemberAmounts* member) {
  return member && std::any_of(member->amounts.begin(), member->amounts.end(),
                               [](double amount) { return amount > 0; });
}

ValueKind find_kind(const CommonCalls& calls, ClassIndex of) {
  return is_waiting_function(calls.names.classes[of]) ? ValueKind::waiting : ValueKind::computation;
}

bool is_called(const DifferenceRow& row, bool in_b) {
  const auto& visits = row.get(Measure::visits);
  return (in_b ? visits.total_b : visits.total_a) > 0;
}

// Whether anything of it differs by more than the spread, or one run alone has it.
bool differs(const DifferenceRow& row) {
  return row.is_in_a != row.is_in_b ||
         std::any_of(row.of.begin(), row.of.end(), [](auto& one) { return one.is_beyond; });
}

double measure_change(const DifferenceRow& row, Measure measure) {
  const auto& one = row.get(measure);
  return std::abs(one.b - one.a);
}

void sort_by_change(std::vector<DifferenceRow>& rows, Measure measure) {
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& x, const auto& y) {
    return measure_change(x, measure) > measure_change(y, measure);
  });
}

// Rows of one pair of groups, or of all processes.
class RowMaker {
 public:
  RowMaker(const JoinedRuns& runs, const PairedProcesses& among) : runs_(runs), among_(among) {}

  // Values are of a function of this kind.
  DifferenceRow make(std::string name, ValueKind kind, const std::vector<MemberAmounts>& a,
                     const std::vector<MemberAmounts>& b) const {
    DifferenceRow row;
    row.name = std::move(name);
    for (std::size_t m = 0; m < measures; ++m)
      row.of[m] = measure_difference(
          runs_.list_values(a, b, among_, static_cast<Measure>(m)), kind,
          // Counts are exact; what varies from process to process shows in the spread.
          m == place_of(Measure::time) ? runs_.noise : Noise{1e-9, 1e-9});
    auto& time = row.of[place_of(Measure::time)];
    mark_single_changes(kind, a, b, time);
    if (kind == ValueKind::waiting && !runs_.knows_waiting())
      time.is_beyond = false;
    row.is_in_a = is_called(row, false);
    row.is_in_b = is_called(row, true);
    return row;
  }

  // Whether any of these processes has some of it; most call paths of a program are of few.
  bool has_any(const std::vector<MemberAmounts>& a, const std::vector<MemberAmounts>& b) const {
    return has_member(a, among_.a) || has_member(b, among_.b);
  }

 private:
  static bool has_member(const std::vector<MemberAmounts>& amounts,
                         const std::vector<std::size_t>& members) {
    return std::any_of(members.begin(), members.end(), [&](std::size_t m) {
      const auto at =
          std::lower_bound(amounts.begin(), amounts.end(), m,
                           [](const MemberAmounts& one, std::size_t p) { return one.process < p; });
      return at != amounts.end() && at->process == m;
    });
  }
  // A change of a few processes is one, too, where it makes most of all changes, whether the mean
  // changes or not.
  void mark_single_changes(ValueKind kind, const std::vector<MemberAmounts>& a,
                           const std::vector<MemberAmounts>& b, Difference& time) const {
    if (time.is_beyond || !among_.are_partners)
      return;
    const auto values = runs_.list_values(a, b, among_, Measure::time);
    const auto get_change = [&](std::size_t k) {
      return values.b[k] * values.weights_b[k] - values.a[k] * values.weights_a[k];
    };
    double of_changed = 0, of_all = 0;
    for (auto k : find_changed(values, kind, runs_.noise))
      of_changed += std::abs(get_change(k));
    for (std::size_t k = 0; k < values.a.size(); ++k)
      of_all += std::abs(get_change(k));
    time.is_beyond = of_changed > of_all / 2;
  }

  const JoinedRuns& runs_;
  const PairedProcesses& among_;
};

// By run the amounts of nodes and of pairs of functions.
struct PathTables {
  std::array<AmountTable, 2> nodes, pairs;
  std::vector<std::pair<ClassIndex, ClassIndex>> pair_names;
};

PathTables tabulate_paths(const JoinedRuns& runs) {
  PathTables out;
  const auto& calls = runs.calls;
  std::map<std::pair<ClassIndex, ClassIndex>, std::size_t> pairs;
  std::vector<std::size_t> pair_of;
  for (const auto& node : calls.nodes) {
    const std::pair pair(node.caller == no_node ? no_class : calls.nodes[node.caller].of, node.of);
    const auto [at, is_new] = pairs.try_emplace(pair, out.pair_names.size());
    if (is_new)
      out.pair_names.push_back(pair);
    pair_of.push_back(at->second);
  }
  for (std::size_t r = 0; r < 2; ++r) {
    std::vector<std::size_t> pair_of_path;
    for (auto node : calls.node_of[r])
      pair_of_path.push_back(node == no_node ? no_node : pair_of[node]);
    out.nodes[r] =
        collect_amounts(runs.run(r), calls.node_of[r], calls.nodes.size(), calls.is_inlined[r]);
    out.pairs[r] =
        collect_amounts(runs.run(r), pair_of_path, out.pair_names.size(), calls.is_inlined[r]);
  }
  return out;
}

void add_name_in_b(const CommonCalls& calls, ClassIndex of, DifferenceRow& row) {
  const auto& names = calls.names.classes[of].names;
  if (!names[1].empty() && names[1] != row.name)
    row.name_in_b = names[1];
}

std::vector<DifferenceRow> list_functions(const JoinedRuns& runs, const PairedProcesses& among,
                                          Measure measure, bool all) {
  const RowMaker maker(runs, among);
  std::vector<DifferenceRow> rows;
  for (ClassIndex c = 0; c < runs.calls.names.classes.size(); ++c) {
    const auto& a = runs.by_class[0][c];
    const auto& b = runs.by_class[1][c];
    if (a.empty() && b.empty())
      continue;
    if (!maker.has_any(a, b))
      continue;
    auto row = maker.make(runs.calls.name_class(c), find_kind(runs.calls, c), a, b);
    add_name_in_b(runs.calls, c, row);
    if ((row.is_in_a || row.is_in_b) && (all || differs(row)))
      rows.push_back(std::move(row));
  }
  sort_by_change(rows, measure);
  return rows;
}

void fill_rows(const JoinedRuns& runs, const PathTables& tables, const PairedProcesses& among,
               Measure measure, ComparedPair& pair) {
  const auto& calls = runs.calls;
  const RowMaker maker(runs, among);
  pair.functions = list_functions(runs, among, measure, false);
  const auto add = [&](std::vector<DifferenceRow>& rows, ClassIndex of, const auto& name,
                       const auto& a, const auto& b) {
    if (!maker.has_any(a, b))
      return;
    auto row = maker.make({}, find_kind(calls, of), a, b);
    if ((!row.is_in_a && !row.is_in_b) || !differs(row))
      return;
    row.name = name();
    rows.push_back(std::move(row));
  };
  for (std::size_t n = 0; n < calls.nodes.size(); ++n)
    add(
        pair.paths, calls.nodes[n].of, [&] { return calls.name_path(n); }, tables.nodes[0][n],
        tables.nodes[1][n]);
  for (std::size_t k = 0; k < tables.pair_names.size(); ++k)
    add(
        pair.call_pairs, tables.pair_names[k].second,
        [&] {
          const auto [caller, callee] = tables.pair_names[k];
          return (caller == no_class ? "(root)" : calls.name_class(caller)) + " → " +
                 calls.name_class(callee);
        },
        tables.pairs[0][k], tables.pairs[1][k]);
  sort_by_change(pair.paths, measure);
  sort_by_change(pair.call_pairs, measure);
}

double sum_times(const JoinedRuns& runs, std::size_t r, const std::vector<std::size_t>& members) {
  std::vector<bool> is_member(runs.run(r).plan.processes.size());
  for (auto m : members)
    is_member[m] = true;
  double sum = 0;
  for (const auto& list : runs.by_class[r])
    for (const auto& one : list)
      if (is_member[one.process])
        sum += one.amounts[place_of(Measure::time)] * get_weight(runs.run(r), one.process);
  return sum;
}

ComparedGroup describe(const JoinedRuns& runs, std::size_t r, std::size_t group) {
  const auto& plan = runs.run(r).plan;
  const auto& members = (*plan.groups)[group].members;
  ComparedGroup out{group, describe_group(plan, group), count_processes(plan, members), 0};
  out.time = sum_times(runs, r, members) / std::max(1.0, static_cast<double>(out.processes));
  return out;
}

// All of the run, or these processes of it.
ComparedSide describe_side(const ComparedRun& run, const std::vector<std::size_t>& processes) {
  ComparedSide out;
  out.name = run.name;
  std::set<std::uint64_t> ranks;
  for (auto p : processes) {
    const auto& process = run.plan.processes[p];
    out.processes += process.weight;
    out.is_kept_only |= process.weight > 1;
    if (process.rank)
      ranks.insert(*process.rank);
  }
  out.ranks = ranks.size();
  out.groups = run.plan.groups ? run.plan.groups->size() : 0;
  out.early_messages = run.early_messages;
  return out;
}

// The relative spread of functions that compute, by time: half of the time has less.
std::optional<double> find_common_noise(const JoinedRuns& runs) {
  std::vector<std::pair<double, double>> spreads;  // relative, and time
  for (ClassIndex c = 0; c < runs.calls.names.classes.size(); ++c) {
    if (is_waiting_function(runs.calls.names.classes[c]))
      continue;
    const auto one = measure_difference(runs.list_class_values(c, Measure::time),
                                        ValueKind::computation, {0, 0});
    const auto mean = std::max(one.a, one.b);
    if (mean > 0 && one.has_spread)
      spreads.emplace_back(one.spread / mean, one.total_a + one.total_b);
  }
  if (spreads.empty())
    return std::nullopt;
  std::sort(spreads.begin(), spreads.end());
  double all = 0, sum = 0;
  for (const auto& [spread, time] : spreads)
    all += time;
  for (const auto& [spread, time] : spreads)
    if ((sum += time) >= all / 2)
      return spread;
  return spreads.back().first;
}

void find_noise(JoinedRuns& runs, std::optional<double> percent) {
  constexpr double least = 0.01, most = 0.05;
  const auto found = find_common_noise(runs);
  runs.knows_spread = found.has_value();
  const auto inexact = (runs.a.percent + runs.b.percent) / 100;
  runs.noise.without_spread = (percent ? *percent / 100 : most) + inexact;
  runs.noise.relative = std::clamp(found.value_or(most), least, most) + inexact;
}

std::vector<std::size_t> list_all(const ComparedRun& run) {
  std::vector<std::size_t> all(run.plan.processes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ComparedSide describe_run(const ComparedRun& run) {
  auto out = describe_side(run, list_all(run));
  out.run_time = run.run_time;
  out.recording_off = run.recording_off;
  if (run.played && run.played->in_loops > 0)
    out.phases = {run.played->before, run.played->in_loops, run.played->behind};
  return out;
}

// By place, the group of each of these processes.
std::vector<std::size_t> list_groups(const Plan& plan, const std::vector<std::size_t>& processes) {
  std::vector<std::size_t> of(plan.processes.size()), out;
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto m : (*plan.groups)[g].members)
      of[m] = g;
  for (auto p : processes)
    out.push_back(of[p]);
  return out;
}

void collect_classes(JoinedRuns& runs) {
  for (std::size_t r = 0; r < 2; ++r)
    runs.by_class[r] = collect_amounts(runs.run(r), list_path_classes(runs.calls, r),
                                       runs.calls.names.classes.size(), runs.calls.is_inlined[r]);
}

}  // namespace

PartnerValues JoinedRuns::list_values(const std::vector<MemberAmounts>& of_a,
                                      const std::vector<MemberAmounts>& of_b,
                                      const PairedProcesses& among, Measure measure) const {
  PartnerValues out;
  const auto members_a = find_members(of_a, among.a), members_b = find_members(of_b, among.b);
  const auto counts = [&](std::size_t k, const auto& own, const auto& others) {
    return is_caller(own[k]) || (among.are_partners && is_caller(others[k]));
  };
  for (std::size_t k = 0; k < among.a.size(); ++k) {
    out.a.push_back(get_value(members_a[k], measure));
    out.weights_a.push_back(counts(k, members_a, members_b) ? get_weight(a, among.a[k]) : 0);
  }
  for (std::size_t k = 0; k < among.b.size(); ++k) {
    out.b.push_back(get_value(members_b[k], measure));
    out.weights_b.push_back(counts(k, members_b, members_a) ? get_weight(b, among.b[k]) : 0);
  }
  out.are_partners = among.are_partners;
  out.groups_a = among.groups_a;
  out.groups_b = among.groups_b;
  return out;
}

PartnerValues JoinedRuns::list_class_values(ClassIndex of, Measure measure) const {
  return list_values(by_class[0][of], by_class[1][of], processes, measure);
}

void group_by_common_detail(ComparedRun& a, ComparedRun& b) {
  const auto calls = join_calls({&a, &b});
  if (!calls.less_detailed)
    return;
  group_by_nodes(a, calls, 0);
  group_by_nodes(b, calls, 1);
}

JoinedRuns join_runs(const ComparedRun& a, const ComparedRun& b, std::optional<double> percent) {
  JoinedRuns runs{a, b, join_calls({&a, &b}), {}, {}, {}, {}, true};
  runs.groups = pair_groups(a, b, runs.calls);
  runs.processes = pair_processes(a.plan, list_all(a), b.plan, list_all(b));
  runs.processes.groups_a = list_groups(a.plan, runs.processes.a);
  runs.processes.groups_b = list_groups(b.plan, runs.processes.b);
  collect_classes(runs);
  find_noise(runs, percent);
  return runs;
}

namespace {

bool makes_same_calls(const ComparedRun& run, std::size_t a, std::size_t b) {
  const auto& calls = run.calls;
  const auto &x = calls.processes[a], &y = calls.processes[b];
  const auto visits = calls.columns.find(Metric::visits);
  const bool has_same_paths = x.shape == y.shape || calls.shape(a).paths == calls.shape(b).paths;
  if (!visits || !has_same_paths || x.values.size() != y.values.size())
    return false;

  for (auto k = *visits; k < x.values.size(); k += calls.columns.size())
    if (x.values[k] != y.values[k])
      return false;

  return true;
}

// The first one, and an even sample of the others.
std::vector<std::size_t> take_sample(std::size_t first, const std::vector<std::size_t>& others) {
  const auto count = std::min(others.size(), most_iteration_processes - 1);
  std::vector<std::size_t> out{first};
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(others[k * others.size() / count]);
  return out;
}

std::vector<std::size_t> sample_group(const ComparedRun& run, std::size_t group) {
  auto others = (*run.plan.groups)[group].members;
  const auto first = others.front();
  std::erase_if(others, [&](auto m) { return m == first || !makes_same_calls(run, first, m); });
  return take_sample(first, others);
}

// The place of the first member of the largest group of the first run, among its partners.
std::size_t find_place_in_largest_group(const JoinedRuns& runs) {
  const auto& groups = *runs.a.plan.groups;
  const auto largest = std::max_element(
      groups.begin(), groups.end(),
      [](const Group& x, const Group& y) { return x.members.size() < y.members.size(); });
  const auto& partners = runs.processes.a;
  const auto at = std::find(partners.begin(), partners.end(), largest->members.front());
  return at == partners.end() ? 0 : static_cast<std::size_t>(at - partners.begin());
}

std::optional<IterationChoice> choose_iterations_of_groups(const JoinedRuns& runs) {
  const PairedGroups* largest = nullptr;
  std::size_t most = 0;
  for (const auto& pair : runs.groups)
    if (pair.a && pair.b && (*runs.a.plan.groups)[*pair.a].members.size() > most) {
      largest = &pair;
      most = (*runs.a.plan.groups)[*pair.a].members.size();
    }
  if (!largest)
    return std::nullopt;
  return IterationChoice{sample_group(runs.a, *largest->a), sample_group(runs.b, *largest->b),
                         std::nullopt, *largest->a, most};
}

}  // namespace

std::optional<IterationChoice> choose_iterations(const JoinedRuns& runs) {
  if (!runs.processes.are_partners)
    return choose_iterations_of_groups(runs);
  const auto& partners = runs.processes;
  if (partners.a.empty())
    return std::nullopt;

  IterationChoice out;
  std::vector<std::size_t> places(partners.a.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::size_t first = 0;
  double most = 0;
  for (ClassIndex c = 0; c < runs.calls.names.classes.size(); ++c) {
    if (is_waiting_function(runs.calls.names.classes[c]))
      continue;
    const auto values = runs.list_class_values(c, Measure::time);
    auto changed = find_changed(values, ValueKind::computation, runs.noise);
    if (changed.empty() && measure_difference(values, ValueKind::computation, runs.noise).is_beyond)
      changed = list_counted(values);
    const auto get_change = [&](auto k) { return values.b[k] - values.a[k]; };
    for (auto k : changed)
      if (std::abs(get_change(k)) > most) {
        most = std::abs(get_change(k));
        first = k;
        out.function = c;
        places.clear();
        std::copy_if(changed.begin(), changed.end(), std::back_inserter(places),
                     [&](auto p) { return (get_change(p) > 0) == (get_change(k) > 0); });
      }
  }

  if (!out.function)
    first = find_place_in_largest_group(runs);
  out.group = partners.groups_a[first];
  const auto& members = (*runs.a.plan.groups)[out.group].members;
  std::erase_if(places, [&](auto p) {
    return p == first || !std::binary_search(members.begin(), members.end(), partners.a[p]) ||
           !makes_same_calls(runs.a, partners.a[first], partners.a[p]) ||
           !makes_same_calls(runs.b, partners.b[first], partners.b[p]);
  });
  out.candidates = places.size() + 1;
  for (auto p : take_sample(first, places)) {
    out.a.push_back(partners.a[p]);
    out.b.push_back(partners.b[p]);
  }
  return out;
}

RunComparison compare_runs(const JoinedRuns& runs, Measure measure) {
  RunComparison out;
  out.a = describe_run(runs.a);
  out.b = describe_run(runs.b);
  out.a.time = sum_times(runs, 0, list_all(runs.a));
  out.b.time = sum_times(runs, 1, list_all(runs.b));
  out.are_partners = runs.processes.are_partners;
  out.are_alike = runs.calls.common_share >= least_common_share || runs.calls.less_detailed;
  out.functions_in_other = runs.calls.functions_in_other;
  out.less_detailed = runs.calls.less_detailed;
  out.noise = runs.knows_spread ? runs.noise.relative : runs.noise.without_spread;
  out.knows_spread = runs.knows_spread;
  out.functions = list_functions(runs, runs.processes, measure, true);

  const auto tables = tabulate_paths(runs);
  for (const auto& found : runs.groups) {
    auto& pair = out.pairs.emplace_back();
    if (found.a)
      pair.a = describe(runs, 0, *found.a);
    if (found.b)
      pair.b = describe(runs, 1, *found.b);
    if (!found.a || !found.b)
      continue;
    pair.similarity = found.similarity;
    pair.subsumption = found.subsumption;
    const auto among = pair_processes(runs.a.plan, (*runs.a.plan.groups)[*found.a].members,
                                      runs.b.plan, (*runs.b.plan.groups)[*found.b].members);
    pair.has_partners = among.are_partners;
    fill_rows(runs, tables, among, measure, pair);
  }

  return out;
}

std::vector<std::string> list_grown(const RunComparison& runs, double percent) {
  constexpr double least_part = 0.01;
  const auto factor = 1 + percent / 100;
  std::vector<std::string> grown;
  if (runs.a.run_time && runs.b.run_time && *runs.b.run_time > *runs.a.run_time * factor)
    grown.emplace_back("the run");
  std::set<std::string> named;
  const auto add = [&](const std::vector<DifferenceRow>& rows, double all_a, double all_b) {
    for (const auto& row : rows) {
      const auto& time = row.get(Measure::time);
      const bool matters = time.total_a > least_part * all_a || time.total_b > least_part * all_b;
      if (matters && time.is_beyond && time.b > time.a * factor && named.insert(row.name).second)
        grown.push_back(row.name);
    }
  };
  add(runs.functions, runs.a.time, runs.b.time);
  const auto sum = [](const ComparedGroup& group) {
    return group.time * static_cast<double>(group.processes);
  };
  for (const auto& pair : runs.pairs)
    if (pair.a && pair.b)
      add(pair.functions, sum(*pair.a), sum(*pair.b));
  return grown;
}

void mark_iterations(ComparedIterations& iterations, const Noise& noise) {
  if (iterations.a.size() != iterations.b.size())
    return;
  PartnerValues values{iterations.a, iterations.b, {}, {}, true};
  // A few iterations of many differ by chance, so that more is asked of them than of processes.
  for (auto k : find_changed(values, ValueKind::waiting, {std::max(noise.relative, 0.025)}))
    (iterations.b[k] > iterations.a[k] ? iterations.slower : iterations.faster).push_back(k);
}

RunComparison compare_processes(const ComparedRun& run, const ComparedGroup& a,
                                const std::vector<std::size_t>& of_a, const ComparedGroup& b,
                                const std::vector<std::size_t>& of_b, Measure measure) {
  JoinedRuns runs{run, run, join_calls({&run}), {}, {of_a, of_b, false}, {}, {}, true};
  auto& calls = runs.calls;
  calls.node_of.push_back(calls.node_of.front());
  calls.is_inlined.push_back(calls.is_inlined.front());
  for (auto& one : calls.names.classes)
    one.names.push_back(one.names.front());
  collect_classes(runs);
  runs.noise.relative = 0.01 + run.percent / 100;
  runs.noise.without_spread = runs.noise.relative;

  RunComparison out;
  const auto describe_part = [&](const ComparedGroup& part, const std::vector<std::size_t>& of) {
    auto side = describe_side(run, of);
    side.part = part.name;
    side.groups = 1;
    return side;
  };
  out.a = describe_part(a, of_a);
  out.b = describe_part(b, of_b);
  out.a.time = sum_times(runs, 0, of_a);
  out.b.time = sum_times(runs, 1, of_b);
  out.noise = runs.noise.relative;
  out.knows_spread = of_a.size() > 1 && of_b.size() > 1;
  out.functions = list_functions(runs, runs.processes, measure, true);
  auto& pair = out.pairs.emplace_back();
  pair.a = a;
  pair.b = b;
  pair.a->time = out.a.time / std::max(1.0, static_cast<double>(a.processes));
  pair.b->time = out.b.time / std::max(1.0, static_cast<double>(b.processes));
  const auto tables = tabulate_paths(runs);
  fill_rows(runs, tables, runs.processes, measure, pair);

  double both = 0, any = 0, in_a = 0;
  const auto is_called = [](const std::vector<MemberAmounts>& list,
                            const std::vector<std::size_t>& members) {
    const auto found = find_members(list, members);
    return std::any_of(found.begin(), found.end(), [](const MemberAmounts* member) {
      return get_value(member, Measure::visits) > 0;
    });
  };
  for (std::size_t k = 0; k < tables.pair_names.size(); ++k) {
    const bool a_calls = is_called(tables.pairs[0][k], of_a);
    const bool b_calls = is_called(tables.pairs[1][k], of_b);
    both += a_calls && b_calls;
    any += a_calls || b_calls;
    in_a += a_calls;
  }
  pair.similarity = any > 0 ? both / any : 1;
  pair.subsumption = in_a > 0 ? both / in_a : 1;
  return out;
}

RunTable tabulate_runs(const std::vector<const ComparedRun*>& runs, Measure measure,
                       std::optional<Scaling> scaling) {
  const auto calls = join_calls(runs);
  RunTable out{measure, {}, {}};
  out.scaling = find_scaling(runs, calls);
  if (out.scaling && scaling)
    out.scaling = scaling;
  if (out.scaling)
    out.growth = find_growth(runs, calls, *out.scaling);
  std::map<ClassIndex, std::vector<std::optional<double>>> rows;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    auto& side = out.runs.emplace_back(describe_run(*runs[r]));
    for (std::size_t n = 0; n < calls.nodes.size(); ++n) {
      const auto& amounts = calls.totals[r][n];
      side.time += amounts[place_of(Measure::time)];
      if (amounts[place_of(Measure::visits)] <= 0)
        continue;
      auto& row = rows.try_emplace(calls.nodes[n].of, runs.size()).first->second;
      row[r] = row[r].value_or(0) + amounts[place_of(measure)];
    }
  }
  for (auto& [of, totals] : rows)
    out.rows.push_back({calls.name_class(of), std::move(totals)});
  const auto largest = [](const RunTable::Row& row) {
    double most = 0;
    for (const auto& total : row.totals)
      most = std::max(most, total.value_or(0));
    return most;
  };
  std::stable_sort(out.rows.begin(), out.rows.end(),
                   [&](const auto& x, const auto& y) { return largest(x) > largest(y); });
  return out;
}

}  // namespace tracefold
