#include "pipeline/rewrite/order_location_groups.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace tracefold {

namespace {

using K = DefinitionKind;

enum class GroupClass { in_mpi, halo, other, accelerator };  // in their order

struct GroupFacts {
  bool is_kept = false;  // one of its locations is more than halo
  std::optional<std::uint64_t> lowest_rank;
};

// By id of the group.
std::map<std::uint64_t, GroupFacts> describe_groups(const Definitions& definitions,
                                                    const std::vector<KeptLocation>& locations) {
  std::map<std::uint64_t, GroupFacts> groups;
  for (const auto& location : locations) {
    auto& group = groups[definitions.location_group(location.id)];
    group.is_kept |= location.role == LocationRole::kept;
    if (const auto rank = definitions.mpi_rank(location.id))
      group.lowest_rank = std::min(*rank, group.lowest_rank.value_or(*rank));
  }

  return groups;
}

GroupClass classify(const Definitions& definitions, std::uint64_t id, const GroupFacts& group) {
  if (group.lowest_rank)
    return group.is_kept ? GroupClass::in_mpi : GroupClass::halo;

  const auto* definition = definitions.find(Ref::location_group, id);
  const bool is_accelerator =
      definition && get_field<"locationGroupType", K::LocationGroup>(*definition) ==
                        otf2_value::location_group_accelerator;

  return is_accelerator ? GroupClass::accelerator : GroupClass::other;
}

// The group that created a group, where it is defined and another one.
std::optional<std::uint64_t> find_creating_group(const Definitions& definitions, std::uint64_t id) {
  const auto* group = definitions.find(Ref::location_group, id);
  if (!group)
    return std::nullopt;

  const auto creator = get_field<"creatingLocationGroup", K::LocationGroup>(*group);
  const bool is_another = creator != id && definitions.find(Ref::location_group, creator);

  return is_another ? std::optional(creator) : std::nullopt;
}

}  // namespace

std::vector<std::uint64_t> order_location_groups(const Definitions& definitions,
                                                 const std::vector<KeptLocation>& locations) {
  using Place = std::tuple<GroupClass, std::uint64_t, std::uint64_t>;
  std::set<Place> sorted;
  std::set<std::uint64_t> wanted;
  for (const auto& [id, group] : describe_groups(definitions, locations)) {
    sorted.emplace(classify(definitions, id, group), group.lowest_rank.value_or(id), id);
    wanted.insert(id);
  }

  std::vector<std::uint64_t> order;
  for (const auto& [which, rank, id] : sorted) {
    std::vector<std::uint64_t> chain{id};
    if (which == GroupClass::other || which == GroupClass::accelerator)
      for (auto creator = find_creating_group(definitions, id);
           creator && wanted.insert(*creator).second;
           creator = find_creating_group(definitions, *creator))
        chain.push_back(*creator);

    order.insert(order.end(), chain.rbegin(), chain.rend());
  }

  return order;
}

}  // namespace tracefold
