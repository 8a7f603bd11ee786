#include "filters/comparison/pair_groups.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/comparison/assign.hpp"
#include "model/describe_group.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

std::vector<GroupFacts> describe_groups(const ComparedRun& run, const CommonCalls& calls,
                                        std::size_t r) {
  std::vector<GroupFacts> out;
  double all = 0;
  const auto& groups = *run.plan.groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto& facts = out.emplace_back();
    std::set<std::uint32_t> shapes;
    for (auto m : groups[g].members) {
      const auto& process = run.plan.processes[m];
      shapes.insert(run.calls.processes[m].shape);
      facts.share += static_cast<double>(process.weight);
      facts.kind = std::to_string(run.plan.intents[process.intent].set.type);
      if (process.rank)
        facts.ranks.push_back(*process.rank);
    }
    all += facts.share;
    for (auto shape : shapes)
      if (shape < run.calls.shapes.size())
        for (auto path : run.calls.shapes[shape].paths)
          if (const auto node = calls.node_of[r][path]; node != no_node) {
            const auto caller = calls.nodes[node].caller;
            facts.pairs.emplace_back(caller == no_node ? no_class : calls.nodes[caller].of,
                                     calls.nodes[node].of);
          }
    sort_and_unite(facts.pairs);
    facts.name = describe_group(run.plan, g);
  }
  for (auto& facts : out)
    facts.share /= std::max(all, 1.0);
  return out;
}

double count_common(const ClassPairs& a, const ClassPairs& b) {
  ClassPairs both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return static_cast<double>(both.size());
}

}  // namespace

PairedGroups measure_similarity(const GroupFacts& a, const GroupFacts& b) {
  PairedGroups out;
  if (a.kind != b.kind)
    return out;
  const auto both = count_common(a.pairs, b.pairs);
  const auto any = static_cast<double>(a.pairs.size() + b.pairs.size()) - both;
  out.similarity = any > 0 ? both / any : 1;
  out.subsumption = a.pairs.empty() ? 1 : both / static_cast<double>(a.pairs.size());
  return out;
}

double measure_place(const GroupFacts& a, const GroupFacts& b) {
  std::vector<std::uint64_t> both;
  std::set_intersection(a.ranks.begin(), a.ranks.end(), b.ranks.begin(), b.ranks.end(),
                        std::back_inserter(both));
  const auto any = static_cast<double>(a.ranks.size() + b.ranks.size() - both.size());
  const auto ranks = any > 0 ? static_cast<double>(both.size()) / any : 0;
  return (a.name == b.name ? 1 : 0) + 0.5 * ranks;
}

namespace {

// Pairs groups of both runs, some of them after the others.
class GroupPairing {
 public:
  GroupPairing(std::vector<GroupFacts> a, std::vector<GroupFacts> b)
      : a_(std::move(a)), b_(std::move(b)), found_(a_.size()), is_taken_(b_.size()) {}

  void pair_equal() {
    std::map<std::pair<std::string, ClassPairs>, std::array<std::vector<std::size_t>, 2>> sets;
    for (std::size_t i = 0; i < a_.size(); ++i)
      sets[{a_[i].kind, a_[i].pairs}][0].push_back(i);
    for (std::size_t k = 0; k < b_.size(); ++k)
      sets[{b_[k].kind, b_[k].pairs}][1].push_back(k);
    for (const auto& [set, lists] : sets)
      pair(lists[0], lists[1], [](const GroupFacts& x, const GroupFacts& y, double) {
        return 1 + measure_place(x, y);
      });
  }

  // Groups of the same name, as by their place in the grid of ranks, where others are hardly more
  // alike: with more ranks the shares of processes change.
  void pair_named() {
    for (std::size_t i = 0; i < a_.size(); ++i)
      for (std::size_t k = 0; k < b_.size() && !found_[i]; ++k) {
        if (is_taken_[k] || a_[i].name != b_[k].name || a_[i].kind != b_[k].kind)
          continue;
        auto pair = measure_similarity(a_[i], b_[k]);
        if (pair.similarity < least_of_same_name)
          continue;
        pair.a = i;
        pair.b = k;
        found_[i] = pair;
        is_taken_[k] = true;
      }
  }

  void pair_similar() {
    std::vector<std::size_t> rows, columns;
    for (std::size_t i = 0; i < a_.size(); ++i)
      if (!found_[i])
        rows.push_back(i);
    for (std::size_t k = 0; k < b_.size(); ++k)
      if (!is_taken_[k])
        columns.push_back(k);
    pair(rows, columns, [](const GroupFacts& x, const GroupFacts& y, double similarity) {
      return similarity * (std::min(x.share, y.share) + 1e-3) * (1 + 1e-3 * measure_place(x, y));
    });
  }

  std::vector<PairedGroups> list() const {
    std::vector<PairedGroups> out;
    for (std::size_t i = 0; i < a_.size(); ++i)
      out.push_back(found_[i].value_or(PairedGroups{i, std::nullopt, 0, 0}));
    for (std::size_t k = 0; k < b_.size(); ++k)
      if (!is_taken_[k])
        out.push_back({std::nullopt, k, 0, 0});
    return out;
  }

