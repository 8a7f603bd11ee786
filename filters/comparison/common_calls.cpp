#include "filters/comparison/common_calls.hpp"

#include "base/text.hpp"
#include "filters/comparison/assign.hpp"
#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr auto time_at = static_cast<std::size_t>(Measure::time);
constexpr auto visits_at = static_cast<std::size_t>(Measure::visits);

// The columns whose sum is each measure.
using MeasureColumns = std::array<std::vector<std::size_t>, measures>;

MeasureColumns list_columns(const MetricColumns& columns) {
  const auto measure_of = [](Metric metric) -> std::optional<Measure> {
    switch (metric) {
      case Metric::execution_time: return Measure::time;  // with its parts
      case Metric::visits: return Measure::visits;
      case Metric::sends:
      case Metric::receives:
      case Metric::send_synchronizations:
      case Metric::receive_synchronizations: return Measure::messages;
      case Metric::bytes_sent:
      case Metric::bytes_received:
      case Metric::collective_bytes_outgoing:
      case Metric::collective_bytes_incoming:
      case Metric::one_sided_bytes_sent:
      case Metric::one_sided_bytes_received: return Measure::bytes;
      default: return std::nullopt;
    }
  };

  MeasureColumns out;
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (const auto measure = measure_of(columns.measured[c]))
      out[static_cast<std::size_t>(*measure)].push_back(c);
  return out;
}

// Calls visit(process, path, amounts) for the rows of a run whose paths have a key.
template <class Visit>
void visit_rows(const ComparedRun& run, const std::vector<std::size_t>& key_of, Visit&& visit) {
  const auto columns = list_columns(run.calls.columns);
  for (std::size_t p = 0; p < run.calls.processes.size(); ++p) {
    const auto& paths = run.calls.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (key_of[paths[k]] == no_node)
        continue;
      Amounts amounts{};
      for (std::size_t m = 0; m < measures; ++m) {
        std::uint64_t sum = 0;
        for (auto column : columns[m])
          sum += run.calls.value(p, k, column);
        amounts[m] = m == time_at ? to_seconds(run.plan, static_cast<double>(sum))
                                  : static_cast<double>(sum);
      }
      visit(p, paths[k], amounts);
    }
  }
}

double count_all(const ComparedRun& run) {
  double sum = 0;
  for (const auto& process : run.plan.processes)
    sum += static_cast<double>(process.weight);
  return std::max(sum, 1.0);
}

// Builds the tree, with what was found to be inlined left out.
class TreeBuilder {
 public:
  TreeBuilder(const std::vector<const ComparedRun*>& runs, CommonCalls& calls)
      : runs_(runs), calls_(calls) {
    for (const auto* run : runs_)
      calls_.is_inlined.emplace_back(run->calls.paths.size());
  }

  void absorb(std::size_t run, PathIndex path) { calls_.is_inlined[run][path] = true; }

  void build() {
    calls_.nodes.clear();
    calls_.node_of.clear();
    calls_.totals.clear();
    std::map<std::pair<std::size_t, ClassIndex>, std::size_t> known;
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const auto& paths = runs_[r]->calls.paths;
      auto& node_of = calls_.node_of.emplace_back(paths.size(), no_node);
      for (std::size_t p = 0; p < paths.size(); ++p) {
        const auto of = calls_.names.class_of[r][paths[p].function];
        const auto caller = paths[p].caller == no_path ? no_node : node_of[paths[p].caller];
        if (of == no_class)
          continue;
        if (calls_.is_inlined[r][p]) {
          node_of[p] = caller;
          continue;
        }
        const auto [at, is_new] = known.try_emplace({caller, of}, calls_.nodes.size());
        if (is_new)
          calls_.nodes.push_back({caller, of});
        node_of[p] = at->second;
      }
    }
    for (std::size_t r = 0; r < runs_.size(); ++r)
      sum(r);
  }

 private:
  void sum(std::size_t r) {
    auto& totals = calls_.totals.emplace_back(calls_.nodes.size());
    const auto& run = *runs_[r];
    visit_rows(run, calls_.node_of[r],
               [&](std::size_t process, PathIndex path, const Amounts& amounts) {
                 const auto node = calls_.node_of[r][path];
                 const auto weight = static_cast<double>(run.plan.processes[process].weight);
                 for (std::size_t m = 0; m < measures; ++m)
                   // Calls that were inlined are none of the caller.
                   if (m != visits_at || !calls_.is_inlined[r][path])
                     totals[node][m] += weight * amounts[m];
               });
  }

  const std::vector<const ComparedRun*>& runs_;
  CommonCalls& calls_;
};

