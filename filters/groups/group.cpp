#include "filters/groups/group.hpp"

#include "base/error.hpp"
#include "base/sort_and_unite.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/keep_largest.hpp"
#include "filters/messages/signature_clusters.hpp"
#include "lattice/similarity.hpp"
#include "model/iterations/collapsed_name.hpp"
#include "model/plan.hpp"
#include "model/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// Iterations that an earlier reduction has folded are no calls of the program: what stands for them
// is in no intent. Its time is returned, by process. Where there are any, all functions have to be
// kept.
std::vector<std::uint64_t> leave_out_collapsed(Profiles& profiles,
                                               const std::vector<Function>& functions) {
  std::vector<std::uint64_t> times(profiles.processes.size());
  if (std::none_of(functions.begin(), functions.end(),
                   [](const Function& function) { return is_collapsed_iteration(function); }))
    return times;

  const auto stands_in = [&](FunctionIndex function) {
    return is_collapsed_iteration(functions[function]);
  };
  std::vector<Intent> intents;
  std::map<Intent, std::uint32_t> known;
  std::vector<std::uint32_t> number;               // by old intent
  std::vector<std::vector<FunctionIndex>> called;  // by old intent
  for (auto& intent : profiles.intents) {
    called.push_back(find_called_functions(intent));
    std::erase_if(intent.pairs, [&](const CallPair& pair) { return stands_in(pair.callee); });
    const auto [at, is_new] = known.try_emplace(intent, static_cast<std::uint32_t>(intents.size()));
    if (is_new)
      intents.push_back(std::move(intent));
    number.push_back(at->second);
  }

  for (std::size_t p = 0; p < times.size(); ++p) {
    auto& profile = profiles.processes[p];
    std::vector<std::uint64_t> exclusive;
    for (std::size_t f = 0; f < profile.exclusive.size(); ++f)
      if (stands_in(called[profile.intent][f]))
        times[p] += profile.exclusive[f];
      else
        exclusive.push_back(profile.exclusive[f]);
    profile.exclusive = std::move(exclusive);
    profile.intent = number[profile.intent];
  }
  profiles.intents = std::move(intents);

  return times;
}

Group make_group(const Plan& plan, const std::vector<ComparedSet>& sets,
                 const std::vector<std::size_t>& merged) {
  Group made;
  for (auto set : merged) {
    made.members.insert(made.members.end(), sets[set].members.begin(), sets[set].members.end());
    if (merged.size() > 1)
      made.merged.push_back(sets[set].members);
  }

  std::sort(made.members.begin(), made.members.end());

  for (auto member : made.members)
    made.intents.push_back(plan.processes[member].intent);

  sort_and_unite(made.intents);

  return made;
}

// One group for each set, since no two of the sets are equal.
lattice::Merged keep_apart(const std::vector<lattice::Set>& sets) {
  lattice::Merged merged;
  for (std::size_t i = 0; i < sets.size(); ++i)
    merged.groups.push_back({i});
  if (sets.size() <= most_groups_with_similarity)
    merged.similarity = lattice::compute_similarity_matrix(sets);

  return merged;
}

lattice::Merged merge(double threshold, const std::vector<lattice::Set>& sets,
                      const std::vector<std::uint64_t>& weights,
                      const std::vector<std::size_t>& kinds) {
  if (sets.size() > most_compared_sets)
    throw Error(
        ErrorKind::input,
        fmt::format("{} processes that differ are too many to merge by similarity (at most {})",
                    sets.size(), most_compared_sets))
        .hint("use `exact`, or compare less of them: `by` functions, `ignore` GLOB");

  return lattice::merge_similar(lattice::compute_similarity_matrix(sets), weights, kinds,
                                threshold);
}

void forget_later_stages(Plan& plan) {
  plan.selection.reset();
  plan.representatives.reset();
  plan.like.reset();
  plan.iterations.reset();
  plan.errors.reset();
}

void set_groups(Plan& plan, const std::vector<ComparedSet>& sets, const lattice::Merged& merged) {
  auto& groups = plan.groups.emplace();

  for (std::size_t g = 0; g < merged.groups.size(); ++g) {
    groups.push_back(make_group(plan, sets, merged.groups[g]));
    if (merged.groups.size() > most_groups_with_similarity)
      continue;

    for (std::size_t other = 0; other < merged.groups.size(); ++other)
      groups.back().similarity.push_back(merged.similarity.at(g, other));
  }

  forget_later_stages(plan);
}