 private:
  static constexpr double least_of_same_name = 0.7;
  // More would take minutes, and are paired in their order.
  static constexpr std::size_t most_at_once = 1000;

  template <class Measure>
  void pair(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns,
            Measure&& measure) {
    for (std::size_t first = 0; first < rows.size() && first < columns.size();
         first += most_at_once) {
      const auto cut = [&](const std::vector<std::size_t>& all) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        return rows.size() <= most_at_once || columns.size() <= most_at_once
                   ? std::vector<std::size_t>(all)
                   : std::vector<std::size_t>(
                         begin, begin + static_cast<std::ptrdiff_t>(
                                            std::min(most_at_once, all.size() - first)));
      };
      pair_at_once(cut(rows), cut(columns), measure);
      if (rows.size() <= most_at_once || columns.size() <= most_at_once)
        return;
    }
  }

  template <class Measure>
  void pair_at_once(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns,
                    Measure&& measure) {
    std::vector<std::vector<double>> values(rows.size(), std::vector<double>(columns.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto& x = a_[rows[i]];
        const auto& y = b_[columns[k]];
        const auto similarity = measure_similarity(x, y).similarity;
        if (x.kind == y.kind && similarity >= least_similarity)
          values[i][k] = measure(x, y, similarity);
      }
    const auto chosen = assign(values);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (chosen[i]) {
        const auto column = columns[*chosen[i]];
        auto& pair = found_[rows[i]].emplace(measure_similarity(a_[rows[i]], b_[column]));
        pair.a = rows[i];
        pair.b = column;
        is_taken_[column] = true;
      }
  }

  std::vector<GroupFacts> a_, b_;
  std::vector<std::optional<PairedGroups>> found_;  // by group of the first run
  std::vector<bool> is_taken_;                      // by group of the second run
};

}  // namespace

void group_by_nodes(ComparedRun& run, const CommonCalls& calls, std::size_t r) {
  std::map<std::pair<std::uint64_t, std::set<std::size_t>>, std::size_t> known;
  std::vector<Group> groups;
  for (std::size_t m = 0; m < run.plan.processes.size(); ++m) {
    const auto intent = run.plan.processes[m].intent;
    std::set<std::size_t> nodes;
    if (const auto shape = run.calls.processes[m].shape; shape < run.calls.shapes.size())
      for (auto path : run.calls.shapes[shape].paths)
        nodes.insert(calls.node_of[r][path]);
    nodes.erase(no_node);
    const auto [at, is_new] =
        known.try_emplace({run.plan.intents[intent].set.type, std::move(nodes)}, groups.size());
    if (is_new)
      groups.emplace_back();
    groups[at->second].members.push_back(m);
    groups[at->second].intents.push_back(intent);
  }
  for (auto& group : groups)
    sort_and_unite(group.intents);
  run.plan.groups = std::move(groups);
}

std::vector<PairedGroups> pair_groups(const ComparedRun& a, const ComparedRun& b,
                                      const CommonCalls& calls) {
  return pair_groups(describe_groups(a, calls, 0), describe_groups(b, calls, 1));
}

std::vector<PairedGroups> pair_groups(std::vector<GroupFacts> a, std::vector<GroupFacts> b) {
  GroupPairing pairing(std::move(a), std::move(b));
  pairing.pair_equal();
  pairing.pair_named();
  pairing.pair_similar();
  return pairing.list();
}

ProcessPlace find_process_place(const Process& process) {
  const auto [has_rank, owner] = process.owner();
  return {has_rank, owner, process.thread};
}

PairedProcesses pair_processes(const Plan& a, std::vector<std::size_t> of_a, const Plan& b,
                               std::vector<std::size_t> of_b) {
  const auto list_keys = [](const Plan& plan, const std::vector<std::size_t>& members) {
    std::map<ProcessPlace, std::size_t> keys;
    for (auto m : members)
      keys.emplace(find_process_place(plan.processes[m]), m);
    return keys;
  };

  PairedProcesses out{std::move(of_a), std::move(of_b), false};
  const auto keys_a = list_keys(a, out.a), keys_b = list_keys(b, out.b);
  const bool have_keys = keys_a.size() == out.a.size() && keys_b.size() == out.b.size();
  const bool are_same = have_keys && keys_a.size() == keys_b.size() &&
                        std::equal(keys_a.begin(), keys_a.end(), keys_b.begin(),
                                   [](auto& x, auto& y) { return x.first == y.first; });
  if (are_same) {
    out.a.clear();
    out.b.clear();
    for (const auto& [key, m] : keys_a) {
      out.a.push_back(m);
      out.b.push_back(keys_b.at(key));
    }
  }
  out.are_partners = are_same || out.a.size() == out.b.size();
  return out;
}

}  // namespace tracefold
