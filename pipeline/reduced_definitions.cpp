#include "pipeline/reduced_definitions.hpp"

#include "model/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

using K = DefinitionKind;

// Kinds in the order of the output. Kinds in one row share their ids.
const std::vector<std::vector<DefinitionKind>> output_order{
    {K::Attribute}, {K::Paradigm}, {K::ParadigmProperty}, {K::IoParadigm}, {K::SystemTreeNode}, {K::SystemTreeNodeProperty}, {K::SystemTreeNodeDomain},
    {K::LocationGroup}, {K::Location}, {K::LocationGroupProperty}, {K::LocationProperty}, {K::Region}, {K::Callsite}, {K::Callpath}, {K::Group},
    {K::Comm, K::InterComm}, {K::MetricMember}, {K::MetricClass, K::MetricInstance}, {K::MetricClassRecorder}, {K::Parameter}, {K::CallpathParameter},
    {K::RmaWin}, {K::CartDimension}, {K::CartTopology}, {K::CartCoordinate}, {K::SourceCodeLocation}, {K::CallingContext},
    {K::CallingContextProperty}, {K::InterruptGenerator}, {K::IoRegularFile, K::IoDirectory}, {K::IoFileProperty}, {K::IoHandle},
    {K::IoPreCreatedHandleState}};

// Nothing names these; they stay where what they name stays.
bool is_unnamed(const Definition& d) {
  switch (d.kind) {
    case K::ParadigmProperty: case K::SystemTreeNodeProperty: case K::SystemTreeNodeDomain: case K::LocationGroupProperty: case K::LocationProperty:
    case K::Callsite: case K::Callpath: case K::MetricClassRecorder: case K::CallpathParameter: case K::CartTopology: case K::CartCoordinate:
    case K::CallingContextProperty: case K::IoFileProperty: case K::IoPreCreatedHandleState: return true;
    case K::Group: return d.fields[2] < otf2_value::group_comm_locations;
    default: return false;
  }
}

bool is_group_of(const Definition& d, std::uint64_t type) { return d.kind == K::Group && d.fields[2] == type; }

// What is left of a group's members has a kind of id, by the group's type.
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

// The new ids as an array, where it would not be much larger than what it holds.
std::vector<std::uint64_t> table_of(Ref kind, const std::unordered_map<std::uint64_t, std::uint64_t>& ids) {
  std::uint64_t largest = 0;
  for (auto [old_id, new_id] : ids) largest = std::max(largest, old_id);
  if (ids.empty() || largest >= 64 * ids.size() + 4096) return {};
  std::vector<std::uint64_t> table(largest + 1, undefined_of(kind));
  for (auto [old_id, new_id] : ids) table[old_id] = new_id;
  return table;
}

}  // namespace

ReducedDefinitions::ReducedDefinitions(const Definitions& original, const Plan& plan, const KeptLocations& kept, const Partners& partners,
                                       const UsedRefs& used, const std::vector<std::string>& stand_ins, const ReducedOptions& options)
    : original_(original), plan_(plan), kept_(kept), partners_(partners), options_(options) {
  for (const auto& k : kept_.all()) {
    location_counts_.emplace(k.id, k.count);
    group_counts_.emplace(original_.find(Ref::location, k.id)->fields[4], k.count);
  }
  mark(used);
  number();
  std::vector<std::uint64_t> strings;
  used.of(Ref::string).for_each([&](std::uint64_t id) { strings.push_back(id); });
  std::sort(strings.begin(), strings.end());
  for (auto id : strings)
    if (id != undefined_of(Ref::string)) new_ids_[index(Ref::string)][id] = intern(original_.text(id));
  emit();
  add_standing();
  add_stand_ins(stand_ins);
  for (std::size_t kind = 0; kind < ref_kinds; ++kind)
    if (kind != index(Ref::location) && kind != index(Ref::paradigm)) tables_[kind] = table_of(static_cast<Ref>(kind), new_ids_[kind]);
}

void ReducedDefinitions::mark(const UsedRefs& used) {
  for (auto group : kept_.groups()) mark_one(Ref::location_group, group);
  for (const auto& k : kept_.all()) marked_[index(Ref::location)].insert(k.id);
  for (std::size_t kind = 0; kind < ref_kinds; ++kind) {
    const auto ref = static_cast<Ref>(kind);
    if (ref == Ref::location || ref == Ref::location_group || ref == Ref::string) continue;
    used.of(ref).for_each([&](std::uint64_t id) {
      const auto* d = original_.find(ref, id);
      if (d && !is_of_earlier_reduction(*d)) mark_one(ref, id);
    });
  }
  for (const auto& d : original_.all())
    if (is_group_of(d, otf2_value::group_comm_locations)) mark_one(Ref::paradigm, d.fields[3]);
  mark_unnamed();
}

