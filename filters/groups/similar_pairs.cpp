#include "filters/groups/similar_pairs.hpp"

#include "base/error.hpp"
#include "filters/groups/profile_vectors.hpp"
#include "lattice/similarity.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Point = std::vector<std::uint64_t>;

lattice::Set pairs_of(const PlanIntent& intent) {
  lattice::Set set;
  for (auto [caller, callee] : intent.set.pairs)
    set.push_back(lattice::Element{caller} << 32 | callee);
  return set;
}

std::uint64_t distance(const Point& a, const Point& b) {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d)
    sum += a[d] < b[d] ? b[d] - a[d] : a[d] - b[d];
  return sum;
}

struct Farthest {
  std::size_t first = 0, second = 0;  // ascending
  std::uint64_t distance = 0;
};

Farthest of_all(const lattice::Points& points) {
  Farthest found;
  for (std::size_t a = 0; a < points.size(); ++a)
    for (std::size_t b = a + 1; b < points.size(); ++b)
      if (const auto d = distance(points[a], points[b]); d > found.distance)
        found = {a, b, d};

  return found;
}

// Whoever is farthest from `from`, and whoever is farthest from that, until the two are each
// other's.
Farthest from(const lattice::Points& points, std::size_t from) {
  Farthest found{from, from, 0};
  for (;;) {
    std::size_t other = from;
    std::uint64_t most = found.distance;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (const auto d = distance(points[from], points[i]); d > most)
        most = d, other = i;

    if (other == from)
      return found;

    found = {std::min(from, other), std::max(from, other), most};
    from = other;
  }
}

Farthest of_many(const lattice::Points& points) {
  Farthest found;

  const auto offer = [&](std::size_t start) {
    const auto other = from(points, start);
    if (other.distance > found.distance ||
        (other.distance == found.distance &&
         std::pair(other.first, other.second) < std::pair(found.first, found.second)))
      found = other;
  };

  for (std::size_t d = 0; d < points[0].size(); ++d) {
    const auto [least, most] = std::minmax_element(
        points.begin(), points.end(), [&](const auto& a, const auto& b) { return a[d] < b[d]; });
    offer(static_cast<std::size_t>(least - points.begin()));
    offer(static_cast<std::size_t>(most - points.begin()));
  }

  return found;
}

// First members of two intents of the group, the least alike.
std::optional<ProcessPair> least_similar(const Plan& plan, const Group& group,
                                         const lattice::Points& points) {
  std::vector<std::size_t> first;  // places in the group, of the first member with each intent
  std::vector<lattice::Set> sets;
  std::vector<bool> seen(plan.intents.size());

  for (std::size_t k = 0; k < group.members.size(); ++k) {
    const auto intent = plan.processes[group.members[k]].intent;
    if (seen[intent])
      continue;
    seen[intent] = true;
    first.push_back(k);
    sets.push_back(pairs_of(plan.intents[intent]));
  }

  const std::vector<std::span<const lattice::Element>> spans(sets.begin(), sets.end());
  const auto found = lattice::least_similar(lattice::to_rows(spans, lattice::united(spans)));
  if (!found)
    return std::nullopt;

  const auto a = first[found->first], b = first[found->second];

  return ProcessPair{group.members[a], group.members[b], found->similarity,
                     distance(points[a], points[b])};
}

std::optional<ProcessPair> most_different(const Plan& plan, const Group& group,
                                          const lattice::Points& points, std::size_t limit) {
  const auto found = points.size() <= limit ? of_all(points) : of_many(points);
  if (found.distance == 0)
    return std::nullopt;

  const auto set_of = [&](std::size_t k) {
    return pairs_of(plan.intents[plan.processes[group.members[k]].intent]);
  };

  return ProcessPair{group.members[found.first], group.members[found.second],
                     lattice::jaccard(set_of(found.first), set_of(found.second)), found.distance};
}

}  // namespace

std::vector<GroupPairs> pairs_to_compare(const Plan& plan, std::size_t limit) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' first");

  std::vector<GroupPairs> pairs;
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    const auto& group = (*plan.groups)[g];
    const auto points = profile_vectors(plan, group, group.members);
    pairs.push_back({static_cast<std::uint32_t>(g), least_similar(plan, group, points),
                     most_different(plan, group, points, limit)});
  }

  return pairs;
}

}  // namespace tracefold
