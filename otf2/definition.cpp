#include "otf2/definition.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

std::optional<Ref> self_kind(const Definition& d) {
  const auto shape = get_row(d.kind).shape();
  if (shape[0].role != FieldRole::self)
    return std::nullopt;
  return shape[0].target;
}

}  // namespace

void Definitions::add(Definition definition) {
  if (definition.kind == DefinitionKind::Group &&
      definition.fields[2] == otf2_value::group_comm_locations)
    comm_locations_[definition.fields[3]] = definition;

  const bool clock = definition.kind == DefinitionKind::ClockProperties;
  if (clock && std::exchange(has_clock_, true)) {
    ++duplicates_;
    return;
  }

  if (auto kind = self_kind(definition)) {
    auto [at, fresh] =
        index_[static_cast<std::size_t>(*kind)].emplace(definition.id(), all_.size());

    if (!fresh) {
      ++duplicates_;

      // Some tools give COMM_LOCATIONS and a communicator's group one id; communicators mean the
      // latter.
      const bool group_behind_locations =
          *kind == Ref::group && all_[at->second].fields[2] == otf2_value::group_comm_locations &&
          definition.fields[2] != otf2_value::group_comm_locations;
      if (!group_behind_locations)
        return;

      at->second = all_.size();
    }

    if (*kind == Ref::location)
      locations_.push_back(definition.id());
  }

  all_.push_back(std::move(definition));
}

// OTF2 1.1 allowed locations without a location group: each undefined one is
// made up, with the name of its first location.
void Definitions::define_missing_groups() {
  std::uint64_t next = 0;
  for (const auto& d : all_)
    if (d.kind == DefinitionKind::LocationGroup)
      next = std::max(next, d.id() + 1);

  const auto undefined = undefined_id(Ref::location_group);

  for (auto id : locations_) {
    auto& location = all_[index_[static_cast<std::size_t>(Ref::location)].at(id)];
    if (find(Ref::location_group, location.fields[4]))
      continue;
    if (location.fields[4] == undefined)
      location.fields[4] = next++;

    Definition group;
    group.kind = DefinitionKind::LocationGroup;
    const bool accelerator = location.fields[2] == otf2_value::location_type_accelerator;
    group.fields = {
        location.fields[4], location.fields[1],
        accelerator ? otf2_value::location_group_accelerator : otf2_value::location_group_process,
        undefined_id(Ref::system_tree_node), undefined};

    add(std::move(group));
  }
}

void Definitions::finish() {
  leave_out_unusable();
  std::sort(locations_.begin(), locations_.end());
  define_missing_groups();

  for (const auto& [paradigm, group] : comm_locations_) {
    auto& ranks = rank_of_[paradigm];
    auto& endpoints = endpoint_of_[paradigm];
    for (std::size_t rank = 0; rank < group.list.size(); ++rank) {
      ranks.emplace(group.list[rank], rank);
      if (auto* location = find(Ref::location, group.list[rank]))
        endpoints.emplace(location->fields[4], group.list[rank]);
    }
  }

  for (const auto& d : all_) {
    const auto* first =
        d.kind == DefinitionKind::InterComm ? find(Ref::group, d.fields[2]) : nullptr;
    if (!first || first_side_.contains(first->id()))
      continue;
    const auto here = members(*first);
    first_side_[first->id()].insert(here.begin(), here.end());
  }
}

const Definition* Definitions::find(Ref kind, std::uint64_t id) const {
  const auto& index = index_[static_cast<std::size_t>(kind)];
  auto at = index.find(id);
  return at == index.end() ? nullptr : &all_[at->second];
}

const std::string& Definitions::text(std::uint64_t string_id) const {
  static const std::string none;
  auto* found = find(Ref::string, string_id);
  return found ? found->text : none;
}

std::optional<std::uint64_t> Definitions::mpi_rank(std::uint64_t location) const {
  auto ranks = rank_of_.find(otf2_value::paradigm_mpi);
  if (ranks == rank_of_.end())
    return std::nullopt;
  auto at = ranks->second.find(location);
  return at == ranks->second.end() ? std::nullopt : std::optional(at->second);
}

std::uint64_t Definitions::endpoint(std::uint64_t location, std::uint64_t paradigm) const {
  auto ranks = rank_of_.find(paradigm);
  if (ranks == rank_of_.end() || ranks->second.contains(location))
    return location;

  const auto* self = find(Ref::location, location);
  if (!self)
    return location;

  const auto& endpoints = endpoint_of_.at(paradigm);
  auto at = endpoints.find(self->fields[4]);

  return at == endpoints.end() ? location : at->second;
}

std::optional<std::uint64_t> Definitions::member(std::uint64_t self, std::uint64_t group_id,
                                                 std::uint64_t rank) const {
  const auto* group = find(Ref::group, group_id);
  if (!group)
    return std::nullopt;

  const auto type = group->fields[2], paradigm = group->fields[3];
  if (type == otf2_value::group_comm_self)
    return rank == 0 ? std::optional(endpoint(self, paradigm)) : std::nullopt;

  auto base = comm_locations_.find(paradigm);
  const bool global = type == otf2_value::group_comm_group &&
                      (group->fields[4] & otf2_value::group_flag_global_members);

  if (!global) {
    if (rank >= group->list.size())
      return std::nullopt;
    if (type != otf2_value::group_comm_group)
      return group->list[rank];
    rank = group->list[rank];
  }

  if (base == comm_locations_.end() || rank >= base->second.list.size())
    return std::nullopt;

  return base->second.list[rank];
}

Members Definitions::members(const Definition& group) const {
  if (group.fields[2] != otf2_value::group_comm_group)
    return group.list;

  Members found;
  auto base = comm_locations_.find(group.fields[3]);
  for (auto index : group.list)
    found.push_back(base != comm_locations_.end() && index < base->second.list.size()
                        ? base->second.list[index]
                        : undefined_id(Ref::location));

  return found;
}

std::uint64_t Definitions::peer_group(std::uint64_t self, const Definition& comm) const {
  if (comm.kind != DefinitionKind::InterComm)
    return comm.fields[2];

  const auto here = first_side_.find(comm.fields[2]);
  if (here == first_side_.end())
    return comm.fields[3];

  const auto me = endpoint(self, find(Ref::group, comm.fields[2])->fields[3]);

  return here->second.contains(me)
             ? comm.fields[3]
             : comm.fields[2];  // a rank counts in the group that self is not in
}

std::optional<std::uint64_t> Definitions::partner(std::uint64_t self, std::uint64_t comm,
                                                  std::uint64_t rank) const {
  const auto* found = find(Ref::comm, comm);
  if (!found)
    return std::nullopt;
  auto location = member(self, peer_group(self, *found), rank);
  if (!location || !find(Ref::location, *location))
    return std::nullopt;

  return location;
}

}  // namespace tracefold