std::vector<lattice::Set> list_attributes(const std::vector<ComparedSet>& sets) {
  std::vector<lattice::Set> attributes;
  for (const auto& set : sets)
    attributes.push_back(set.attributes);

  return attributes;
}

// A set, and the clusters of ranks that it stands for, if any.
struct ClusterSet {
  ComparedSet set;
  std::optional<SignatureClusters> clusters;
};

void add_attributes(lattice::Set& set, const lattice::Set& attributes) {
  if (std::includes(set.begin(), set.end(), attributes.begin(), attributes.end()))
    return;

  lattice::Set both;
  std::set_union(set.begin(), set.end(), attributes.begin(), attributes.end(),
                 std::back_inserter(both));
  set = std::move(both);
}

// One set for each cluster, type of process and place among its rank's processes with operations.
// Its attributes are what any of its members calls.
std::vector<ClusterSet> make_cluster_sets(const Communication& communication,
                                          const RankClusters& clusters,
                                          const ComparedProcesses& compared) {
  std::vector<ClusterSet> sets;
  std::map<std::tuple<std::uint32_t, std::size_t, std::size_t>, std::size_t> known;

  for (std::size_t r = 0; r < communication.ranks.size(); ++r) {
    const auto& rank = communication.ranks[r];
    for (std::size_t place = 0; place < rank.locations.size() - rank.only_accompanying; ++place) {
      const auto process = rank.locations[place];
      const auto& own = compared.sets[compared.set_of[process]];
      const auto [at, is_new] = known.try_emplace({clusters.sub[r], place, own.kind}, sets.size());
      if (is_new)
        sets.push_back(
            {{{}, own.kind, {}}, SignatureClusters{clusters.main[r], clusters.sub[r], {}}});

      auto& set = sets[at->second].set;
      set.members.push_back(process);
      add_attributes(set.attributes, own.attributes);
    }
  }

  for (auto& [set, numbers] : sets)
    std::sort(set.members.begin(), set.members.end());

  return sets;
}

// What is left of the other sets without the members of these.
void add_sets_without_clusters(const ComparedProcesses& compared, std::vector<ClusterSet>& sets) {
  std::vector<bool> is_taken(compared.set_of.size());
  for (const auto& [set, clusters] : sets)
    for (auto member : set.members)
      is_taken[member] = true;

  for (const auto& set : compared.sets) {
    ComparedSet left{set.attributes, set.kind, {}};
    std::copy_if(set.members.begin(), set.members.end(), std::back_inserter(left.members),
                 [&](auto member) { return !is_taken[member]; });
    if (!left.members.empty())
      sets.push_back({std::move(left), std::nullopt});
  }
}

// Of the processes of some groups to those of some others.
double average_similarity(const Plan& plan, const std::vector<std::size_t>& some,
                          const std::vector<std::size_t>& others) {
  double sum = 0, weights = 0;
  for (auto a : some)
    for (auto b : others) {
      const auto count = [&](std::size_t g) {
        return static_cast<double>(count_processes(plan, (*plan.groups)[g].members));
      };
      const auto weight = count(a) * count(b);
      sum += weight * (*plan.groups)[a].similarity[b];
      weights += weight;
    }
  return sum / weights;
}

}  // namespace

void merge_groups(Plan& plan, const std::vector<std::vector<std::size_t>>& merged) {
  const auto& old = *plan.groups;
  const bool has_similarity =
      std::none_of(old.begin(), old.end(), [](const Group& g) { return g.similarity.empty(); });
  std::vector<Group> groups;
  for (std::size_t m = 0; m < merged.size(); ++m) {
    if (merged[m].size() == 1) {
      groups.push_back(old[merged[m].front()]);
    } else {
      auto& made = groups.emplace_back();
      for (auto g : merged[m]) {
        const auto& group = old[g];
        made.members.insert(made.members.end(), group.members.begin(), group.members.end());
        made.intents.insert(made.intents.end(), group.intents.begin(), group.intents.end());
        if (group.merged.empty())
          made.merged.push_back(group.members);
        made.merged.insert(made.merged.end(), group.merged.begin(), group.merged.end());
      }
      std::sort(made.members.begin(), made.members.end());
      sort_and_unite(made.intents);
      std::sort(made.merged.begin(), made.merged.end());
    }
    auto& similarity = groups.back().similarity;
    similarity.clear();
    for (std::size_t other = 0; has_similarity && other < merged.size(); ++other)
      similarity.push_back(other == m ? 1 : average_similarity(plan, merged[m], merged[other]));
  }
  plan.groups = std::move(groups);
  forget_later_stages(plan);
}