// What both runs do, by function.
struct ClassFacts {
  std::array<Amounts, 2> totals{};
  std::array<std::set<ClassIndex>, 2> callers, callees;
};

std::vector<ClassFacts> sum_classes(const CommonCalls& calls) {
  std::vector<ClassFacts> out(calls.names.classes.size());
  for (std::size_t n = 0; n < calls.nodes.size(); ++n) {
    const auto& node = calls.nodes[n];
    for (std::size_t r = 0; r < 2; ++r) {
      const auto& amounts = calls.totals[r][n];
      if (amounts[visits_at] <= 0)
        continue;
      for (std::size_t m = 0; m < measures; ++m)
        out[node.of].totals[r][m] += amounts[m];
      const auto caller = node.caller == no_node ? no_class : calls.nodes[node.caller].of;
      out[node.of].callers[r].insert(caller);
      if (caller != no_class)
        out[caller].callees[r].insert(node.of);
    }
  }
  return out;
}

double find_common_share(const std::vector<ClassFacts>& facts) {
  std::array<double, 2> pairs{};
  double both = 0;
  for (const auto& one : facts)
    for (std::size_t r = 0; r < 2; ++r)
      for (auto caller : one.callers[r]) {
        pairs[r] += 1;
        if (r == 0 && one.callers[1].count(caller))
          both += 1;
      }
  const auto fewer = std::min(pairs[0], pairs[1]);
  return fewer > 0 ? both / fewer : 1;
}

bool is_called(const ClassFacts& facts, std::size_t r) {
  return facts.totals[r][visits_at] > 0;
}

std::array<double, 2> measure_subsumption(const std::vector<ClassFacts>& facts) {
  std::array<double, 2> functions{};
  double both = 0;
  for (const auto& one : facts) {
    for (std::size_t r = 0; r < 2; ++r)
      functions[r] += is_called(one, r);
    both += is_called(one, 0) && is_called(one, 1);
  }
  const auto find_share = [&](double all) { return all > 0 ? both / all : 1; };
  return {find_share(functions[0]), find_share(functions[1])};
}

// One function says little: all programs call "main".
std::optional<std::size_t> find_less_detailed(const CommonCalls& calls,
                                              const std::vector<ClassFacts>& facts) {
  const auto& shares = calls.functions_in_other;
  const std::size_t r = shares[1] >= shares[0] ? 1 : 0;
  const auto functions = std::count_if(facts.begin(), facts.end(),
                                       [&](const ClassFacts& one) { return is_called(one, r); });
  return functions > 1 && shares[r] >= least_subsumption ? std::optional(r) : std::nullopt;
}

double measure_alike(double a, double b) {
  return std::max(a, b) > 0 ? std::min(a, b) / std::max(a, b) : 1;
}

// The longest common part of two names, as a share of the longer one.
double measure_alike(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::size_t longest = 0;
  for (const char c : a) {
    std::size_t before = 0;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const auto old = row[k];
      row[k] = c == b[k - 1] ? before + 1 : 0;
      longest = std::max(longest, row[k]);
      before = old;
    }
  }
  return a.empty() || b.empty()
             ? 0
             : static_cast<double>(longest) / static_cast<double>(std::max(a.size(), b.size()));
}

// Finds functions that have another name in the second run.
class RenameFinder {
 public:
  RenameFinder(const std::vector<const ComparedRun*>& runs, CommonCalls& calls)
      : calls_(calls), processes_{count_all(*runs[0]), count_all(*runs[1])} {}

