#include "pipeline/rewrite/reduced_definitions.hpp"

#include "base/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

using K = DefinitionKind;

}  // namespace

ReducedDefinitions::ReducedDefinitions(const Definitions& original, const Plan& plan,
                                       const KeptLocations& kept, const Partners& partners,
                                       const UsedRefs& used,
                                       const std::vector<std::string>& stand_ins,
                                       const ReducedOptions& options)
    : original_(original),
      plan_(plan),
      kept_(kept),
      partners_(partners),
      options_(options),
      staying_(original, kept, partners, used),
      ids_(original, kept, staying_),
      next_group_(ids_.groups()) {
  for (const auto& k : kept_.all()) {
    location_counts_.emplace(k.id, k.count);
    group_counts_.emplace(original_.find(Ref::location, k.id)->fields[4], k.count);
  }

  std::vector<std::uint64_t> strings;
  used.of(Ref::string).for_each([&](std::uint64_t id) { strings.push_back(id); });
  std::sort(strings.begin(), strings.end());
  for (auto id : strings)
    if (id != undefined_of(Ref::string))
      ids_.add(Ref::string, id, intern(original_.text(id)));

  emit();
  add_standing();
  add_stand_ins(stand_ins);
  ids_.make_tables();
}

std::uint64_t ReducedDefinitions::intern(const std::string& text) {
  auto [at, fresh] = string_ids_.try_emplace(text, strings_.size());
  if (fresh)
    strings_.push_back(text);
  return at->second;
}

