#include "filters/iterations/cluster_iterations.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

namespace tracefold {

namespace {

using Members = std::vector<std::uint32_t>;  // iterations of one cluster, ascending

// The condensed vector of one process's iteration.
void condensed(const IterationSeries& series, const CondensedForm& form, std::size_t iteration,
               std::span<double> entries) {
  const auto sums = std::span(series.sums).subspan(iteration * form.columns(), form.columns());
  const std::vector<double> wide(sums.begin(), sums.end());
  form.condense<double>(wide, entries);
}

// Numbers joint call trees by first use.
class JointTrees {
 public:
  explicit JointTrees(std::span<const IterationSeries> processes) : processes_(processes) {}

  CallTreeClasses::Indexes at(std::size_t iteration, CallTreeEquivalence equivalence) {
    const auto weak = number(weak_, key(iteration, &TreeHash::weak));
    return {equivalence == CallTreeEquivalence::strong
                ? number(strong_, key(iteration, &TreeHash::strong))
                : 0,
            weak};
  }

 private:
  using Key = std::vector<std::uint64_t>;

  Key key(std::size_t iteration, std::uint64_t TreeHash::*hash) const {
    Key key;
    for (const auto& series : processes_)
      key.push_back(series.trees[iteration].*hash);
    return key;
  }
  static std::uint32_t number(std::map<Key, std::uint32_t>& map, Key key) {
    return map.try_emplace(std::move(key), static_cast<std::uint32_t>(map.size())).first->second;
  }

  std::span<const IterationSeries> processes_;
  std::map<Key, std::uint32_t> weak_, strong_;
};

// Adds to each member's cost the sum of its distances to all others in one element.
// Equal values add equal costs, so that ties stay ties.
void add_costs(const std::vector<double>& values, double weight, std::vector<double>& costs) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  const double total = std::accumulate(values.begin(), values.end(), 0.0),
               count = static_cast<double>(values.size());
  double below = 0;

  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const double value = values[order[begin]];
    while (end < order.size() && values[order[end]] == value)
      ++end;

    const double run = static_cast<double>(end - begin), before = static_cast<double>(begin);
    const double above = total - below - run * value;
    const double cost = (value * before - below) + (above - value * (count - before - run));
    for (auto k = begin; k < end; ++k)
      costs[order[k]] += weight * cost;

    below += run * value;
  }
}

std::uint32_t find_medoid(const Members& members, std::span<const IterationSeries> processes,
                          const CondensedForm& form, const OnlineClusters& clusters) {
  if (members.size() < 3)
    return members.front();

  std::vector<double> costs(members.size()), entries(members.size() * form.size()),
      values(members.size());

  for (std::size_t p = 0; p < processes.size(); ++p) {
    for (std::size_t k = 0; k < members.size(); ++k)
      condensed(processes[p], form, members[k],
                std::span(entries).subspan(k * form.size(), form.size()));

    for (std::size_t e = 0; e < form.size(); ++e) {
      const double mean = clusters.mean(p * form.size() + e);
      if (mean == 0)
        continue;
      for (std::size_t k = 0; k < members.size(); ++k)
        values[k] = entries[k * form.size() + e];
      add_costs(values, 1 / mean, costs);
    }
  }

  return members[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) -
                                          costs.begin())];
}

// Keeps the medoids, and iterations that stand for themselves alone.
void keep_iterations(KeptIterations& result, const std::vector<std::uint32_t>& medoids,
                     const std::vector<std::uint64_t>& alone) {
  const auto last = static_cast<std::uint32_t>(result.cluster_of.size() - 1);
  std::vector<bool> is_alone(result.cluster_of.size());
  is_alone.front() = is_alone.back() = true;
  for (auto i : alone)
    if (i <= last)
      is_alone[i] = true;

  result.kept = medoids;
  for (std::uint32_t i = 0; i <= last; ++i)
    if (is_alone[i])
      result.kept.push_back(i);
  std::sort(result.kept.begin(), result.kept.end());
  result.kept.erase(std::unique(result.kept.begin(), result.kept.end()), result.kept.end());
  result.counts.resize(result.kept.size());

  for (std::uint32_t i = 0; i <= last; ++i) {
    const auto stands = is_alone[i] ? i : medoids[result.cluster_of[i]];
    const auto place = static_cast<std::uint32_t>(
        std::lower_bound(result.kept.begin(), result.kept.end(), stands) - result.kept.begin());
    result.kept_of.push_back(place);
    ++result.counts[place];
  }
}

}  // namespace

void SeriesRecorder::add(const CallPathProfile& profile) {
  for (auto sum : form_.column_sums(profile))
    series_.sums.push_back(static_cast<float>(sum));
  series_.trees.push_back(classes_.hash(profile));
}

IterationSeries SeriesRecorder::take() && {
  series_.sums.shrink_to_fit();
  series_.trees.shrink_to_fit();
  return std::move(series_);
}

KeptIterations choose_iterations(std::span<const IterationSeries> processes,
                                 const MetricColumns& columns, const ClusterOptions& options,
                                 const std::vector<std::uint64_t>& keep) {
  KeptIterations result;
  const auto iterations = processes.empty() ? 0 : processes[0].iterations();
  assert(std::all_of(processes.begin(), processes.end(),
                     [&](const auto& series) { return series.iterations() == iterations; }));
  if (iterations == 0)
    return result;

  const CondensedForm form(columns);
  OnlineClusters clusters(processes.size() * form.size(), options);
  JointTrees trees(processes);
  std::vector<double> vector(processes.size() * form.size());

  for (std::size_t i = 0; i < iterations; ++i) {
    for (std::size_t p = 0; p < processes.size(); ++p)
      condensed(processes[p], form, i, std::span(vector).subspan(p * form.size(), form.size()));
    const auto tree = trees.at(i, clusters.equivalence());
    clusters.add(tree.strong, tree.weak, vector);
  }

  result.cluster_of = clusters.number_clusters();
  result.clusters = clusters.size();
  result.excess =
      result.clusters - std::min(result.clusters, std::max<std::size_t>(options.max_clusters, 1));
  result.classes = clusters.classes();
  result.equivalence = clusters.equivalence();

  std::vector<Members> members(result.clusters);
  for (std::uint32_t i = 0; i < iterations; ++i)
    members[result.cluster_of[i]].push_back(i);

  std::vector<std::uint32_t> medoids;
  medoids.reserve(members.size());
  for (const auto& cluster : members)
    medoids.push_back(find_medoid(cluster, processes, form, clusters));

  keep_iterations(result, medoids, keep);

  return result;
}

}  // namespace tracefold