  // Whether any was found, and united.
  bool find() {
    facts_ = sum_classes(calls_);
    std::vector<ClassIndex> only_a, only_b;
    for (ClassIndex c = 0; c < facts_.size(); ++c) {
      const bool a = facts_[c].totals[0][visits_at] > 0, b = facts_[c].totals[1][visits_at] > 0;
      if (a && !b)
        only_a.push_back(c);
      if (b && !a)
        only_b.push_back(c);
    }
    if (only_a.empty() || only_b.empty() || only_a.size() > most || only_b.size() > most)
      return false;

    siblings_.assign(facts_.size(), 0);
    for (auto c : only_a)
      siblings_[c] = count_siblings(c, only_a, 0);
    for (auto c : only_b)
      siblings_[c] = count_siblings(c, only_b, 1);
    std::vector<std::vector<double>> values(only_a.size(), std::vector<double>(only_b.size()));
    for (std::size_t i = 0; i < only_a.size(); ++i)
      for (std::size_t k = 0; k < only_b.size(); ++k)
        values[i][k] = measure(only_a[i], only_b[k]);
    const auto found = assign(values);
    bool any = false;
    for (std::size_t i = 0; i < only_a.size(); ++i)
      if (found[i]) {
        const auto b = only_b[*found[i]];
        calls_.renamed.push_back({calls_.names.classes[only_a[i]].names[0],
                                  calls_.names.classes[b].names[1], only_a[i]});
        calls_.names.unite(only_a[i], b);
        any = true;
      }
    return any;
  }

 private:
  static constexpr std::size_t most = 500;

  double measure(ClassIndex x, ClassIndex y) const {
    const auto& class_x = calls_.names.classes[x];
    const auto& class_y = calls_.names.classes[y];
    // Names of MPI mean what they say.
    if (is_waiting_function(class_x) != is_waiting_function(class_y) || is_mpi_time(class_x.time) ||
        is_mpi_time(class_y.time))
      return 0;
    const auto& a = facts_[x];
    const auto& b = facts_[y];
    const bool has_caller = std::any_of(a.callers[0].begin(), a.callers[0].end(), [&](auto caller) {
      return b.callers[1].count(caller) > 0;
    });
    const auto& name_a = calls_.names.classes[x].names[0];
    const auto& name_b = calls_.names.classes[y].names[1];
    const auto names = measure_alike(to_lower(name_a), to_lower(name_b));
    if (!has_caller)
      return 0;
    const auto callees = measure_alike_sets(a.callees[0], b.callees[1]);
    if (callees < 0.5)
      return 0;
    const auto visits = measure_alike(a.totals[0][visits_at] / processes_[0],
                                      b.totals[1][visits_at] / processes_[1]);
    const auto times =
        measure_alike(a.totals[0][time_at] / processes_[0], b.totals[1][time_at] / processes_[1]);
    const auto score = 0.35 * visits + 0.25 * callees + 0.2 * times + 0.2 * names;
    // One that is split into two, or two into one, is not renamed.
    return score >= 0.6 && (siblings_[x] == siblings_[y] || times > 0.95) ? score : 0;
  }

  // Those among them with a caller in common.
  std::size_t count_siblings(ClassIndex of, const std::vector<ClassIndex>& among,
                             std::size_t r) const {
    const auto& callers = facts_[of].callers[r];
    return static_cast<std::size_t>(std::count_if(among.begin(), among.end(), [&](ClassIndex c) {
      return std::any_of(callers.begin(), callers.end(),
                         [&](auto caller) { return facts_[c].callers[r].count(caller) > 0; });
    }));
  }

  // Functions that only one run calls may be the same, and do not count.
  double measure_alike_sets(const std::set<ClassIndex>& a, const std::set<ClassIndex>& b) const {
    double both = 0, any = 0;
    const auto is_in = [&](ClassIndex c, std::size_t r) {
      return facts_[c].totals[r][visits_at] > 0;
    };
    for (auto c : a)
      if (is_in(c, 1)) {
        any += 1;
        both += b.count(c) ? 1 : 0;
      }
    for (auto c : b)
      if (is_in(c, 0) && !a.count(c))
        any += 1;
    return any > 0 ? both / any : 1;
  }

  CommonCalls& calls_;
  std::array<double, 2> processes_;
  std::vector<ClassFacts> facts_;
  std::vector<std::size_t> siblings_;  // by function that one run alone calls
};

