#include "pipeline/rewrite/staying_definitions.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

using K = DefinitionKind;

bool is_group_of(const Definition& d, std::uint64_t type) {
  return d.kind == K::Group && d.fields[2] == type;
}

std::optional<Ref> member_kind(const Definition& group) {
  switch (group.fields[2]) {
    case otf2_value::group_locations: return Ref::location;
    case otf2_value::group_regions: return Ref::region;
    case otf2_value::group_metric: return Ref::metric;
    default: return std::nullopt;
  }
}

Ref scope_kind(std::uint64_t scope) {
  switch (scope) {
    case otf2_value::scope_location: return Ref::location;
    case otf2_value::scope_location_group: return Ref::location_group;
    case otf2_value::scope_system_tree_node: return Ref::system_tree_node;
    default: return Ref::group;
  }
}

std::optional<Ref> self_of(const Definition& d) {
  const auto shape = row_of(d.kind).shape();
  return shape[0].role == FieldRole::self ? std::optional(shape[0].target) : std::nullopt;
}

namespace {

// Nothing names these; they stay where what they name stays.
bool is_unnamed(const Definition& d) {
  switch (d.kind) {
    case K::ParadigmProperty:
    case K::SystemTreeNodeProperty:
    case K::SystemTreeNodeDomain:
    case K::LocationGroupProperty:
    case K::LocationProperty:
    case K::Callsite:
    case K::Callpath:
    case K::MetricClassRecorder:
    case K::CallpathParameter:
    case K::CartTopology:
    case K::CartCoordinate:
    case K::CallingContextProperty:
    case K::IoFileProperty:
    case K::IoPreCreatedHandleState: return true;
    case K::Group: return d.fields[2] < otf2_value::group_comm_locations;
    default: return false;
  }
}

}  // namespace

StayingDefinitions::StayingDefinitions(const Definitions& original, const KeptLocations& kept,
                                       const Partners& partners, const UsedRefs& used)
    : original_(original), kept_(kept), partners_(partners) {
  for (auto group : kept_.groups())
    mark_one(Ref::location_group, group);
  for (const auto& k : kept_.all())
    staying_[index(Ref::location)].insert(k.id);

  for (std::size_t kind = 0; kind < ref_kinds; ++kind) {
    const auto ref = static_cast<Ref>(kind);
    if (ref == Ref::location || ref == Ref::location_group || ref == Ref::string)
      continue;

    used.of(ref).for_each([&](std::uint64_t id) {
      const auto* d = original_.find(ref, id);
      if (d && !is_of_earlier_reduction(*d))
        mark_one(ref, id);
    });
  }

  for (const auto& d : original_.all())
    if (is_group_of(d, otf2_value::group_comm_locations))
      mark_one(Ref::paradigm, d.fields[3]);

  mark_unnamed();
}

// Marks a definition and all that it names, but for strings and locations.
void StayingDefinitions::mark_one(Ref kind, std::uint64_t id) {
  std::vector<std::pair<Ref, std::uint64_t>> open{{kind, id}};

  while (!open.empty()) {
    const auto [ref, self] = open.back();
    open.pop_back();
    const auto* d = original_.find(ref, self);
    if (!d || !staying_[index(ref)].insert(self).second)
      continue;

    for_each_ref(row_of(d->kind).shape(), d->fields, d->list, [&](Ref to, std::uint64_t target) {
      if (to != Ref::string && to != Ref::location &&
          (to != Ref::location_group || d->kind == K::LocationGroup))
        open.emplace_back(to, target);
    });

    if (d->kind == K::MetricInstance && d->fields[3] >= otf2_value::scope_system_tree_node)
      open.emplace_back(scope_kind(d->fields[3]), d->fields[4]);
    if (d->kind == K::Location)
      open.emplace_back(Ref::location_group, d->fields[4]);
  }
}

bool StayingDefinitions::all_refs_stay(const Definition& d) const {
  bool all = true;
  for_each_ref(row_of(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
    if (kind != Ref::string && id != undefined_of(kind) && !stays(kind, id))
      all = false;
  });

  return all;
}

// A group that says which locations were one group.
bool StayingDefinitions::is_of_earlier_reduction(const Definition& d) const {
  return is_group_of(d, otf2_value::group_locations) &&
         original_.text(d.fields[1]).starts_with("tracefold ");
}

bool StayingDefinitions::unnamed_stays(const Definition& d) const {
  if (d.kind == K::LocationProperty || d.kind == K::LocationGroupProperty ||
      d.kind == K::SystemTreeNodeProperty)
    return stays(row_of(d.kind).shape()[0].target, d.fields[0]) &&
           !original_.text(d.fields[1]).starts_with("tracefold::");

  if (d.kind == K::Group) {
    if (is_of_earlier_reduction(d))
      return false;
    const auto kind = member_kind(d);
    return !kind ||
           std::any_of(d.list.begin(), d.list.end(), [&](auto id) { return stays(*kind, id); });
  }

  if (d.kind == K::CartTopology)
    return stays(Ref::comm, d.fields[2]);

  if (d.kind == K::CartCoordinate) {
    const auto* topology = original_.find(Ref::cart_topology, d.fields[0]);
    return topology && stays(Ref::cart_topology, d.fields[0]) &&
           partners_.new_rank(0, topology->fields[2], d.fields[1]);
  }

  return all_refs_stay(d);
}

void StayingDefinitions::mark_unnamed() {
  std::unordered_set<const Definition*> seen;

  for (const auto& first : original_.all()) {
    std::vector<const Definition*>
        chain;  // one may name another: call paths their parents, which come first
    for (const auto* d = &first; d && is_unnamed(*d) && self_of(*d) && seen.insert(d).second;) {
      chain.push_back(d);
      const auto field = parent_field(d->kind);
      d = field ? original_.find(*self_of(*d), d->fields[*field]) : nullptr;
    }

    for (; !chain.empty(); chain.pop_back())
      if (const auto* d = chain.back(); unnamed_stays(*d))
        mark_one(*self_of(*d), d->id());
  }

  for (const auto& d : original_.all())
    if (d.kind == K::MetricClassRecorder && kept_.has(d.fields[1]))
      mark_one(Ref::metric, d.fields[0]);
}

}  // namespace tracefold
