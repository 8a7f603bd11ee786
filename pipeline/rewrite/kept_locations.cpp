#include "pipeline/rewrite/kept_locations.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "model/messages/messages.hpp"
#include "model/messages/rank_list.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/rewrite/order_location_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

using EarlierReductions = std::unordered_map<std::uint64_t, EarlierReduction>;  // by location

// What a kept location of the trace that is read stands for. Where that trace was reduced itself,
// its locations stand for several of the first original.
KeptLocation describe_location(const Plan& plan, const Representative& representative,
                               const EarlierReductions& earlier) {
  const auto& [group, process, members, why] = representative;
  KeptLocation location;
  location.process = process;
  location.id = location.source = plan.processes[process].id;
  location.group = group;
  if (const auto at = earlier.find(location.id); at != earlier.end())
    location.source = at->second.source;

  std::vector<std::uint64_t> originals;
  for (auto member : members) {
    const auto& represented = plan.processes[member];
    location.count += represented.weight;
    if (const auto at = earlier.find(represented.id); at != earlier.end())
      originals.insert(originals.end(), at->second.members.begin(), at->second.members.end());
    else
      originals.push_back(represented.id);
  }

  std::sort(originals.begin(), originals.end());
  location.members = to_ranges(originals);

  const bool has_clusters =
      plan.groups && group < plan.groups->size() && (*plan.groups)[group].clusters;
  if (has_clusters && earlier.empty())
    location.ranks = write_rank_list(plan, members);
  else if (has_clusters && plan.messages)
    location.ranks = rank_list_text(make_rank_list(originals, plan.messages->endpoints));

  return location;
}

// The group of each process where no representatives were chosen: its own where there are none.
std::vector<std::uint32_t> find_groups(const Plan& plan) {
  std::vector<std::uint32_t> groups(plan.processes.size());
  if (!plan.groups) {
    for (std::size_t i = 0; i < groups.size(); ++i)
      groups[i] = static_cast<std::uint32_t>(i);
    return groups;
  }

  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto member : (*plan.groups)[g].members)
      groups[member] = static_cast<std::uint32_t>(g);

  return groups;
}

}  // namespace

KeptLocations::KeptLocations(const Definitions& definitions, const Plan& plan, bool keep_ids) {
  choose_locations(definitions, plan);
  if (all_.empty())
    throw Error(ErrorKind::usage, "no process is left to write").hint("check `locations`");
  if (plan.halo)
    add_halo(definitions, *plan.halo);
  find_halo_representatives(definitions);

  put_in_order(definitions);
  give_ids(keep_ids);
  find_halo_groups(definitions);
  find_representative_groups(definitions);
  keeps_all_ = !has_halo() && all_.size() == definitions.locations().size();
}

void KeptLocations::choose_locations(const Definitions& definitions, const Plan& plan) {
  const auto earlier = find_earlier_reductions(definitions);

  if (!plan.representatives) {
    const auto groups = find_groups(plan);
    for (std::size_t i = 0; i < plan.processes.size(); ++i)
      all_.push_back(describe_location(plan, {groups[i], i, {i}, {}}, earlier));
    return;
  }

  for (const auto& representative : *plan.representatives) {
    const auto& kept = all_.emplace_back(describe_location(plan, representative, earlier));
    for (auto member : representative.members)
      representatives_[plan.processes[member].id] = kept.id;
  }
}

void KeptLocations::add_halo(const Definitions& definitions, const HaloSection& halo) {
  std::unordered_set<std::uint64_t> kept;
  for (const auto& location : all_)
    kept.insert(location.id);

  const auto earlier = read_location_properties(definitions);
  for (const auto& rank : halo.ranks)
    for (const auto id : rank.locations) {
      if (!definitions.find(Ref::location, id) || !kept.insert(id).second)
        throw Error(ErrorKind::usage,
                    fmt::format("the plan has location {} in its halo, which is kept already, or "
                                "not in the trace",
                                id));

      KeptLocation location;
      location.id = location.source = id;
      location.role = LocationRole::halo;
      if (const auto at = earlier.find(id); at != earlier.end())
        location.source = at->second.source.value_or(id);
      all_.push_back(std::move(location));
      halo_.insert(id);
    }
}

// Records and properties may name halo that does not stay.
void KeptLocations::find_halo_representatives(const Definitions& definitions) {
  const auto halo = find_halo_locations(definitions);
  if (halo.empty())
    return;

  std::unordered_map<std::uint64_t, std::uint64_t> by_member;  // ids in the first original
  for (const auto& kept : all_)
    if (kept.role == LocationRole::kept)
      for (const auto member : parse_ranges(kept.members))
        by_member.emplace(member, kept.id);
  for (const auto& [location, source] : halo)
    if (const auto at = by_member.find(source); at != by_member.end() && !is_halo(location))
      representatives_.emplace(location, at->second);
}

void KeptLocations::put_in_order(const Definitions& definitions) {
  groups_ = order_location_groups(definitions, all_);
  std::map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < groups_.size(); ++i)
    places[groups_[i]] = i;

  const auto place = [&](const KeptLocation& location) {
    return std::tuple(places.at(definitions.location_group(location.id)), location.id);
  };
  std::sort(all_.begin(), all_.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

void KeptLocations::give_ids(bool keep_ids) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    all_[i].new_id = keep_ids ? all_[i].id : i;
    new_ids_[all_[i].id] = all_[i].new_id;
  }
}

std::optional<std::uint64_t> KeptLocations::find_representative(std::uint64_t id) const {
  if (has(id))
    return id;
  const auto at = representatives_.find(id);
  return at == representatives_.end() ? std::nullopt : std::optional(at->second);
}

void KeptLocations::find_halo_groups(const Definitions& definitions) {
  std::unordered_set<std::uint64_t> kept;
  for (const auto& location : all_)
    if (location.role == LocationRole::kept)
      kept.insert(definitions.location_group(location.id));

  for (const auto id : halo_)
    if (!kept.contains(definitions.location_group(id)))
      behind_.insert(id);
}

void KeptLocations::find_representative_groups(const Definitions& definitions) {
  for (auto group : groups_)
    representative_groups_.emplace(group, group);
  for (auto id : definitions.locations())
    if (const auto representative = find_representative(id))
      representative_groups_.emplace(definitions.location_group(id),
                                     definitions.location_group(*representative));
}

std::optional<std::uint64_t> KeptLocations::find_representative_group(std::uint64_t group) const {
  const auto at = representative_groups_.find(group);
  return at == representative_groups_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace tracefold
