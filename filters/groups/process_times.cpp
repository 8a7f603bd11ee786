#include "filters/groups/process_times.hpp"

#include "base/wide.hpp"
#include "lattice/kmeans.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <cmath>
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

// How the times in one function become coordinates.
struct TimeScale {
  std::uint64_t least = 0;
  double factor = 0;
};

// `points` are of all processes of the group.
std::vector<TimeScale> find_scales(const lattice::Points& points,
                                   const std::vector<std::uint64_t>& weights) {
  if (points.empty())
    return {};

  const auto dimensions = points.front().size();
  std::vector<double> totals;
  double whole = 0, weight = 0;
  for (const auto w : weights)
    weight += static_cast<double>(w);

  for (std::size_t d = 0; d < dimensions; ++d) {
    Wide sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      sum += Wide{points[i][d]} * weights[i];
    totals.push_back(static_cast<double>(sum));
    whole += totals.back();
  }

  std::vector<TimeScale> scales;
  for (std::size_t d = 0; d < dimensions; ++d) {
    auto& scale = scales.emplace_back();
    if (totals[d] == 0)
      continue;

    const auto mean = totals[d] / weight;
    double squares = 0;
    scale.least = points.front()[d];
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto difference = static_cast<double>(points[i][d]) - mean;
      squares += static_cast<double>(weights[i]) * difference * difference;
      scale.least = std::min(scale.least, points[i][d]);
    }

    const auto deviation = std::max(std::sqrt(squares / weight), mean / 100);
    scale.factor = std::sqrt(totals[d] / whole) / deviation * scaled_unit;
  }

  return scales;
}

std::vector<std::uint64_t> list_weights(const Plan& plan, const std::vector<std::size_t>& members) {
  std::vector<std::uint64_t> weights;
  weights.reserve(members.size());
  for (auto member : members)
    weights.push_back(plan.processes[member].weight);

  return weights;
}

}  // namespace

lattice::Points make_scaled_points(const Plan& plan, const Group& group,
                                   const std::vector<std::size_t>& members) {
  const auto scales =
      find_scales(make_time_points(plan, group, group.members), list_weights(plan, group.members));
  auto points = make_time_points(plan, group, members);

  for (auto& point : points)
    for (std::size_t d = 0; d < point.size(); ++d) {
      const auto scaled = static_cast<double>(point[d] - scales[d].least) * scales[d].factor;
      point[d] = static_cast<std::uint64_t>(std::min(std::round(scaled), 0x1p62));
    }

  return points;
}

namespace {

// The functions with the most time in the group, largest first; of equal ones the lowest index is
// first.
std::vector<FunctionIndex> find_largest_functions(const Plan& plan, const Group& group) {
  std::map<FunctionIndex, Wide> totals;

  for (auto member : group.members) {
    const auto& process = plan.processes[member];
    const auto& functions = plan.intents[process.intent].functions;
    for (std::size_t k = 0; k < functions.size(); ++k)
      totals[functions[k]] += Wide{process.exclusive[k]} * process.weight;
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
                                                         std::size_t count, TimeFeatures features) {
  if (members.empty())
    return {};
  if (count == 1 || members.size() == 1)
    return {members};

  const auto points = features == TimeFeatures::all
                          ? make_scaled_points(plan, group, members)
                          : make_points(plan, members, find_largest_functions(plan, group));
  if (points.front().empty())
    return {members};

  const auto weights = list_weights(plan, members);

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