// Marks a definition and all that it names, but for strings and locations.
void ReducedDefinitions::mark_one(Ref kind, std::uint64_t id) {
  std::vector<std::pair<Ref, std::uint64_t>> open{{kind, id}};
  while (!open.empty()) {
    const auto [ref, self] = open.back();
    open.pop_back();
    const auto* d = original_.find(ref, self);
    if (!d || !marked_[index(ref)].insert(self).second) continue;
    for_each_ref(row_of(d->kind).shape(), d->fields, d->list, [&](Ref to, std::uint64_t target) {
      if (to != Ref::string && to != Ref::location && (to != Ref::location_group || d->kind == K::LocationGroup)) open.emplace_back(to, target);
    });
    if (d->kind == K::MetricInstance && d->fields[3] >= otf2_value::scope_system_tree_node) open.emplace_back(scope_kind(d->fields[3]), d->fields[4]);
    if (d->kind == K::Location) open.emplace_back(Ref::location_group, d->fields[4]);
  }
}

bool ReducedDefinitions::all_refs_marked(const Definition& d) const {
  bool all = true;
  for_each_ref(row_of(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t id) {
    if (kind != Ref::string && id != undefined_of(kind) && !is_marked(kind, id)) all = false;
  });
  return all;
}

// A group that says which locations were one group.
bool ReducedDefinitions::is_of_earlier_reduction(const Definition& d) const {
  return is_group_of(d, otf2_value::group_locations) && original_.text(d.fields[1]).starts_with("tracefold ");
}

bool ReducedDefinitions::unnamed_stays(const Definition& d) const {
  if (d.kind == K::LocationProperty || d.kind == K::LocationGroupProperty || d.kind == K::SystemTreeNodeProperty)
    return is_marked(row_of(d.kind).shape()[0].target, d.fields[0]) && !original_.text(d.fields[1]).starts_with("tracefold::");
  if (d.kind == K::Group) {
    if (is_of_earlier_reduction(d)) return false;
    const auto kind = member_kind(d);
    return !kind || std::any_of(d.list.begin(), d.list.end(), [&](auto id) { return is_marked(*kind, id); });
  }
  if (d.kind == K::CartTopology) return is_marked(Ref::comm, d.fields[2]);
  if (d.kind == K::CartCoordinate) {
    const auto* topology = original_.find(Ref::cart_topology, d.fields[0]);
    return topology && is_marked(Ref::cart_topology, d.fields[0]) && partners_.new_rank(0, topology->fields[2], d.fields[1]);
  }
  return all_refs_marked(d);
}

void ReducedDefinitions::mark_unnamed() {
  for (bool more = true; std::exchange(more, false);)  // one may name another: call paths their parents
    for (const auto& d : original_.all()) {
      const auto self = self_of(d);
      if (!is_unnamed(d) || !self || is_marked(*self, d.id()) || !unnamed_stays(d)) continue;
      mark_one(*self, d.id());
      more = true;
    }
  for (const auto& d : original_.all())
    if (d.kind == K::MetricClassRecorder && kept_.has(d.fields[1])) mark_one(Ref::metric, d.fields[0]);
}

// Gives new ids to definitions that share them: parents before children, else
// in the original's order.
void ReducedDefinitions::number_kind(const std::vector<const Definition*>& kind) {
  std::unordered_set<const Definition*> placed;
  const auto place = [&](const Definition* d) {
    std::vector<const Definition*> chain;  // the definition and its parents that have no place yet
    for (; d && placed.insert(d).second;) {
      chain.push_back(d);
      const auto self = self_of(*d);
      const Definition* parent = nullptr;
      if (self) {
        const auto shape = row_of(d->kind).shape();
        for (std::size_t i = 1; i < shape.size(); ++i)
          if (shape[i].role == FieldRole::ref && shape[i].target == *self && is_marked(*self, d->fields[i])) parent = original_.find(*self, d->fields[i]);
      }
      d = parent;
    }
    for (; !chain.empty(); chain.pop_back()) {
      order_.push_back(chain.back());
      if (auto self = self_of(*chain.back())) {
        auto& ids = new_ids_[index(*self)];
        ids.emplace(chain.back()->id(), *self == Ref::paradigm ? chain.back()->id() : ids.size());
      }
    }
  };
  for (const auto* d : kind) place(d);
}

