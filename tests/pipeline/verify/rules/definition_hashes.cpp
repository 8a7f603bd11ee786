#include "tests/pipeline/verify/rules/definition_hashes.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

using K = DefinitionKind;

class DefinitionHashes::Hash {
 public:
  void add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  void add(const std::string& text) {
    for (char c : text)
      value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
    add(text.size());
  }
  std::uint64_t take() const { return value_ == undefined ? 1 : value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

namespace {

Ref find_scope_kind(const Definition& instance) {
  switch (get_field<"metricScope", K::MetricInstance>(instance)) {
    case otf2_value::scope_location: return Ref::location;
    case otf2_value::scope_location_group: return Ref::location_group;
    case otf2_value::scope_system_tree_node: return Ref::system_tree_node;
    default: return Ref::group;
  }
}

}  // namespace

DefinitionHashes::DefinitionHashes(const Definitions& definitions, OriginalIds locations)
    : definitions_(definitions), locations_(std::move(locations)) {
  for (const auto& d : definitions.all()) {
    const auto& first = get_row(d.kind).fields[0];
    if (first.role == FieldRole::self)
      find(first.target, d.id());
  }

  constexpr std::uint64_t most_regions = 1 << 20;
  for (const auto& d : definitions.all())
    if (d.kind == K::Region && d.id() < most_regions) {
      if (d.id() >= regions_.size())
        regions_.resize(d.id() + 1, undefined);
      regions_[d.id()] = find(Ref::region, d.id());
    }
}

std::uint64_t DefinitionHashes::find(Ref kind, std::uint64_t id) const {
  switch (kind) {
    case Ref::paradigm: return id + 1;
    case Ref::location: {
      const auto location = find_location(id);
      return location ? *location + 1 : undefined;
    }
    case Ref::location_group: {
      const auto group = find_group(id);
      return group ? *group + 1 : undefined;
    }
    default: break;
  }

  auto& known = known_[static_cast<std::size_t>(kind)];
  if (const auto at = known.find(id); at != known.end())
    return at->second;

  // All that is defined is known once this is made; after that nothing is added.
  const auto* definition = id == undefined_id(kind) ? nullptr : definitions_.find(kind, id);
  if (!definition) {
    // A string that is not defined is an empty one in a reduced archive.
    static const Definition empty{K::String, {}, {}, {}};
    return kind == Ref::string && id != undefined_id(kind) ? compute(empty) : undefined;
  }
  if (is_left_out(*definition))
    return undefined;

  // Parents first, since their chain may be as long as there are definitions.
  std::vector<const Definition*> chain;
  while (definition && !known.contains(definition->id())) {
    chain.push_back(definition);
    const auto parent = find_parent_field(definition->kind);
    definition = parent ? definitions_.find(kind, definition->fields[*parent]) : nullptr;
  }
  for (; !chain.empty(); chain.pop_back())
    known.emplace(chain.back()->id(), compute(*chain.back()));

  return known.at(id);
}

std::uint64_t DefinitionHashes::find(const Definition& definition) const {
  const auto& first = get_row(definition.kind).fields[0];
  const bool has_own = first.role == FieldRole::self && definition.kind != K::Location &&
                       definition.kind != K::LocationGroup && definition.kind != K::Paradigm;

  // Lists of locations may share an id.
  if (has_own && definitions_.find(first.target, definition.id()) == &definition)
    return find(first.target, definition.id());

  return compute(definition);
}

std::optional<std::uint64_t> DefinitionHashes::find_location(std::uint64_t id) const {
  const auto at = locations_.locations.find(id);
  return at == locations_.locations.end() ? std::nullopt : std::optional(at->second);
}

std::optional<std::uint64_t> DefinitionHashes::find_group(std::uint64_t id) const {
  const auto at = locations_.groups.find(id);
  return at == locations_.groups.end() ? std::nullopt : std::optional(at->second);
}

std::optional<std::uint64_t> DefinitionHashes::find_partner(std::uint64_t self, std::uint64_t comm,
                                                            std::uint64_t rank) const {
  const auto partner = definitions_.partner(self, comm, rank);
  return partner && is_kept(*partner) ? find_location(*partner) : std::nullopt;
}

bool DefinitionHashes::is_left_out(const Definition& d) const {
  if (!locations_.is_original || d.kind != K::MetricInstance)
    return false;

  const auto is_gone = [&](Ref kind, std::uint64_t id) {
    return definitions_.find(kind, id) && find(kind, id) == undefined;
  };
  const auto kind = find_scope_kind(d);
  const bool has_own_scope = kind == Ref::location || kind == Ref::location_group;
  return is_gone(Ref::location, get_field<"recorder", K::MetricInstance>(d)) ||
         (has_own_scope && is_gone(kind, get_field<"scope", K::MetricInstance>(d)));
}

std::uint64_t DefinitionHashes::compute(const Definition& d) const {
  Hash hash;
  hash.add(static_cast<std::uint64_t>(d.kind));
  if (d.kind == K::Paradigm)
    hash.add(d.id());

  switch (d.kind) {
    case K::String: hash.add(d.text); return hash.take();
    case K::Group: add_group(hash, d); return hash.take();
    case K::MetricInstance: add_instance(hash, d); return hash.take();
    case K::CartCoordinate: add_coordinate(hash, d); return hash.take();
    default: break;
  }

  const auto shape = get_row(d.kind).shape();
  std::size_t length = 0, at = 0, types_at = 0;
  const auto add_value = [&](std::uint64_t type, std::uint64_t value) {
    const auto kind = ref_from_type(type);
    if (kind == Ref::string)
      hash.add(definitions_.text(value));
    else
      hash.add(kind ? find(*kind, value) : value);
  };

  for (std::size_t i = 0; i < shape.size(); ++i) {
    switch (shape[i].role) {
      case FieldRole::self: break;
      case FieldRole::ref:
        // A name that is not defined is an empty one in a reduced archive, and "unnamed" of a
        // handle, since readers crash where it is missing.
        if (shape[i].target != Ref::string)
          hash.add(find(shape[i].target, d.fields[i]));
        else if (d.kind != K::IoHandle || definitions_.text(d.fields[i]) != "unnamed")
          hash.add(definitions_.text(d.fields[i]));
        else
          hash.add(std::string());
        break;
      case FieldRole::typed_value: add_value(d.fields[i - 1], d.fields[i]); break;
      case FieldRole::count:
        length = d.fields[i];
        hash.add(length);
        break;
      case FieldRole::list:
        for (std::size_t k = 0; k < length; ++k)
          hash.add(d.list[at + k]);
        at += length;
        break;
      case FieldRole::ref_list:
        for (std::size_t k = 0; k < length; ++k)
          hash.add(find(shape[i].target, d.list[at + k]));
        at += length;
        break;
      case FieldRole::type_list:
        types_at = at;
        for (std::size_t k = 0; k < length; ++k)
          hash.add(d.list[at + k]);
        at += length;
        break;
      case FieldRole::typed_list:
        for (std::size_t k = 0; k < length; ++k)
          add_value(d.list[types_at + k], d.list[at + k]);
        at += length;
        break;
      default: hash.add(d.fields[i]);
    }
  }

  return hash.take();
}

// The members of a group of processes that are kept. Which regions and metrics of a group stay
// depends on the events, and is not hashed.
void DefinitionHashes::add_group(Hash& hash, const Definition& group) const {
  const auto type = get_field<"groupType", K::Group>(group);
  hash.add(definitions_.text(get_field<"name", K::Group>(group)));
  hash.add(type);
  hash.add(get_field<"paradigm", K::Group>(group));
  hash.add(get_field<"groupFlags", K::Group>(group));

  if (type == otf2_value::group_locations || type == otf2_value::group_comm_locations ||
      type == otf2_value::group_comm_group) {
    auto members = definitions_.members(group);
    if (type != otf2_value::group_locations)
      std::stable_partition(members.begin(), members.end(),
                            [&](auto member) { return !locations_.behind.contains(member); });
    for (auto member : members)
      if (definitions_.find(Ref::location, member) && find_location(member) && is_kept(member))
        hash.add(*find_location(member));
  } else if (type != otf2_value::group_regions && type != otf2_value::group_metric) {
    for (auto member : group.list)
      hash.add(member);
  }
}

// Where a recorder is not defined, the first kept location takes its place, and the recorder
// that of a scope.
void DefinitionHashes::add_instance(Hash& hash, const Definition& instance) const {
  const auto recorder = find_location(get_field<"recorder", K::MetricInstance>(instance))
                            .value_or(locations_.first_kept);
  const auto kind = find_scope_kind(instance);
  const auto scope_id = get_field<"scope", K::MetricInstance>(instance);
  auto scope = find(kind, scope_id);
  if (scope == undefined && kind == Ref::location)
    scope = recorder + 1;

  hash.add(find(Ref::metric, get_field<"metricClass", K::MetricInstance>(instance)));
  hash.add(recorder);
  hash.add(get_field<"metricScope", K::MetricInstance>(instance));
  hash.add(scope);
}

// The location of a rank instead of the rank.
void DefinitionHashes::add_coordinate(Hash& hash, const Definition& coordinate) const {
  const auto topology_id = get_field<"cartTopology", K::CartCoordinate>(coordinate);
  const auto* topology = definitions_.find(Ref::cart_topology, topology_id);
  const auto rank = get_field<"rank", K::CartCoordinate>(coordinate);
  hash.add(find(Ref::cart_topology, topology_id));
  if (topology)
    hash.add(find_partner(0, get_field<"communicator", K::CartTopology>(*topology), rank)
                 .value_or(~std::uint64_t{0}));
  for (auto place : coordinate.list)
    hash.add(place);
}

}  // namespace tracefold
