#include "otf2/definitions.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

using K = DefinitionKind;

namespace {

std::optional<Ref> own_id_kind(const Definition& d) {
  const auto& first = get_row(d.kind).fields[0];
  return first.role == FieldRole::self ? std::optional(first.target) : std::nullopt;
}

std::uint64_t type_of_group(const Definition& group) {
  return get_field<"groupType", K::Group>(group);
}

std::uint64_t paradigm_of_group(const Definition& group) {
  return get_field<"paradigm", K::Group>(group);
}

bool is_comm_locations(const Definition& group) {
  return type_of_group(group) == otf2_value::group_comm_locations;
}

bool is_comm_self(const Definition& group) {
  return type_of_group(group) == otf2_value::group_comm_self;
}

// Whether the members of a group are the processes of a communicator.
bool is_group_of_processes(const Definition& group) {
  return type_of_group(group) == otf2_value::group_comm_group ||
         type_of_group(group) == otf2_value::group_comm_self;
}

// Some tools give COMM_LOCATIONS and the group of a communicator one id. Communicators mean
// the latter, so it takes the id.
bool takes_id_of_locations(Ref kind, const Definition& earlier, const Definition& later) {
  return kind == Ref::group && is_comm_locations(earlier) && !is_comm_locations(later);
}

std::size_t index_place(Ref kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

void Definitions::add(Definition definition) {
  if (definition.kind == K::Group && is_comm_locations(definition))
    comm_locations_[paradigm_of_group(definition)] = definition;

  if (definition.kind == K::ClockProperties && std::exchange(has_clock_, true)) {
    ++duplicates_;
    return;
  }

  if (const auto kind = own_id_kind(definition)) {
    const auto [at, is_new] = index_[index_place(*kind)].emplace(definition.id(), all_.size());

    if (!is_new) {
      ++duplicates_;
      if (!takes_id_of_locations(*kind, all_[at->second], definition))
        return;

      at->second = all_.size();
    }

    if (*kind == Ref::location)
      locations_.push_back(definition.id());
  }

  all_.push_back(std::move(definition));
}

// OTF2 1.1 allowed locations without a location group. Each group that is missing is defined
// here, with the name of its first location.
void Definitions::define_missing_groups() {
  std::uint64_t next = 0;
  for (const auto& d : all_)
    if (d.kind == K::LocationGroup)
      next = std::max(next, d.id() + 1);

  for (auto id : locations_) {
    auto& location = all_[index_[index_place(Ref::location)].at(id)];
    auto& group_id = get_field<"locationGroup", K::Location>(location);
    if (find(Ref::location_group, group_id))
      continue;

    if (group_id == undefined_id(Ref::location_group))
      group_id = next++;

    const bool is_accelerator =
        get_field<"locationType", K::Location>(location) == otf2_value::location_type_accelerator;
    Definition group;
    group.kind = K::LocationGroup;
    get_field<"self", K::LocationGroup>(group) = group_id;
    get_field<"name", K::LocationGroup>(group) = get_field<"name", K::Location>(location);
    get_field<"locationGroupType", K::LocationGroup>(group) =
        is_accelerator ? otf2_value::location_group_accelerator
                       : otf2_value::location_group_process;
    get_field<"systemTreeParent", K::LocationGroup>(group) = undefined_id(Ref::system_tree_node);
    get_field<"creatingLocationGroup", K::LocationGroup>(group) = undefined_id(Ref::location_group);

    add(std::move(group));
  }
}

void Definitions::index_ranks() {
  for (const auto& [paradigm, group] : comm_locations_) {
    auto& ranks = ranks_[paradigm];
    auto& endpoints = endpoints_[paradigm];

    for (std::size_t rank = 0; rank < group.list.size(); ++rank) {
      const auto id = group.list[rank];
      ranks.emplace(id, rank);
      if (const auto* location = find(Ref::location, id))
        endpoints.emplace(get_field<"locationGroup", K::Location>(*location), id);
    }
  }
}

void Definitions::index_inter_communicators() {
  for (const auto& d : all_) {
    if (d.kind != K::InterComm)
      continue;

    for (const auto id :
         {get_field<"groupA", K::InterComm>(d), get_field<"groupB", K::InterComm>(d)}) {
      const auto* group = find(Ref::group, id);
      if (!group || is_comm_self(*group) || sides_.contains(id))
        continue;

      const auto locations = members(*group);
      sides_[id].insert(locations.begin(), locations.end());
    }
  }
}

void Definitions::finish() {
  leave_out_unusable();
  std::sort(locations_.begin(), locations_.end());
  define_missing_groups();

  index_ranks();
  index_inter_communicators();
}

// A definition whose own id means "undefined" cannot be named by others, and a property of
// it describes nothing. A group of processes names them by their places in the
// COMM_LOCATIONS of its paradigm, and each paradigm has one group of type COMM_SELF. A
// communicator needs such groups, and windows and topologies need a communicator.
bool Definitions::is_usable(const Definition& d, const SelfGroups& self_groups) const {
  const auto names_usable_comm = [&](std::uint64_t id) {
    const auto* comm = find(Ref::comm, id);
    return comm && is_usable(*comm, self_groups);
  };
  const auto names_usable_group = [&](std::uint64_t id) {
    const auto* group = find(Ref::group, id);
    return group && is_group_of_processes(*group) && is_usable(*group, self_groups);
  };

  const auto& first = get_row(d.kind).fields[0];
  const bool has_id = first.role == FieldRole::self || first.role == FieldRole::ref;
  if (has_id && d.id() == undefined_id(first.target))
    return false;

  switch (d.kind) {
    case K::Group:
      if (type_of_group(d) == otf2_value::group_comm_self &&
          self_groups.at(paradigm_of_group(d)) != d.id())
        return false;
      return !is_group_of_processes(d) || comm_locations_.contains(paradigm_of_group(d));

    case K::Comm: return names_usable_group(get_field<"group", K::Comm>(d));

    case K::InterComm: {
      const auto second = get_field<"groupB", K::InterComm>(d);
      return names_usable_group(get_field<"groupA", K::InterComm>(d)) &&
             (second == undefined_id(Ref::group) || names_usable_group(second));
    }

    case K::RmaWin: return names_usable_comm(get_field<"comm", K::RmaWin>(d));
    case K::CartTopology: return names_usable_comm(get_field<"communicator", K::CartTopology>(d));

    default: return true;
  }
}

void Definitions::leave_out_unusable() {
  SelfGroups self_groups;
  for (const auto& d : all_)
    if (d.kind == K::Group && type_of_group(d) == otf2_value::group_comm_self)
      self_groups.emplace(paradigm_of_group(d), d.id());

  std::uint64_t left_out = 0;
  for (const auto& d : all_)
    left_out += !is_usable(d, self_groups);

  if (left_out) {
    Definitions rest;
    for (const auto& d : all_)
      if (is_usable(d, self_groups))
        rest.add(d);

    rest.duplicates_ = duplicates_;
    // These count by their paradigm, also one whose id another group has taken.
    rest.comm_locations_ = std::move(comm_locations_);
    *this = std::move(rest);
  }

  unusable_ = left_out;
  cut_circles();
}

// Follows the parents of each definition. Where a walk comes back to a definition that it
// has seen itself, the last parent is removed, so that whoever follows parents later comes
// to an end.
void Definitions::cut_circles() {
  std::vector<std::uint32_t> seen_by(all_.size(), 0);  // the number of a walk; 0: none yet
  std::uint32_t walk = 0;

  for (std::size_t i = 0; i < all_.size(); ++i) {
    ++walk;

    for (auto at = i; seen_by[at] == 0;) {
      seen_by[at] = walk;
      auto& d = all_[at];
      const auto field = find_parent_field(d.kind);
      if (!field)
        break;

      const auto kind = get_row(d.kind).fields[0].target;
      const auto& index = index_[index_place(kind)];
      const auto parent = index.find(d.fields[*field]);
      if (parent == index.end())
        break;

      at = parent->second;
      if (seen_by[at] != walk)
        continue;

      d.fields[*field] = undefined_id(kind);
      ++unusable_;
    }
  }
}

const Definition* Definitions::find(Ref kind, std::uint64_t id) const {
  const auto& index = index_[index_place(kind)];
  const auto at = index.find(id);
  return at == index.end() ? nullptr : &all_[at->second];
}

void Definitions::replace_texts(
    const std::function<std::string(std::uint64_t id, const std::string& text)>& replace) {
  for (auto& definition : all_)
    if (definition.kind == DefinitionKind::String)
      definition.text = replace(definition.id(), definition.text);
}

const std::string& Definitions::text(std::uint64_t string_id) const {
  static const std::string none;
  const auto* found = find(Ref::string, string_id);
  return found ? found->text : none;
}

std::uint64_t Definitions::location_group(std::uint64_t location) const {
  return get_field<"locationGroup", DefinitionKind::Location>(*find(Ref::location, location));
}

std::optional<std::uint64_t> Definitions::mpi_rank(std::uint64_t location) const {
  const auto ranks = ranks_.find(otf2_value::paradigm_mpi);
  if (ranks == ranks_.end())
    return std::nullopt;

  const auto at = ranks->second.find(location);
  return at == ranks->second.end() ? std::nullopt : std::optional(at->second);
}

std::uint64_t Definitions::endpoint(std::uint64_t location, std::uint64_t paradigm) const {
  const auto ranks = ranks_.find(paradigm);
  if (ranks == ranks_.end() || ranks->second.contains(location))
    return location;

  const auto* self = find(Ref::location, location);
  if (!self)
    return location;

  const auto& endpoints = endpoints_.at(paradigm);
  const auto at = endpoints.find(get_field<"locationGroup", K::Location>(*self));

  return at == endpoints.end() ? location : at->second;
}

std::optional<std::uint64_t> Definitions::member(std::uint64_t self, std::uint64_t group_id,
                                                 std::uint64_t rank) const {
  const auto* group = find(Ref::group, group_id);
  if (!group)
    return std::nullopt;

  const auto type = type_of_group(*group);
  const auto paradigm = paradigm_of_group(*group);
  if (type == otf2_value::group_comm_self)
    return rank == 0 ? std::optional(endpoint(self, paradigm)) : std::nullopt;

  if (!has_global_members(*group)) {
    if (rank >= group->list.size())
      return std::nullopt;
    if (type != otf2_value::group_comm_group)
      return group->list[rank];
    rank = group->list[rank];
  }

  const auto base = comm_locations_.find(paradigm);
  if (base == comm_locations_.end() || rank >= base->second.list.size())
    return std::nullopt;

  return base->second.list[rank];
}

bool Definitions::has_global_members(const Definition& group) {
  return type_of_group(group) == otf2_value::group_comm_group &&
         (get_field<"groupFlags", K::Group>(group) & otf2_value::group_flag_global_members) != 0;
}

Members Definitions::members(const Definition& group) const {
  if (type_of_group(group) != otf2_value::group_comm_group)
    return group.list;

  const auto base = comm_locations_.find(paradigm_of_group(group));
  Members found;
  for (auto index : group.list)
    found.push_back(base != comm_locations_.end() && index < base->second.list.size()
                        ? base->second.list[index]
                        : undefined_id(Ref::location));

  return found;
}

bool Definitions::is_self(const Definition& comm) const {
  if (comm.kind != K::Comm)
    return false;

  const auto* group = find(Ref::group, get_field<"group", K::Comm>(comm));
  return group && is_comm_self(*group);
}

bool Definitions::has_unknown_side(const Definition& comm) const {
  if (comm.kind != K::InterComm)
    return false;

  const auto is_unknown = [&](std::uint64_t group_id) {
    const auto* group = find(Ref::group, group_id);
    return group && is_comm_self(*group);
  };

  return is_unknown(get_field<"groupA", K::InterComm>(comm)) ||
         is_unknown(get_field<"groupB", K::InterComm>(comm));
}

// True where the process of `self` is in a group that sides_ has.
bool Definitions::is_on_side(std::uint64_t self, std::uint64_t group_id) const {
  const auto locations = sides_.find(group_id);
  if (locations == sides_.end())
    return false;

  const auto paradigm = paradigm_of_group(*find(Ref::group, group_id));

  return locations->second.contains(endpoint(self, paradigm));
}

std::uint64_t Definitions::peer_group(std::uint64_t self, const Definition& comm) const {
  if (comm.kind != K::InterComm)
    return get_field<"group", K::Comm>(comm);

  const auto first = get_field<"groupA", K::InterComm>(comm);
  const auto second = get_field<"groupB", K::InterComm>(comm);
  if (sides_.contains(first))
    return is_on_side(self, first) ? second : first;

  // COMM_SELF lists nobody. Who is not on the other side is on that one.
  return is_on_side(self, second) ? first : second;
}

std::optional<std::uint64_t> Definitions::partner(std::uint64_t self, std::uint64_t comm,
                                                  std::uint64_t rank) const {
  const auto* found = find(Ref::comm, comm);
  if (!found)
    return std::nullopt;

  const auto group_id = peer_group(self, *found);
  const auto* group = find(Ref::group, group_id);
  if (found->kind == K::InterComm && group && is_comm_self(*group))
    return std::nullopt;

  const auto location = member(self, group_id, rank);
  if (!location || !find(Ref::location, *location))
    return std::nullopt;

  return location;
}

bool Definitions::has_rank(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
  const auto* found = find(Ref::comm, comm);
  if (!found)
    return false;

  const auto location = member(self, peer_group(self, *found), rank);

  return location && find(Ref::location, *location);
}

}  // namespace tracefold
