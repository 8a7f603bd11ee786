#include "filters/groups/process_times.hpp"

#include "lattice/kmeans.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

lattice::Points make_time_points(const Plan& plan, const Group& group,
                                 const std::vector<std::size_t>& members) {
  std::map<FunctionIndex, std::size_t> dimension_of;
  for (auto intent : group.intents)
    for (auto function : plan.intents[intent].functions)
      dimension_of.try_emplace(function, dimension_of.size());

  lattice::Points points;

  for (auto member : members) {
    const auto& process = plan.processes[member];
    const auto& functions = plan.intents[process.intent].functions;
    auto& point = points.emplace_back(dimension_of.size() + 1);
    for (std::size_t k = 0; k < functions.size(); ++k)
      point[dimension_of.at(functions[k])] = process.exclusive[k];
    point.back() = process.rest;
  }

  return points;
}

namespace {

// Sums of times may exceed 64 bits.
__extension__ using WideSum = unsigned __int128;

// The functions with the most time in the group, largest first; of equal ones the lowest index is
// first.
std::vector<FunctionIndex> find_largest_functions(const Plan& plan, const Group& group) {
  std::map<FunctionIndex, WideSum> totals;

  for (auto member : group.members) {
    const auto& process = plan.processes[member];
    const auto& functions = plan.intents[process.intent].functions;
    for (std::size_t k = 0; k < functions.size(); ++k)
      totals[functions[k]] += WideSum{process.exclusive[k]} * process.weight;
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

lattice::Points make_points(const Plan& plan, const std::vector<std::size_t>& members,
                            const std::vector<FunctionIndex>& dimensions) {
  lattice::Points points;

  for (auto member : members) {
    const auto& process = plan.processes[member];
    const auto& functions = plan.intents[process.intent].functions;
    auto& point = points.emplace_back();

    for (auto function : dimensions) {
      const auto at = static_cast<std::size_t>(
          std::find(functions.begin(), functions.end(), function) - functions.begin());
      point.push_back(at < functions.size() ? process.exclusive[at] : 0);
    }
  }

  return points;
}

}  // namespace

std::vector<std::vector<std::size_t>> find_time_clusters(const Plan& plan, const Group& group,
                                                         const std::vector<std::size_t>& members,
                                                         std::size_t count) {
  if (members.empty())
    return {};

  const auto dimensions = find_largest_functions(plan, group);
  if (count == 1 || members.size() == 1 || dimensions.empty())
    return {members};

  const auto points = make_points(plan, members, dimensions);
  std::vector<std::uint64_t> weights;
  weights.reserve(members.size());
  for (auto member : members)
    weights.push_back(plan.processes[member].weight);

  const auto cluster_of = count == auto_per_group
                              ? lattice::kmeans_auto(points, weights, most_auto_clusters)
                              : lattice::kmeans(points, weights, count, 0);
  const auto last = *std::max_element(cluster_of.begin(), cluster_of.end());
  std::vector<std::vector<std::size_t>> clusters(last + 1);
  for (std::size_t k = 0; k < cluster_of.size(); ++k)
    clusters[cluster_of[k]].push_back(members[k]);

  return clusters;
}

}  // namespace tracefold
