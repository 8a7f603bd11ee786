#include "pipeline/rewrite/partners.hpp"

#include "model/plan.hpp"
#include "model/program/member_metrics.hpp"

#include <algorithm>

namespace tracefold {

using K = DefinitionKind;

namespace {

std::uint64_t group_type(const Definition& group) {
  return get_field<"groupType", K::Group>(group);
}

std::vector<std::uint32_t> number_members(const Definitions& definitions, const Definition& group,
                                          const KeptLocations& kept) {
  const auto members = definitions.members(group);
  std::vector<std::uint32_t> places(members.size(), Partners::none);
  std::uint32_t next = 0;
  for (const bool is_behind : {false, true})
    for (std::size_t i = 0; i < members.size(); ++i)
      if (kept.has(members[i]) && kept.is_in_halo_group(members[i]) == is_behind)
        places[i] = next++;
  return places;
}

bool has_left_out_members(const std::vector<std::uint32_t>& places) {
  return std::find(places.begin(), places.end(), Partners::none) != places.end();
}

}  // namespace

Partners::Partners(const Definitions& definitions, const Plan& plan, const KeptLocations& kept,
                   const std::vector<std::uint64_t>& filtered_out)
    : definitions_(definitions),
      kept_(kept),
      draws_messages_(!plan.write || plan.write->draws_messages),
      member_metrics_(find_member_metrics(definitions)) {
  for (const auto& process : plan.processes)
    if (process.has_messages && !kept.has(process.id))
      incomplete_.insert(definitions.endpoint(process.id));
  for (const auto location : filtered_out)
    if (!kept.has(location))
      incomplete_.insert(definitions.endpoint(location));

  if (!kept.keeps_all())
    find_left_out_metrics();
  if (kept.has_halo()) {
    find_halo_endpoints(plan);
    find_shared_comms();
  }

  for (const auto& [paradigm, group] : definitions.comm_locations())
    places_.emplace(&group, number_members(definitions, group, kept));
  for (const auto& d : definitions.all())
    if (d.kind == K::Group && group_type(d) >= otf2_value::group_comm_locations)
      places_.emplace(&d, number_members(definitions, d, kept));

  keeps_all_ranks_ = draws_messages_ && kept.keeps_all() &&
                     std::none_of(places_.begin(), places_.end(), [](const auto& group) {
                       return has_left_out_members(group.second);
                     });
}

void Partners::find_left_out_metrics() {
  std::unordered_set<std::uint64_t> represented_groups(kept_.groups().begin(),
                                                       kept_.groups().end());
  for (const auto location : definitions_.locations())
    if (kept_.find_representative(location))
      represented_groups.insert(definitions_.location_group(location));

  const auto is_left_out = [&](std::uint64_t location) {
    return definitions_.find(Ref::location, location) && !kept_.find_representative(location);
  };

  for (const auto& d : definitions_.all()) {
    if (d.kind != K::MetricInstance)
      continue;

    const auto kind = get_field<"metricScope", K::MetricInstance>(d);
    const auto scope = get_field<"scope", K::MetricInstance>(d);
    const bool scope_is_left_out =
        (kind == otf2_value::scope_location && is_left_out(scope)) ||
        (kind == otf2_value::scope_location_group &&
         definitions_.find(Ref::location_group, scope) && !represented_groups.contains(scope));
    if (scope_is_left_out || is_left_out(get_field<"recorder", K::MetricInstance>(d)))
      left_out_metrics_.insert(d.id());
  }
}

void Partners::find_halo_endpoints(const Plan& plan) {
  for (const auto location : definitions_.locations())
    if (kept_.is_halo(location))
      halo_endpoints_.insert(definitions_.endpoint(location));
  for (const auto& process : plan.processes)
    if (process.has_messages && kept_.has(process.id) && !kept_.is_halo(process.id))
      halo_endpoints_.erase(definitions_.endpoint(process.id));
}

void Partners::find_shared_comms() {
  const auto has_kept_member = [&](std::uint64_t group) {
    const auto* definition = definitions_.find(Ref::group, group);
    if (!definition || group_type(*definition) == otf2_value::group_comm_self)
      return false;

    const auto members = definitions_.members(*definition);
    return std::any_of(members.begin(), members.end(), [&](auto location) {
      return kept_.has(location) && !halo_endpoints_.contains(location);
    });
  };

  for (const auto& d : definitions_.all()) {
    const bool is_shared =
        (d.kind == K::Comm && has_kept_member(get_field<"group", K::Comm>(d))) ||
        (d.kind == K::InterComm && (has_kept_member(get_field<"groupA", K::InterComm>(d)) ||
                                    has_kept_member(get_field<"groupB", K::InterComm>(d))));
    if (is_shared)
      shared_comms_.insert(d.id());
  }
}

bool Partners::is_kept(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
  if (keeps_all_ranks_)
    return has_rank(self, comm, rank);

  const auto partner = definitions_.partner(self, comm, rank);

  return partner && kept_.has(*partner);
}

bool Partners::is_whole(std::uint64_t endpoint) const {
  return definitions_.find(Ref::location, endpoint) && kept_.has(endpoint) &&
         !incomplete_.contains(endpoint);
}

std::optional<std::uint64_t> Partners::find_partner(std::uint64_t self, std::uint64_t comm,
                                                    std::uint64_t rank) const {
  const auto* definition = definitions_.find(Ref::comm, comm);
  if (!definition || definitions_.has_unknown_side(*definition))
    return std::nullopt;

  return definitions_.partner(self, comm, rank);
}

bool Partners::message_stays(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
  if (!draws_messages_)
    return false;
  const auto partner = find_partner(self, comm, rank);
  const auto own = definitions_.endpoint(self);

  return partner && is_whole(*partner) && is_whole(own) &&
         !(halo_endpoints_.contains(*partner) && halo_endpoints_.contains(own));
}

std::optional<std::uint64_t> Partners::new_rank(std::uint64_t self, std::uint64_t comm,
                                                std::uint64_t rank) const {
  const auto* definition = definitions_.find(Ref::comm, comm);
  if (!definition)
    return std::nullopt;

  const auto* group = definitions_.find(Ref::group, definitions_.peer_group(self, *definition));
  if (!group)
    return std::nullopt;
  if (group_type(*group) == otf2_value::group_comm_self)
    return rank;

  if (Definitions::has_global_members(*group)) {
    const auto base = definitions_.comm_locations().find(get_field<"paradigm", K::Group>(*group));
    if (base == definitions_.comm_locations().end())
      return std::nullopt;
    group = &base->second;
  }

  const auto& places = new_places(*group);
  if (rank >= places.size() || places[rank] == none)
    return std::nullopt;

  return places[rank];
}

std::uint64_t Partners::find_window_comm(std::uint64_t window) const {
  const auto* definition = definitions_.find(Ref::rma_win, window);
  return definition ? get_field<"comm", K::RmaWin>(*definition) : undefined_id(Ref::comm);
}

const std::vector<std::uint32_t>& Partners::new_places(const Definition& group) const {
  static const std::vector<std::uint32_t> nobody;
  const auto at = places_.find(&group);
  return at == places_.end() ? nobody : at->second;
}

}  // namespace tracefold