void ReducedDefinitions::number() {
  for (const auto& k : kept_.all()) new_ids_[index(Ref::location)].emplace(k.id, k.new_id);
  for (const auto& row : output_order) {
    std::vector<const Definition*> kind;
    if (row[0] == K::LocationGroup) {
      for (auto id : kept_.groups())
        if (const auto* d = original_.find(Ref::location_group, id)) kind.push_back(d);
    } else if (row[0] == K::Location) {
      for (const auto& k : kept_.all()) order_.push_back(original_.find(Ref::location, k.id));
      continue;
    } else if (row[0] == K::Group) {
      for (const auto& [paradigm, d] : original_.comm_locations()) order_.push_back(&d);
    }
    for (auto one : row)
      for (const auto& d : original_.all()) {
        if (d.kind != one || one == K::LocationGroup || is_group_of(d, otf2_value::group_comm_locations)) continue;
        const auto self = self_of(d);
        if (self ? is_marked(*self, d.id()) : unnamed_stays(d)) kind.push_back(&d);
      }
    if (row[0] == K::Group) {
      auto& ids = new_ids_[index(Ref::group)];
      std::uint64_t next = 0;
      for (const auto& [paradigm, d] : original_.comm_locations()) ids.emplace(d.id(), next++);
      for (const auto* d : kind) {
        if (original_.find(Ref::group, d->id()) == d) ids.insert_or_assign(d->id(), next);
        ++next;
        order_.push_back(d);
      }
      next_group_ = next;
      continue;
    }
    number_kind(kind);
  }
}

std::uint64_t ReducedDefinitions::intern(const std::string& text) {
  auto [at, fresh] = string_ids_.try_emplace(text, strings_.size());
  if (fresh) strings_.push_back(text);
  return at->second;
}

std::uint64_t ReducedDefinitions::find_new_id(Ref kind, std::uint64_t id) const {
  if (kind == Ref::location) {
    const auto stand_in = kept_.stand_in(id);
    return stand_in ? kept_.new_id(*stand_in) : undefined_of(kind);
  }
  if (kind == Ref::paradigm) return id;
  const auto& ids = new_ids_[index(kind)];
  auto at = ids.find(id);
  return at == ids.end() ? undefined_of(kind) : at->second;
}

void ReducedDefinitions::renumber(std::vector<tracefold::Attribute>& attributes) const {
  for (auto& a : attributes) {
    a.id = new_id(Ref::attribute, a.id);
    if (auto kind = ref_of_type(a.type)) a.value = new_id(*kind, a.value);
  }
}

void ReducedDefinitions::renumber(Event& event) const {
  for_each_ref(row_of(event.kind).shape(), event.fields, event.list, [&](Ref kind, std::uint64_t& id) { id = new_id(kind, id); });
  renumber(event.attributes);
}

void ReducedDefinitions::cut_group(Definition& d, const Definition& original) const {
  d.list.clear();
  if (original.fields[2] == otf2_value::group_comm_group) {
    auto base = original_.comm_locations().find(original.fields[3]);
    if (base != original_.comm_locations().end()) {
      const auto& places = partners_.new_places(base->second);
      for (auto member : original.list)
        if (member < places.size() && places[member] != Partners::none) d.list.push_back(places[member]);
    }
  } else if (original.fields[2] == otf2_value::group_comm_locations) {
    for (auto member : original.list)
      if (kept_.has(member)) d.list.push_back(kept_.new_id(member));
  } else if (auto kind = member_kind(original)) {
    for (auto member : original.list)
      if (is_marked(*kind, member)) d.list.push_back(new_id(*kind, member));
  } else {
    d.list = original.list;
  }
  d.fields[5] = d.list.size();
}

// An asynchronous metric may be recorded by, or tell of, a location that is
// left out; the one that stands for it takes its place.
void ReducedDefinitions::cut_instance(Definition& d) {
  const auto kind = scope_kind(d.fields[3]);
  auto scope = d.fields[4];
  if (kind == Ref::location_group && !is_marked(kind, scope)) {
    const auto& locations = original_.locations();
    auto in_scope = std::find_if(locations.begin(), locations.end(), [&](auto id) { return original_.find(Ref::location, id)->fields[4] == scope && kept_.stand_in(id); });
    const auto kept = in_scope == locations.end() ? kept_.all()[0].id : *kept_.stand_in(*in_scope);
    scope = original_.find(Ref::location, kept)->fields[4];
  }
  d.fields[4] = new_id(kind, scope);
  if (d.fields[2] == undefined_of(Ref::location)) d.fields[2] = kept_.all()[0].new_id;
  if (kind == Ref::location && d.fields[4] == undefined_of(Ref::location)) d.fields[4] = d.fields[2];
}