// Finds calls that one of two runs has inlined, and gives them to their callers.
class InliningFinder {
 public:
  InliningFinder(const std::vector<const ComparedRun*>& runs, CommonCalls& calls,
                 TreeBuilder& builder)
      : runs_(runs),
        calls_(calls),
        builder_(builder),
        processes_{count_all(*runs[0]), count_all(*runs[1])} {}

  bool find() {
    facts_ = sum_classes(calls_);
    children_.assign(calls_.nodes.size(), {});
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
      const auto caller = calls_.nodes[n].caller;
      if (caller != no_node)
        children_[caller].push_back(n);
      for (std::size_t r = 0; r < 2; ++r)
        all_time_[r] += calls_.totals[r][n][time_at] / processes_[r];
    }

    std::vector<bool> is_absorbed(calls_.nodes.size());
    bool any = false;
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
      for (std::size_t r = 0; r < 2; ++r)
        if (has(n, r) && has(n, 1 - r))
          any |= look_below(n, r, is_absorbed);
    if (!any)
      return false;

    for (std::size_t r = 0; r < 2; ++r)
      for (std::size_t p = 0; p < calls_.node_of[r].size(); ++p) {
        const auto node = calls_.node_of[r][p];
        if (node != no_node && is_absorbed[node])
          builder_.absorb(r, static_cast<PathIndex>(p));
      }
    return true;
  }

 private:
  struct Gathered {
    double time = 0;                   // of the calls that are gone, per process
    std::vector<std::size_t> gone;     // their nodes
    std::vector<std::size_t> callees;  // what they call that is not gone
  };

  bool has(std::size_t node, std::size_t r) const { return calls_.totals[r][node][visits_at] > 0; }
  bool is_known(ClassIndex of, std::size_t r) const { return facts_[of].totals[r][visits_at] > 0; }
  double time(std::size_t node, std::size_t r) const {
    return calls_.totals[r][node][time_at] / processes_[r];
  }

  void gather(std::size_t node, std::size_t r, Gathered& out) const {
    out.time += time(node, r);
    out.gone.push_back(node);
    for (auto child : children_[node]) {
      if (!has(child, r))
        continue;
      const auto of = calls_.nodes[child].of;
      if (is_known(of, 1 - r) || is_waiting_function(calls_.names.classes[of]))
        out.callees.push_back(child);
      else
        gather(child, r, out);
    }
  }

  // Calls of a function that run r alone makes there, if these were inlined in the other run.
  bool look_below(std::size_t caller, std::size_t r, std::vector<bool>& is_absorbed) {
    const auto o = 1 - r;
    std::set<ClassIndex> there;
    for (auto child : children_[caller])
      if (has(child, o))
        there.insert(calls_.nodes[child].of);

    std::vector<Gathered> leaves, found;
    for (auto child : children_[caller]) {
      const auto of = calls_.nodes[child].of;
      if (!has(child, r) || has(child, o) || is_waiting_function(calls_.names.classes[of]))
        continue;
      Gathered one;
      gather(child, r, one);
      double seen = 0, all = 0;
      for (auto callee : one.callees) {
        const auto visits = calls_.totals[r][callee][visits_at];
        all += visits;
        if (there.count(calls_.nodes[callee].of))
          seen += visits;
      }
      if (one.callees.empty())
        leaves.push_back(std::move(one));
      else if (seen >= 0.8 * all)
        found.push_back(std::move(one));
    }

    // Where it does not do the work, the function is a new one between both.
    const auto all_time = std::max(all_time_[0], all_time_[1]);
    std::erase_if(found, [&](const Gathered& one) {
      return one.time >= 0.001 * all_time && time(caller, o) - time(caller, r) < 0.5 * one.time;
    });
    double gone = 0;
    for (const auto& leaf : leaves)
      gone += leaf.time;
    double taken = time(caller, o) - time(caller, r);
    for (const auto& one : found)
      taken -= one.time;
    if (gone >= 0.001 * all_time && taken >= 0.5 * gone && taken <= 4 * gone)
      std::move(leaves.begin(), leaves.end(), std::back_inserter(found));

    for (const auto& one : found) {
      for (auto node : one.gone)
        is_absorbed[node] = true;
      report(one, caller, r);
    }
    return !found.empty();
  }

  void report(const Gathered& one, std::size_t caller, std::size_t r) {
    const auto& function = calls_.name_class(calls_.nodes[one.gone.front()].of);
    const auto& by = calls_.name_class(calls_.nodes[caller].of);
    for (auto& known : calls_.inlined)
      if (known.function == function && known.caller == by) {
        known.time += one.time;
        return;
      }
    calls_.inlined.push_back({function, by, r == 0, one.time});
  }

  const std::vector<const ComparedRun*>& runs_;
  CommonCalls& calls_;
  TreeBuilder& builder_;
  std::array<double, 2> processes_;
  std::array<double, 2> all_time_{};
  std::vector<ClassFacts> facts_;
  std::vector<std::vector<std::size_t>> children_;
};

