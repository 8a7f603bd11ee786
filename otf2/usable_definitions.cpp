// Leaves out the definitions that no reader could use, and cuts circles, so that
// whoever follows a parent comes to an end.
#include "otf2/definition.hpp"

#include <utility>

namespace tracefold {

namespace {

using K = DefinitionKind;

bool is_of_processes(const Definition& group) {
  return group.fields[2] == otf2_value::group_comm_group ||
         group.fields[2] == otf2_value::group_comm_self;
}

}  // namespace

// What has the id that means "undefined" cannot be named, and nothing can be said of it. A group of
// processes counts in the COMM_LOCATIONS of its paradigm, and each paradigm has one group of the
// process itself; a communicator is of such groups, and windows and topologies are of a
// communicator.
bool Definitions::is_usable(const Definition& d,
                            const std::map<std::uint64_t, std::uint64_t>& self_groups) const {
  const auto usable = [&](Ref kind, std::uint64_t id) {
    const auto* named = find(kind, id);
    return named && (kind != Ref::group || is_of_processes(*named)) &&
           is_usable(*named, self_groups);
  };

  const auto& first = get_row(d.kind).fields[0];
  const bool names = first.role == FieldRole::self || first.role == FieldRole::ref;
  if (names && d.fields[0] == undefined_id(first.target))
    return false;

  switch (d.kind) {
    case K::Group:
      if (d.fields[2] == otf2_value::group_comm_self && self_groups.at(d.fields[3]) != d.id())
        return false;
      return !is_of_processes(d) || comm_locations_.contains(d.fields[3]);
    case K::Comm: return usable(Ref::group, d.fields[2]);
    case K::InterComm:
      return usable(Ref::group, d.fields[2]) &&
             (d.fields[3] == undefined_id(Ref::group) || usable(Ref::group, d.fields[3]));
    case K::RmaWin:
    case K::CartTopology: return usable(Ref::comm, d.fields[2]);
    default: return true;
  }
}

void Definitions::cut_circles() {
  std::vector<std::uint32_t> way(all_.size(), 0);  // the number of the walk to parents that came by
  std::uint32_t walk = 0;

  for (std::size_t i = 0; i < all_.size(); ++i) {
    ++walk;

    for (auto at = i; way[at] == 0;) {
      way[at] = walk;
      auto& d = all_[at];
      const auto field = parent_field(d.kind);
      if (!field)
        break;

      const auto kind = get_row(d.kind).fields[0].target;
      const auto& index = index_[static_cast<std::size_t>(kind)];
      const auto parent = index.find(d.fields[*field]);
      if (parent == index.end())
        break;

      at = parent->second;
      if (way[at] != walk)
        continue;

      d.fields[*field] = undefined_id(kind);
      ++unusable_;
    }
  }
}

void Definitions::leave_out_unusable() {
  std::map<std::uint64_t, std::uint64_t> self_groups;  // the first of each paradigm
  for (const auto& d : all_)
    if (d.kind == K::Group && d.fields[2] == otf2_value::group_comm_self)
      self_groups.emplace(d.fields[3], d.id());

  Definitions rest;
  std::uint64_t left_out = 0;
  for (const auto& d : all_)
    left_out += !is_usable(d, self_groups);

  if (left_out) {
    for (const auto& d : all_)
      if (is_usable(d, self_groups))
        rest.add(d);

    rest.duplicates_ = duplicates_;
    rest.comm_locations_ = std::move(
        comm_locations_);  // they count by their paradigm, also one whose id another group has
    *this = std::move(rest);
  }

  unusable_ = left_out;
  cut_circles();
}

}  // namespace tracefold
