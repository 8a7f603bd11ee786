#include "filters/groups/find_process_pairs.hpp"

#include "base/error.hpp"
#include "filters/groups/call_measures.hpp"
#include "filters/groups/process_times.hpp"
#include "lattice/similarity.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

using PairPoint = std::vector<std::uint64_t>;

std::uint64_t manhattan_distance(const PairPoint& a, const PairPoint& b) {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d)
    sum += a[d] < b[d] ? b[d] - a[d] : a[d] - b[d];

  return sum;
}

// By how much the difference of two may be off, where each time may be.
std::uint64_t find_error(const PairPoint& a, const PairPoint& b, unsigned percent) {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d)
    sum += a[d] + b[d];
  return percent == 0 ? 0 : sum / 100 * percent + 1;
}

struct TwoPoints {
  std::size_t first = 0, second = 0;  // indexes of points, ascending
  std::uint64_t distance = 0;
};

TwoPoints find_farthest_of_all(const lattice::Points& points) {
  TwoPoints found;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      if (const auto d = manhattan_distance(points[a], points[b]); d > found.distance)
        found = {a, b, d};

  return found;
}

// Goes from a point to the one farthest from it, from there to the one farthest from that, and so
// on, until none is farther away than the last one was.
TwoPoints find_farthest_from(const lattice::Points& points, std::size_t start) {
  std::size_t here = start;
  TwoPoints found{here, here, 0};

  for (;;) {
    std::size_t farthest = here;
    std::uint64_t most = found.distance;

    for (std::size_t i = 0; i < points.size(); ++i)
      if (const auto d = manhattan_distance(points[here], points[i]); d > most) {
        most = d;
        farthest = i;
      }

    if (farthest == here)
      return found;

    found = {std::min(here, farthest), std::max(here, farthest), most};
    here = farthest;
  }
}

// The best of the pairs that are found from the points at both ends of each dimension.
TwoPoints find_farthest_of_many(const lattice::Points& points) {
  TwoPoints found;

  const auto search_from = [&](auto point) {
    const auto other = find_farthest_from(points, static_cast<std::size_t>(point - points.begin()));
    const bool is_before =
        std::pair(other.first, other.second) < std::pair(found.first, found.second);
    if (other.distance > found.distance || (other.distance == found.distance && is_before))
      found = other;
  };

  for (std::size_t d = 0; d < points[0].size(); ++d) {
    const auto [least, most] = std::minmax_element(
        points.begin(), points.end(), [&](const auto& a, const auto& b) { return a[d] < b[d]; });
    search_from(least);
    search_from(most);
  }

  return found;
}

// The least similar two of the first processes of each intent in the group.
std::optional<ProcessPair> find_least_similar(const Plan& plan, const Group& group,
                                              const lattice::Points& points, unsigned percent) {
  std::vector<std::size_t> firsts;  // places in the group
  std::vector<lattice::Set> sets;
  std::vector<bool> is_known(plan.intents.size());

  for (std::size_t k = 0; k < group.members.size(); ++k) {
    const auto intent = plan.processes[group.members[k]].intent;
    if (is_known[intent])
      continue;

    is_known[intent] = true;
    firsts.push_back(k);
    sets.push_back(make_call_pair_set(plan.intents[intent].set));
  }

  const auto found = lattice::find_least_similar(lattice::to_rows(sets));
  if (!found)
    return std::nullopt;

  const auto a = firsts[found->first];
  const auto b = firsts[found->second];

  return ProcessPair{group.members[a], group.members[b], found->similarity,
                     manhattan_distance(points[a], points[b]),
                     find_error(points[a], points[b], percent)};
}

std::optional<ProcessPair> find_most_different(const Plan& plan, const Group& group,
                                               const lattice::Points& points, unsigned percent,
                                               std::size_t limit) {
  auto found =
      points.size() <= limit ? find_farthest_of_all(points) : find_farthest_of_many(points);
  if (found.distance == 0) {
    if (percent == 0 || points.size() < 2)
      return std::nullopt;
    found = {0, 1, 0};
  }

  const auto make_set = [&](std::size_t place) {
    return make_call_pair_set(plan.intents[plan.processes[group.members[place]].intent].set);
  };

  const auto similarity = lattice::compute_similarity_matrix(
      std::vector{make_set(found.first), make_set(found.second)});
  return ProcessPair{group.members[found.first], group.members[found.second], similarity.at(0, 1),
                     found.distance,
                     find_error(points[found.first], points[found.second], percent)};
}

}  // namespace

std::vector<GroupPairs> find_process_pairs(const Plan& plan, std::size_t limit, unsigned percent) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' first");

  std::vector<GroupPairs> pairs;
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    const auto& group = (*plan.groups)[g];
    const auto points = make_time_points(plan, group, group.members);
    pairs.push_back({static_cast<std::uint32_t>(g),
                     find_least_similar(plan, group, points, percent),
                     find_most_different(plan, group, points, percent, limit)});
  }

  return pairs;
}

}  // namespace tracefold
