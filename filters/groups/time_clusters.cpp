#include "filters/groups/time_clusters.hpp"

#include "lattice/kmeans.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

// Sums of times exceed 64 bits.
__extension__ using Wide = unsigned __int128;

// Descending by time, ties to the lowest index.
std::vector<FunctionIndex> largest_functions(const Plan& plan, const Group& group) {
  std::map<FunctionIndex, Wide> totals;

  for (auto m : group.members) {
    const auto& p = plan.processes[m];
    const auto& functions = plan.intents[p.intent].functions;
    for (std::size_t k = 0; k < functions.size(); ++k)
      totals[functions[k]] += Wide{p.exclusive[k]} * p.weight;
  }

  std::vector<FunctionIndex> largest;
  largest.reserve(totals.size());
  for (const auto& total : totals)
    largest.push_back(total.first);

  std::stable_sort(largest.begin(), largest.end(),
                   [&](auto a, auto b) { return totals.at(a) > totals.at(b); });
  largest.resize(std::min(largest.size(), cluster_functions));

  return largest;
}

lattice::Points points_of(const Plan& plan, const std::vector<std::size_t>& members,
                          const std::vector<FunctionIndex>& dimensions) {
  lattice::Points points;
  for (auto m : members) {
    const auto& p = plan.processes[m];
    const auto& functions = plan.intents[p.intent].functions;
    auto& point = points.emplace_back();
    for (auto function : dimensions) {
      const auto at = static_cast<std::size_t>(
          std::find(functions.begin(), functions.end(), function) - functions.begin());
      point.push_back(at < functions.size() ? p.exclusive[at] : 0);
    }
  }

  return points;
}

}  // namespace

std::vector<std::vector<std::size_t>> time_clusters(const Plan& plan, const Group& group,
                                                    const std::vector<std::size_t>& members,
                                                    std::size_t count) {
  if (members.empty())
    return {};

  const auto dimensions = largest_functions(plan, group);
  if (count == 1 || members.size() == 1 || dimensions.empty())
    return {members};

  const auto points = points_of(plan, members, dimensions);
  std::vector<std::uint64_t> weights;
  weights.reserve(members.size());
  for (auto m : members)
    weights.push_back(plan.processes[m].weight);

  const auto of = count == auto_per_group
                      ? lattice::kmeans_auto(points, weights, most_auto_clusters)
                      : lattice::kmeans(points, weights, count, 0);
  std::vector<std::vector<std::size_t>> clusters(*std::max_element(of.begin(), of.end()) + 1);
  for (std::size_t k = 0; k < of.size(); ++k)
    clusters[of[k]].push_back(members[k]);

  return clusters;
}

}  // namespace tracefold