void check_grouping(const GroupOptions& options) {
  const auto& comparison = options.comparison;
  if (comparison.by != CompareBy::signature) {
    if (comparison.change_signatures())
      throw Error(ErrorKind::usage, "`level`, `peers`, `bytes` and `order` are of signatures")
          .hint("add `by` signature");
    return;
  }

  if (options.threshold)
    throw Error(ErrorKind::usage, "`threshold` merges by call pairs or functions, not by signature")
        .hint("use `level` main, `peers` ignore or `bytes` ignore for fewer groups");
  if (comparison.peers == ComparePeers::pattern && !comparison.keep_order.value_or(true))
    throw Error(ErrorKind::usage, "`peers` pattern needs the order of operations")
        .hint("use `order` keep, or `peers` relative or ignore");
}

void record_profiles(Plan& plan, std::vector<Function> functions, std::vector<Process> processes,
                     Profiles profiles) {
  const auto folded = leave_out_collapsed(profiles, functions);
  if (profiles.kept.empty())
    keep_largest(profiles);
  plan.intents.clear();

  for (std::size_t k = 0; k < profiles.intents.size(); ++k) {
    const auto called = find_called_functions(profiles.intents[k]);
    PlanIntent intent{std::move(profiles.intents[k]), {}};
    for (auto place : profiles.kept[k])
      intent.functions.push_back(called[place]);
    plan.intents.push_back(std::move(intent));
  }

  for (std::size_t i = 0; i < processes.size(); ++i) {
    auto& p = processes[i];
    auto& profile = profiles.processes[i];
    p.intent = profile.intent;
    p.exclusive = std::move(profile.exclusive);
    p.rest = profile.rest + folded[i];
  }

  plan.functions = std::move(functions);
  plan.processes = std::move(processes);
}

void group(Plan& plan, double threshold, const Comparison& comparison) {
  const auto compared = compare_processes(plan, comparison);
  std::vector<std::uint64_t> weights;
  std::vector<std::size_t> kinds;
  for (const auto& set : compared.sets) {
    weights.push_back(count_processes(plan, set.members));
    kinds.push_back(set.kind);
  }

  const auto sets = list_attributes(compared.sets);
  const auto merged = threshold < 1 ? merge(threshold, sets, weights, kinds) : keep_apart(sets);
  plan.comparison = comparison;
  plan.ignored = compared.measure.ignored();
  plan.threshold = std::min(threshold, 1.0);
  set_groups(plan, compared.sets, merged);
}

void group(Plan& plan, const GroupOptions& options) {
  group(plan, options.threshold.value_or(1), change_comparison({}, options.comparison));
}

void group_by_signature(Plan& plan, const Communication& communication,
                        const Comparison& comparison) {
  const auto compared = compare_processes(plan, comparison);
  std::set<std::string> ignored;
  for (auto function : compared.measure.ignored())
    ignored.insert(plan.functions[function].name);

  const auto clusters = find_clusters(communication, comparison.signature, ignored);
  auto found = make_cluster_sets(communication, clusters, compared);
  add_sets_without_clusters(compared, found);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.set.members.front() < b.set.members.front();
  });

  std::vector<ComparedSet> sets;
  for (auto& one : found)
    sets.push_back(std::move(one.set));

  plan.comparison = comparison;
  plan.ignored = compared.measure.ignored();
  plan.threshold = 1;
  set_groups(plan, sets, keep_apart(list_attributes(sets)));
  for (std::size_t g = 0; g < found.size(); ++g) {
    auto& group = (*plan.groups)[g];
    group.clusters = found[g].clusters;
    if (group.clusters)
      group.clusters->ranks = write_rank_list(plan, group.members);
  }
}

}  // namespace tracefold
