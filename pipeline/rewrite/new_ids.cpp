#include "pipeline/rewrite/new_ids.hpp"

#include <algorithm>
#include <unordered_set>

namespace tracefold {

namespace {

using K = DefinitionKind;

// Kinds in the order of the output. Kinds in one row share their ids. Properties come
// last, since their values may name definitions of any kind.
const std::vector<std::vector<DefinitionKind>> output_order{{K::Attribute},
                                                            {K::Paradigm},
                                                            {K::IoParadigm},
                                                            {K::SystemTreeNode},
                                                            {K::SystemTreeNodeDomain},
                                                            {K::LocationGroup},
                                                            {K::Location},
                                                            {K::Region},
                                                            {K::Callsite},
                                                            {K::Callpath},
                                                            {K::Group},
                                                            {K::Comm, K::InterComm},
                                                            {K::MetricMember},
                                                            {K::MetricClass, K::MetricInstance},
                                                            {K::MetricClassRecorder},
                                                            {K::Parameter},
                                                            {K::CallpathParameter},
                                                            {K::RmaWin},
                                                            {K::CartDimension},
                                                            {K::CartTopology},
                                                            {K::CartCoordinate},
                                                            {K::SourceCodeLocation},
                                                            {K::CallingContext},
                                                            {K::InterruptGenerator},
                                                            {K::IoRegularFile, K::IoDirectory},
                                                            {K::IoHandle},
                                                            {K::IoPreCreatedHandleState},
                                                            {K::ParadigmProperty},
                                                            {K::SystemTreeNodeProperty},
                                                            {K::LocationGroupProperty},
                                                            {K::LocationProperty},
                                                            {K::CallingContextProperty},
                                                            {K::IoFileProperty}};

// The new ids as an array by old id; empty where it would be much larger than what it holds.
std::vector<std::uint64_t> make_table(Ref kind,
                                      const std::unordered_map<std::uint64_t, std::uint64_t>& ids) {
  std::uint64_t largest = 0;
  for (auto [old_id, new_id] : ids)
    largest = std::max(largest, old_id);
  if (ids.empty() || largest >= 64 * ids.size() + 4096)
    return {};

  std::vector<std::uint64_t> table(largest + 1, undefined_id(kind));
  for (auto [old_id, new_id] : ids)
    table[old_id] = new_id;

  return table;
}

}  // namespace

NewIds::NewIds(const Definitions& original, const KeptLocations& kept,
               const StayingDefinitions& staying)
    : original_(original), kept_(kept), staying_(staying) {
  for (const auto& location : kept_.all())
    ids_[index(Ref::location)].emplace(location.id, location.new_id);

  for (const auto& kinds : output_order) {
    switch (kinds[0]) {
      case K::Location:
        for (const auto& location : kept_.all())
          order_.push_back(original_.find(Ref::location, location.id));
        break;
      case K::LocationGroup: number_location_groups(); break;
      case K::Group: number_groups(find_staying(kinds)); break;
      default: number(find_staying(kinds));
    }
  }
}

// The places of processes in MPI are their ranks, whoever created them.
void NewIds::number_location_groups() {
  auto& ids = ids_[index(Ref::location_group)];
  for (auto id : kept_.groups())
    if (const auto* definition = original_.find(Ref::location_group, id)) {
      order_.push_back(definition);
      ids.emplace(id, ids.size());
    }
}

// Lists of communication locations are not among them: all of them are written, by
// number_groups().
std::vector<const Definition*> NewIds::find_staying(
    const std::vector<DefinitionKind>& kinds) const {
  std::vector<const Definition*> found;
  for (auto kind : kinds)
    for (const auto& d : original_.all())
      if (d.kind == kind && !is_group_of_type(d, otf2_value::group_comm_locations) &&
          staying_.stays(d))
        found.push_back(&d);
  return found;
}

const Definition* NewIds::find_staying_parent(const Definition& definition) const {
  const auto field = find_parent_field(definition.kind);
  if (!field)
    return nullptr;

  const auto kind = *self_kind(definition);
  const auto parent = definition.fields[*field];

  return staying_.stays(kind, parent) ? original_.find(kind, parent) : nullptr;
}

// Gives new ids to definitions that share them: parents before children, else in the original's
// order.
void NewIds::number(const std::vector<const Definition*>& definitions) {
  std::unordered_set<const Definition*> placed;

  for (const auto* first : definitions) {
    // The definition and those of its parents that have no place yet.
    std::vector<const Definition*> chain;
    for (const auto* d = first; d && placed.insert(d).second; d = find_staying_parent(*d))
      chain.push_back(d);

    for (; !chain.empty(); chain.pop_back()) {
      const auto& d = *chain.back();
      order_.push_back(&d);
      const auto kind = self_kind(d);
      if (!kind)
        continue;

      auto& ids = ids_[index(*kind)];
      ids.emplace(d.id(), *kind == Ref::paradigm ? d.id() : ids.size());
    }
  }
}

// Lists of communication locations come first, as other groups refer to them by their paradigm;
// each of them is written, whatever its id.
void NewIds::number_groups(const std::vector<const Definition*>& groups) {
  auto& ids = ids_[index(Ref::group)];
  for (const auto& [paradigm, list] : original_.comm_locations()) {
    order_.push_back(&list);
    ids.emplace(list.id(), group_count_++);
  }

  for (const auto* group : groups) {
    if (original_.find(Ref::group, group->id()) == group)
      ids.insert_or_assign(group->id(), group_count_);
    ++group_count_;
    order_.push_back(group);
  }
}

void NewIds::make_tables() {
  for (std::size_t kind = 0; kind < ref_kinds; ++kind)
    if (kind != index(Ref::location) && kind != index(Ref::location_group) &&
        kind != index(Ref::paradigm))
      tables_[kind] = make_table(static_cast<Ref>(kind), ids_[kind]);
}

std::uint64_t NewIds::find_in_map(Ref kind, std::uint64_t id) const {
  if (kind == Ref::location) {
    const auto stand_in = kept_.find_representative(id);
    return stand_in ? kept_.new_id(*stand_in) : undefined_id(kind);
  }

  if (kind == Ref::paradigm)
    return id;
  if (kind == Ref::location_group)
    id = kept_.find_representative_group(id).value_or(id);

  const auto& ids = ids_[index(kind)];
  const auto at = ids.find(id);

  return at == ids.end() ? undefined_id(kind) : at->second;
}

void NewIds::renumber(std::vector<tracefold::Attribute>& attributes) const {
  std::erase_if(attributes, [&](const auto& attribute) {
    return find(Ref::attribute, attribute.id) == undefined_id(Ref::attribute);
  });

  for (auto& attribute : attributes) {
    attribute.id = find(Ref::attribute, attribute.id);
    if (const auto kind = ref_from_type(attribute.type))
      attribute.value = find(*kind, attribute.value);
  }
}

void NewIds::renumber(Event& event) const {
  for_each_ref(get_row(event.kind).shape(), event.fields, event.list,
               [&](Ref kind, std::uint64_t& id) { id = find(kind, id); });
  renumber(event.attributes);
}

}  // namespace tracefold
