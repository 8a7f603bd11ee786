#include "pipeline/rewrite/new_ids.hpp"

#include <algorithm>
#include <unordered_set>

namespace tracefold {

namespace {

using K = DefinitionKind;

// Kinds in the order of the output. Kinds in one row share their ids.
const std::vector<std::vector<DefinitionKind>> output_order{{K::Attribute},
                                                            {K::Paradigm},
                                                            {K::ParadigmProperty},
                                                            {K::IoParadigm},
                                                            {K::SystemTreeNode},
                                                            {K::SystemTreeNodeProperty},
                                                            {K::SystemTreeNodeDomain},
                                                            {K::LocationGroup},
                                                            {K::Location},
                                                            {K::LocationGroupProperty},
                                                            {K::LocationProperty},
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
                                                            {K::CallingContextProperty},
                                                            {K::InterruptGenerator},
                                                            {K::IoRegularFile, K::IoDirectory},
                                                            {K::IoFileProperty},
                                                            {K::IoHandle},
                                                            {K::IoPreCreatedHandleState}};

// The new ids as an array, where it would not be much larger than what it holds.
std::vector<std::uint64_t> table_of(Ref kind,
                                    const std::unordered_map<std::uint64_t, std::uint64_t>& ids) {
  std::uint64_t largest = 0;
  for (auto [old_id, new_id] : ids)
    largest = std::max(largest, old_id);
  if (ids.empty() || largest >= 64 * ids.size() + 4096)
    return {};

  std::vector<std::uint64_t> table(largest + 1, undefined_of(kind));
  for (auto [old_id, new_id] : ids)
    table[old_id] = new_id;

  return table;
}

}  // namespace

NewIds::NewIds(const Definitions& original, const KeptLocations& kept,
               const StayingDefinitions& staying)
    : original_(original), kept_(kept), staying_(staying) {
  for (const auto& k : kept_.all())
    ids_[index(Ref::location)].emplace(k.id, k.new_id);

  for (const auto& row : output_order) {
    if (row[0] == K::Location)
      for (const auto& k : kept_.all())
        order_.push_back(original_.find(Ref::location, k.id));
    else if (row[0] == K::Group)
      number_groups(staying_of(row));
    else
      number(staying_of(row));
  }
}

std::vector<const Definition*> NewIds::staying_of(const std::vector<DefinitionKind>& kinds) const {
  std::vector<const Definition*> out;

  if (kinds[0] == K::LocationGroup) {
    for (auto id : kept_.groups())
      if (const auto* d = original_.find(Ref::location_group, id))
        out.push_back(d);
    return out;
  }

  for (auto one : kinds)
    for (const auto& d : original_.all()) {
      if (d.kind != one || is_group_of(d, otf2_value::group_comm_locations))
        continue;
      const auto self = self_of(d);
      if (self ? staying_.stays(*self, d.id()) : staying_.unnamed_stays(d))
        out.push_back(&d);
    }

  return out;
}

// Gives new ids to definitions that share them: parents before children, else
// in the original's order.
void NewIds::number(const std::vector<const Definition*>& kind) {
  std::unordered_set<const Definition*> placed;

  const auto place = [&](const Definition* d) {
    std::vector<const Definition*> chain;  // the definition and its parents that have no place yet

    for (; d && placed.insert(d).second;) {
      chain.push_back(d);
      const auto field = parent_field(d->kind);
      const bool stays = field && staying_.stays(*self_of(*d), d->fields[*field]);
      d = stays ? original_.find(*self_of(*d), d->fields[*field]) : nullptr;
    }

    for (; !chain.empty(); chain.pop_back()) {
      order_.push_back(chain.back());
      if (auto self = self_of(*chain.back())) {
        auto& ids = ids_[index(*self)];
        ids.emplace(chain.back()->id(), *self == Ref::paradigm ? chain.back()->id() : ids.size());
      }
    }
  };

  for (const auto* d : kind)
    place(d);
}

// Those of communication locations come first; each of them is written, whatever its id.
void NewIds::number_groups(const std::vector<const Definition*>& groups) {
  auto& ids = ids_[index(Ref::group)];
  for (const auto& [paradigm, d] : original_.comm_locations()) {
    order_.push_back(&d);
    ids.emplace(d.id(), groups_++);
  }

  for (const auto* d : groups) {
    if (original_.find(Ref::group, d->id()) == d)
      ids.insert_or_assign(d->id(), groups_);
    ++groups_;
    order_.push_back(d);
  }
}

void NewIds::make_tables() {
  for (std::size_t kind = 0; kind < ref_kinds; ++kind)
    if (kind != index(Ref::location) && kind != index(Ref::paradigm))
      tables_[kind] = table_of(static_cast<Ref>(kind), ids_[kind]);
}

std::uint64_t NewIds::find(Ref kind, std::uint64_t id) const {
  if (kind == Ref::location) {
    const auto stand_in = kept_.stand_in(id);
    return stand_in ? kept_.new_id(*stand_in) : undefined_of(kind);
  }

  if (kind == Ref::paradigm)
    return id;

  const auto& ids = ids_[index(kind)];
  auto at = ids.find(id);

  return at == ids.end() ? undefined_of(kind) : at->second;
}

void NewIds::renumber(std::vector<tracefold::Attribute>& attributes) const {
  std::erase_if(attributes, [&](const auto& a) {
    return of(Ref::attribute, a.id) == undefined_of(Ref::attribute);
  });
  for (auto& a : attributes) {
    a.id = of(Ref::attribute, a.id);
    if (auto kind = ref_of_type(a.type))
      a.value = of(*kind, a.value);
  }
}

void NewIds::renumber(Event& event) const {
  for_each_ref(row_of(event.kind).shape(), event.fields, event.list,
               [&](Ref kind, std::uint64_t& id) { id = of(kind, id); });
  renumber(event.attributes);
}

}  // namespace tracefold