void ReducedDefinitions::name_counts(Definition& d, const Definition& original) {
  if (options_.plain_names) return;
  const auto& counts = d.kind == K::Location ? location_counts_ : group_counts_;
  const auto count = counts.find(original.id());
  if (count == counts.end()) return;
  const auto name = without_count(original_.text(original.fields[1]));  // the count of an earlier reduction is part of this one
  d.fields[1] = intern(count->second > 1 ? fmt::format("{}× {}", count->second, name) : std::string(name));
}

Definition ReducedDefinitions::cut(const Definition& original) {
  Definition d = original;
  if (auto self = self_of(d)) d.fields[0] = new_id(*self, original.id());
  for_each_ref(row_of(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t& id) {
    if (kind == Ref::string) {
      if (id != undefined_of(kind)) id = intern(original_.text(id));
    } else {
      id = new_id(kind, id);
    }
  });
  switch (d.kind) {
    case K::Group: cut_group(d, original); break;
    case K::MetricInstance: cut_instance(d); break;
    case K::Location: case K::LocationGroup: name_counts(d, original); break;
    case K::CartCoordinate:
      d.fields[1] = *partners_.new_rank(0, original_.find(Ref::cart_topology, original.fields[0])->fields[2], original.fields[1]);
      break;
    default: break;
  }
  return d;
}

// What each kept location stands for, and the groups of kept ones.
void ReducedDefinitions::add_standing() {
  const auto property = [&](std::uint64_t location, const char* name, std::uint64_t type, std::uint64_t value) {
    Definition d;
    d.kind = K::LocationProperty;
    d.fields = {location, intern(name), type, value};
    out_.push_back(std::move(d));
  };
  for (const auto& k : kept_.all()) {
    property(k.new_id, "tracefold::source", otf2_value::type_uint64, k.source);
    property(k.new_id, "tracefold::group", otf2_value::type_uint32, k.group);
    property(k.new_id, "tracefold::count", otf2_value::type_uint64, k.count);
    property(k.new_id, "tracefold::members", otf2_value::type_string, intern(k.members));
    if (plan_.processes[k.process].damaged) property(k.new_id, "tracefold::partial", otf2_value::type_uint32, 1);
  }
  std::map<std::uint32_t, std::vector<std::uint64_t>> groups;
  for (const auto& k : kept_.all()) groups[k.group].push_back(k.new_id);
  for (auto& [group, members] : groups) {
    std::sort(members.begin(), members.end());
    Definition d;
    d.kind = K::Group;
    d.fields = {next_group_++, intern(fmt::format("tracefold group {}", group)), otf2_value::group_locations, 0, 0, members.size()};
    d.list = members;
    out_.push_back(std::move(d));
  }
}

// The regions that stand for iterations.
void ReducedDefinitions::add_stand_ins(const std::vector<std::string>& names) {
  for (std::uint32_t which = 0; which < names.size(); ++which) {
    const auto name = intern(names[which]);
    Definition d;
    d.kind = K::Region;
    d.fields = {stand_in(which), name, name, intern("an iteration like the one that is named"), otf2_value::region_role_artificial,
                otf2_value::paradigm_measurement_system, 0, undefined_of(Ref::string), 0, 0};
    out_.push_back(std::move(d));
  }
}

void ReducedDefinitions::emit() {
  for (const auto* d : order_) {
    if (d->kind == K::Group && d->fields[2] == otf2_value::group_comm_locations) {
      auto one = cut(*d);
      one.fields[0] = static_cast<std::uint64_t>(std::count_if(out_.begin(), out_.end(), [](const auto& o) { return o.kind == K::Group; }));
      out_.push_back(std::move(one));
    } else {
      out_.push_back(cut(*d));
    }
  }
}

std::vector<Definition> ReducedDefinitions::definitions(const std::vector<std::uint64_t>& events, std::uint64_t first, std::uint64_t last) const {
  std::vector<Definition> all;
  Definition clock;
  clock.fields = {1'000'000'000, first, last - first, ~std::uint64_t{0}};
  for (const auto& d : original_.all())
    if (d.kind == K::ClockProperties) clock = d;
  clock.kind = K::ClockProperties;
  if (clock.fields[0] == 0) clock.fields[0] = 1;
  all.push_back(clock);
  for (std::size_t i = 0; i < strings_.size(); ++i) {
    Definition d;
    d.kind = K::String;
    d.fields[0] = i;
    d.text = strings_[i];
    all.push_back(std::move(d));
  }
  std::size_t location = 0;
  for (auto d : out_) {
    if (d.kind == K::Location) d.fields[3] = events[location++];
    all.push_back(std::move(d));
  }
  return all;
}

}  // namespace tracefold