RunFunctions list_functions(const ComparedRun& run) {
  RunFunctions out{&run.plan.functions, std::vector<bool>(run.plan.functions.size())};
  for (const auto& path : run.calls.paths)
    out.is_called[path.function] = true;
  return out;
}

}  // namespace

std::string CommonCalls::name_path(std::size_t node) const {
  std::vector<std::size_t> way;
  for (; node != no_node; node = nodes[node].caller)
    way.push_back(node);
  std::string out;
  for (auto at = way.rbegin(); at != way.rend(); ++at)
    out += (out.empty() ? "" : " > ") + name_class(nodes[*at].of);
  return out;
}

const std::string& CommonCalls::name_class(ClassIndex of) const {
  const auto& names_of = names.classes[of].names;
  const auto found =
      std::find_if(names_of.begin(), names_of.end(), [](auto& name) { return !name.empty(); });
  return found == names_of.end() ? names_of.front() : *found;
}

CommonCalls join_calls(const std::vector<const ComparedRun*>& runs) {
  CommonCalls calls;
  std::vector<RunFunctions> functions;
  for (const auto* run : runs)
    functions.push_back(list_functions(*run));
  calls.names = match_functions(functions);

  TreeBuilder builder(runs, calls);
  builder.build();
  if (runs.size() != 2)
    return calls;

  const auto facts = sum_classes(calls);
  calls.common_share = find_common_share(facts);
  calls.functions_in_other = measure_subsumption(facts);
  if (calls.common_share < least_common_share) {
    calls.less_detailed = find_less_detailed(calls, facts);
    if (!calls.less_detailed)
      return calls;
    for (std::size_t r = 0; r < 2; ++r)
      for (PathIndex path = 0; path < runs[r]->calls.paths.size(); ++path) {
        const auto of = calls.names.class_of[r][runs[r]->calls.paths[path].function];
        if (of != no_class && !is_called(facts[of], 1 - r))
          builder.absorb(r, path);
      }
    builder.build();
    return calls;
  }

  constexpr int most_rounds = 8;
  for (int round = 0; round < most_rounds; ++round) {
    const bool renames = RenameFinder(runs, calls).find();
    if (renames)
      builder.build();
    const bool inlines = !renames && InliningFinder(runs, calls, builder).find();
    if (inlines)
      builder.build();
    if (!renames && !inlines)
      break;
  }

  return calls;
}

AmountTable collect_amounts(const ComparedRun& run, const std::vector<std::size_t>& key_of,
                            std::size_t keys, const std::vector<bool>& is_inlined) {
  AmountTable out(keys);
  visit_rows(run, key_of, [&](std::size_t process, PathIndex path, const Amounts& amounts) {
    auto& list = out[key_of[path]];
    if (list.empty() || list.back().process != process)
      list.push_back({process, {}});
    for (std::size_t m = 0; m < measures; ++m)
      if (m != visits_at || is_inlined.empty() || !is_inlined[path])
        list.back().amounts[m] += amounts[m];
  });
  return out;
}

std::vector<std::size_t> list_path_classes(const CommonCalls& calls, std::size_t run) {
  std::vector<std::size_t> out;
  for (auto node : calls.node_of[run])
    out.push_back(node == no_node ? no_node : std::size_t{calls.nodes[node].of});
  return out;
}

bool is_waiting_function(const FunctionClass& function) {
  const auto metric = function.time;
  if (waits_for_accelerator(function.first))
    return true;
  return metric != Metric::execution_time && metric != Metric::other_file_time &&
         metric != Metric::mpi_individual_file_time && metric != Metric::mpi_collective_file_time;
}

}  // namespace tracefold
