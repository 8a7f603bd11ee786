#include "pipeline/rewrite/partners.hpp"

#include <algorithm>

namespace tracefold {

namespace {

std::vector<std::uint32_t> places_of(const Definitions& definitions, const Definition& group,
                                     const KeptLocations& kept) {
  std::vector<std::uint32_t> places;
  std::uint32_t next = 0;
  for (auto location : definitions.members(group))
    places.push_back(kept.has(location) ? next++ : Partners::none);
  return places;
}

}  // namespace

Partners::Partners(const Definitions& definitions, const Plan& plan, const KeptLocations& kept)
    : definitions_(definitions), kept_(kept) {
  for (const auto& p : plan.processes)
    if (p.talks && !kept.has(p.id))
      silent_groups_.insert(p.location_group);

  for (const auto& [paradigm, group] : definitions.comm_locations())
    places_.emplace(&group, places_of(definitions, group, kept));
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::Group && d.fields[2] >= otf2_value::group_comm_locations)
      places_.emplace(&d, places_of(definitions, d, kept));

  everything_ =
      kept.everything() && std::all_of(places_.begin(), places_.end(), [](const auto& group) {
        return std::find(group.second.begin(), group.second.end(), none) == group.second.end();
      });
}

bool Partners::is_kept(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
  const auto partner = definitions_.partner(self, comm, rank);
  return partner && kept_.has(*partner);
}

bool Partners::message_stays(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
  const auto stays = [&](std::uint64_t endpoint) {
    const auto* location = definitions_.find(Ref::location, endpoint);
    return location && kept_.has(endpoint) && !silent_groups_.contains(location->fields[4]);
  };
  const auto partner = definitions_.partner(self, comm, rank);

  return partner && stays(*partner) && stays(definitions_.endpoint(self));
}

std::optional<std::uint64_t> Partners::new_rank(std::uint64_t self, std::uint64_t comm,
                                                std::uint64_t rank) const {
  const auto* found = definitions_.find(Ref::comm, comm);
  const auto* group =
      found ? definitions_.find(Ref::group, definitions_.group_of(self, *found)) : nullptr;
  if (!group)
    return std::nullopt;
  if (group->fields[2] == otf2_value::group_comm_self)
    return rank;

  if (group->fields[2] == otf2_value::group_comm_group &&
      (group->fields[4] & otf2_value::group_flag_global_members)) {
    auto base = definitions_.comm_locations().find(group->fields[3]);
    if (base == definitions_.comm_locations().end())
      return std::nullopt;
    group = &base->second;
  }

  const auto& places = new_places(*group);
  if (rank >= places.size() || places[rank] == none)
    return std::nullopt;

  return places[rank];
}

bool Partners::is_of_one(std::uint64_t comm) const {
  const auto* found = definitions_.find(Ref::comm, comm);
  const auto* group = found && found->kind == DefinitionKind::Comm
                          ? definitions_.find(Ref::group, found->fields[2])
                          : nullptr;
  return group && group->fields[2] == otf2_value::group_comm_self;
}

std::uint64_t Partners::comm_of_window(std::uint64_t window) const {
  const auto* found = definitions_.find(Ref::rma_win, window);
  return found ? found->fields[2] : undefined_of(Ref::comm);
}

const std::vector<std::uint32_t>& Partners::new_places(const Definition& group) const {
  static const std::vector<std::uint32_t> nobody;
  auto at = places_.find(&group);
  return at == places_.end() ? nobody : at->second;
}

}  // namespace tracefold