void ReducedDefinitions::cut_group(Definition& d, const Definition& original) const {
  d.list.clear();

  if (original.fields[2] == otf2_value::group_comm_group) {
    auto base = original_.comm_locations().find(original.fields[3]);
    if (base != original_.comm_locations().end()) {
      const auto& places = partners_.new_places(base->second);
      for (auto member : original.list)
        if (member < places.size() && places[member] != Partners::none)
          d.list.push_back(places[member]);
    }
  } else if (original.fields[2] == otf2_value::group_comm_locations) {
    for (auto member : original.list)
      if (kept_.has(member))
        d.list.push_back(kept_.new_id(member));
  } else if (auto kind = member_kind(original)) {
    for (auto member : original.list)
      if (staying_.stays(*kind, member))
        d.list.push_back(new_id(*kind, member));
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

  if (kind == Ref::location_group && !staying_.stays(kind, scope)) {
    if (kept_in_group_.empty())
      for (auto id : original_.locations())
        if (const auto stand_in = kept_.stand_in(id))
          kept_in_group_.emplace(original_.find(Ref::location, id)->fields[4], *stand_in);

    const auto in_scope = kept_in_group_.find(scope);
    const auto kept = in_scope == kept_in_group_.end() ? kept_.all()[0].id : in_scope->second;
    scope = original_.find(Ref::location, kept)->fields[4];
  }

  d.fields[4] = new_id(kind, scope);
  if (d.fields[2] == undefined_of(Ref::location))
    d.fields[2] = kept_.all()[0].new_id;
  if (kind == Ref::location && d.fields[4] == undefined_of(Ref::location))
    d.fields[4] = d.fields[2];
}

void ReducedDefinitions::name_counts(Definition& d, const Definition& original) {
  if (options_.plain_names)
    return;

  const auto& counts = d.kind == K::Location ? location_counts_ : group_counts_;
  const auto count = counts.find(original.id());
  if (count == counts.end())
    return;

  const auto name = without_count(
      original_.text(original.fields[1]));  // the count of an earlier reduction is part of this one
  d.fields[1] =
      intern(count->second > 1 ? fmt::format("{}× {}", count->second, name) : std::string(name));
}

// Readers crash where these have no name; of a handle they make one of its paradigm and file.
void ReducedDefinitions::name_unnamed(Definition& d) {
  const auto name = [&](std::initializer_list<std::size_t> fields, const char* words = "") {
    for (auto f : fields)
      if (d.fields[f] == undefined_of(Ref::string))
        d.fields[f] = intern(words);
  };

  switch (d.kind) {
    case K::Region:
    case K::SourceCodeLocation:
    case K::IoRegularFile:
    case K::IoDirectory: name({1}); break;
    case K::SystemTreeNode:
    case K::IoParadigm: name({1, 2}); break;
    case K::IoHandle: {
      const bool nameless =
          d.fields[1] == undefined_of(Ref::string) || strings_[d.fields[1]].empty();
      if (nameless && (d.fields[2] == undefined_of(Ref::io_file) ||
                       d.fields[3] == undefined_of(Ref::io_paradigm)))
        d.fields[1] = undefined_of(Ref::string), name({1}, "unnamed");
      break;
    }
    default: break;
  }
}

Definition ReducedDefinitions::cut(const Definition& original) {
  Definition d = original;
  if (auto self = self_of(d))
    d.fields[0] = new_id(*self, original.id());

  for_each_ref(row_of(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t& id) {
    if (kind == Ref::string) {
      if (id != undefined_of(kind))
        id = intern(original_.text(id));
    } else {
      id = new_id(kind, id);
    }
  });

  switch (d.kind) {
    case K::Group: cut_group(d, original); break;
    case K::MetricInstance: cut_instance(d); break;
    case K::Location:
    case K::LocationGroup: name_counts(d, original); break;
    case K::CartCoordinate:
      d.fields[1] = *partners_.new_rank(
          0, original_.find(Ref::cart_topology, original.fields[0])->fields[2], original.fields[1]);
      break;
    default: break;
  }

  name_unnamed(d);

  return d;
}

// What each kept location stands for, and the groups of kept ones.
void ReducedDefinitions::add_standing() {
  const auto property = [&](std::uint64_t location, const char* name, std::uint64_t type,
                            std::uint64_t value) {
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
    if (plan_.processes[k.process].damaged)
      property(k.new_id, "tracefold::partial", otf2_value::type_uint32, 1);
  }

  std::map<std::uint32_t, std::vector<std::uint64_t>> groups;
  for (const auto& k : kept_.all())
    groups[k.group].push_back(k.new_id);

  for (auto& [group, members] : groups) {
    std::sort(members.begin(), members.end());
    Definition d;
    d.kind = K::Group;
    d.fields = {next_group_++,
                intern(fmt::format("tracefold group {}", group)),
                otf2_value::group_locations,
                0,
                0,
                members.size()};

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

    d.fields = {stand_in(which),
                name,
                name,
                intern("an iteration like the one that is named"),
                otf2_value::region_role_artificial,
                otf2_value::paradigm_measurement_system,
                0,
                undefined_of(Ref::string),
                0,
                0};

    out_.push_back(std::move(d));
  }
}

void ReducedDefinitions::emit() {
  for (const auto* d : ids_.order()) {
    if (d->kind == K::Group && d->fields[2] == otf2_value::group_comm_locations) {
      auto one = cut(*d);
      one.fields[0] = static_cast<std::uint64_t>(std::count_if(
          out_.begin(), out_.end(), [](const auto& o) { return o.kind == K::Group; }));
      out_.push_back(std::move(one));
    } else {
      out_.push_back(cut(*d));
    }
  }
}

std::vector<Definition> ReducedDefinitions::definitions(const std::vector<std::uint64_t>& events,
                                                        std::uint64_t first,
                                                        std::uint64_t last) const {
  std::vector<Definition> all;
  Definition clock;
  clock.fields = {1'000'000'000, first, last - first, ~std::uint64_t{0}};
  for (const auto& d : original_.all())
    if (d.kind == K::ClockProperties)
      clock = d;

  clock.kind = K::ClockProperties;
  if (clock.fields[0] == 0)
    clock.fields[0] = 1;

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
    if (d.kind == K::Location)
      d.fields[3] = events[location++];
    all.push_back(std::move(d));
  }

  return all;
}

}  // namespace tracefold
