#include "pipeline/messages/stored_messages.hpp"

#include "base/error.hpp"
#include "filters/messages/fold_messages.hpp"
#include "model/messages/rank_list.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

bool was_reduced(const Archive& archive) {
  return !find_earlier_reductions(archive.definitions()).empty();
}

std::shared_ptr<const Messages> read_stored_messages(const Archive& archive) {
  auto beside = read_plan_beside(archive);
  if (beside.error)
    throw *beside.error;
  if (beside.is_named && !beside.is_missing() && !beside.is_that)
    throw Error(ErrorKind::input, "has another plan beside it than it was written with")
        .in(archive.paths().anchor.string())
        .hint("reduce the original again");

  return beside.plan ? std::move(beside.plan->messages) : nullptr;
}

std::shared_ptr<const Messages> read_stored_messages(const Archive& archive,
                                                     const std::vector<std::uint64_t>& left) {
  auto communication = read_stored_communication(archive, {});
  if (!communication)
    return nullptr;
  const auto originals = list_originals(archive.definitions(), left);
  const auto lacking = std::erase_if(communication->ranks, [&](const RankOperations& of) {
    return of.rank >= communication->endpoints.size() ||
           !std::binary_search(originals.begin(), originals.end(),
                               communication->endpoints[of.rank]);
  });
  communication->lacks_processes |= lacking > 0;
  return std::make_shared<const Messages>(fold_messages(*communication));
}

std::optional<Communication> read_stored_communication(const Archive& archive,
                                                       const std::vector<Process>& processes,
                                                       bool are_of_original) {
  const auto messages = read_stored_messages(archive);
  if (!messages)
    return std::nullopt;

  auto communication = decode_messages(*messages);
  std::unordered_map<std::uint64_t, std::size_t> places;  // in communication.ranks, by location
  for (std::size_t r = 0; r < communication.ranks.size(); ++r) {
    const auto rank = communication.ranks[r].rank;
    if (rank < communication.endpoints.size())
      places.try_emplace(communication.endpoints[rank], r);
  }

  const auto earlier = find_earlier_reductions(archive.definitions());
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const auto original =
        are_of_original ? processes[p].id : find_first_original(earlier, processes[p].id);
    if (const auto place = places.find(original); place != places.end())
      communication.ranks[place->second].locations.push_back(p);
  }
  return communication;
}

void name_by_first_original(const Archive& archive, Communication& communication) {
  const auto earlier = find_earlier_reductions(archive.definitions());
  for (auto& endpoint : communication.endpoints)
    if (const auto at = earlier.find(endpoint); at != earlier.end())
      endpoint = at->second.source;
}

void name_ranks_stood_for(const Archive& archive, const Communication& communication, Plan& plan) {
  const auto earlier = find_earlier_reductions(archive.definitions());
  if (earlier.empty())
    return;

  for (auto& group : *plan.groups) {
    if (!group.clusters)
      continue;
    std::vector<std::uint64_t> originals;
    for (auto member : group.members) {
      const auto id = plan.processes[member].id;
      if (const auto at = earlier.find(id); at != earlier.end())
        originals.insert(originals.end(), at->second.members.begin(), at->second.members.end());
      else
        originals.push_back(id);
    }
    std::sort(originals.begin(), originals.end());
    group.clusters->ranks = rank_list_text(make_rank_list(originals, communication.endpoints));
  }
}

bool has_stored_groups(const Archive& archive) {
  const auto properties = read_location_properties(archive.definitions());
  return std::any_of(properties.begin(), properties.end(),
                     [](const auto& one) { return one.second.group.has_value(); });
}

std::vector<std::uint32_t> find_groups_of_ranks(const Archive& archive, const Plan& plan,
                                                const Messages& messages) {
  const auto& definitions = archive.definitions();
  const auto earlier = find_earlier_reductions(definitions);
  std::unordered_map<std::uint64_t, std::uint32_t> groups;  // by location of the first original
  const auto put = [&](std::uint64_t location, std::uint32_t group) {
    if (const auto at = earlier.find(location); at == earlier.end())
      groups.try_emplace(location, group);
    else
      for (auto member : at->second.members)
        groups.try_emplace(member, group);
  };

  if (plan.groups) {
    for (std::uint32_t g = 0; g < plan.groups->size(); ++g)
      for (auto member : (*plan.groups)[g].members)
        put(plan.processes[member].id, g);
  } else {
    for (const auto& [location, stand_in] : read_location_properties(definitions))
      if (stand_in.group)
        put(location, static_cast<std::uint32_t>(*stand_in.group));
  }

  std::vector<std::uint32_t> group_of(messages.size, unknown_row);
  for (std::size_t rank = 0; rank < messages.endpoints.size(); ++rank)
    if (const auto at = groups.find(messages.endpoints[rank]); at != groups.end())
      group_of[rank] = at->second;
  return group_of;
}

}  // namespace tracefold
