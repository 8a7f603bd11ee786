#include "pipeline/rewrite/reduced_definitions.hpp"

#include "base/ranges.hpp"
#include "model/plan.hpp"
#include "model/program/member_metrics.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

namespace tracefold {

using K = DefinitionKind;

namespace {

// The clock properties of the original, or what stands for missing ones: a clock of nanoseconds.
Definition make_clock_properties(const Definitions& original, std::uint64_t first,
                                 std::uint64_t last) {
  Definition clock;
  clock.kind = K::ClockProperties;
  clock.fields = {1'000'000'000, first, last - first, ~std::uint64_t{0}};

  for (const auto& d : original.all())
    if (d.kind == K::ClockProperties)
      clock = d;

  auto& resolution = get_field<"timerResolution", K::ClockProperties>(clock);
  resolution = std::max(resolution, std::uint64_t{1});

  return clock;
}

// What stands before the name of a location that stands for so many.
std::string make_count_sign(std::uint64_t count) {
  return count > 1 ? fmt::format("{}× ", count) : "";
}
// What stands before the name of a halo process.
constexpr const char* halo_sign = "◌ ";

std::uint64_t count_message_records(const WrittenLocation& written) {
  using enum EventKind;
  std::uint64_t messages = 0;
  for (const auto kind : {MpiSend, MpiIsend, MpiRecv, MpiIrecv})
    messages += written.others[static_cast<std::size_t>(kind)];
  return messages;
}

// What the members that stay become, by their new places in a group.
template <class GetMember>
std::vector<std::uint64_t> place_members(const std::vector<std::uint32_t>& new_places,
                                         GetMember&& get_member) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> members;
  for (std::size_t rank = 0; rank < new_places.size(); ++rank)
    if (new_places[rank] != Partners::none)
      members.emplace_back(new_places[rank], get_member(rank));
  std::sort(members.begin(), members.end());

  std::vector<std::uint64_t> placed;
  placed.reserve(members.size());
  for (const auto& [place, member] : members)
    placed.push_back(member);
  return placed;
}

}  // namespace

ReducedDefinitions::ReducedDefinitions(const Definitions& original, const Plan& plan,
                                       const KeptLocations& kept, const Partners& partners,
                                       const UsedRefs& used, const CollapsedRegions& collapsed,
                                       const ReducedOptions& options)
    : original_(original),
      plan_(plan),
      kept_(kept),
      partners_(partners),
      options_(options),
      collapsed_(collapsed),
      tree_(make_system_tree(original, plan, kept)),
      staying_(original, kept, partners, used, tree_),
      ids_(original, kept, staying_),
      next_group_(ids_.group_count()) {
  choose_signs();
  number_used_strings(used);
  add_staying();
  add_location_properties();
  add_tree_properties();
  add_groups();
  add_collapsed_regions();
  if (options_.members != MemberMetric::none)
    add_member_metric();
  ids_.make_tables();
}

void ReducedDefinitions::choose_signs() {
  for (const bool is_halo : {false, true})
    for (const auto& location : kept_.all()) {
      if ((location.role == LocationRole::halo) != is_halo)
        continue;

      const auto sign = is_halo ? std::string(halo_sign) : make_count_sign(location.count);
      location_signs_.emplace(location.id, sign);
      group_signs_.emplace(original_.location_group(location.id), sign);
    }

  const auto add_earlier = [&](std::uint64_t location, const std::string& sign) {
    earlier_location_signs_[location].insert(sign);
    earlier_group_signs_[original_.location_group(location)].insert(sign);
  };
  for (const auto& [location, earlier] : find_earlier_reductions(original_))
    add_earlier(location, make_count_sign(earlier.count));
  for (const auto& [location, source] : find_halo_locations(original_))
    add_earlier(location, halo_sign);
}

// Strings that events refer to come first, in the order of their old ids.
void ReducedDefinitions::number_used_strings(const UsedRefs& used) {
  std::vector<std::uint64_t> strings;
  used.get(Ref::string).for_each([&](std::uint64_t id) { strings.push_back(id); });
  std::sort(strings.begin(), strings.end());

  for (auto id : strings)
    if (id != undefined_id(Ref::string))
      ids_.add(Ref::string, id, strings_.add(original_.text(id)));
}

void ReducedDefinitions::add_staying() {
  std::uint64_t groups = 0;
  bool has_tree = false;

  for (const auto* original : ids_.order()) {
    if (original->kind == K::LocationGroup && !std::exchange(has_tree, true))
      add_tree_nodes();
    auto definition = reduce(*original);

    // Several lists of communication locations may share an id in the original.
    if (is_group_of_type(*original, otf2_value::group_comm_locations))
      get_field<"self", K::Group>(definition) = groups;
    groups += definition.kind == K::Group;

    reduced_.push_back(std::move(definition));
  }
}

std::uint64_t ReducedDefinitions::new_node_id(const std::optional<TreeNodeRef>& node) const {
  if (!node)
    return undefined_id(Ref::system_tree_node);
  return node->is_added ? ids_.count(Ref::system_tree_node) + node->id
                        : new_id(Ref::system_tree_node, node->id);
}

void ReducedDefinitions::add_tree_nodes() {
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const auto& added = tree_.nodes[i];
    Definition node;
    node.kind = K::SystemTreeNode;
    get_field<"self", K::SystemTreeNode>(node) = new_node_id(TreeNodeRef{i, true});
    get_field<"name", K::SystemTreeNode>(node) = strings_.add(added.name);
    get_field<"className", K::SystemTreeNode>(node) = strings_.add(added.class_name);
    get_field<"parent", K::SystemTreeNode>(node) = new_node_id(added.parent);
    reduced_.push_back(std::move(node));
  }
}

Definition ReducedDefinitions::reduce(const Definition& original) {
  Definition d = original;
  if (const auto kind = self_kind(d))
    d.fields[0] = new_id(*kind, original.id());

  for_each_ref(get_row(d.kind).shape(), d.fields, d.list, [&](Ref kind, std::uint64_t& id) {
    if (kind != Ref::string)
      id = new_id(kind, id);
    else if (id != undefined_id(kind))
      id = strings_.add(original_.text(id));
  });

  switch (d.kind) {
    case K::Group: reduce_group(d, original); break;
    case K::MetricInstance: reduce_instance(d); break;
    case K::CartCoordinate: reduce_coordinate(d, original); break;
    case K::Location: put_sign_into_name(d, original); break;
    case K::LocationGroup:
      put_sign_into_name(d, original);
      cut_later_creator(d);
      if (const auto parent = tree_.parents.find(original.id()); parent != tree_.parents.end())
        get_field<"systemTreeParent", K::LocationGroup>(d) = new_node_id(parent->second);
      break;
    default: break;
  }

  name_unnamed(d);

  return d;
}

void ReducedDefinitions::reduce_group(Definition& group, const Definition& original) const {
  group.list.clear();

  switch (get_field<"groupType", K::Group>(original)) {
    case otf2_value::group_comm_group: {
      const auto base = original_.comm_locations().find(get_field<"paradigm", K::Group>(original));
      if (base == original_.comm_locations().end())
        break;

      const auto& in_list = partners_.new_places(base->second);
      group.list = place_members(partners_.new_places(original),
                                 [&](std::size_t rank) { return in_list[original.list[rank]]; });
      break;
    }
    case otf2_value::group_comm_locations:
      group.list = place_members(partners_.new_places(original), [&](std::size_t rank) {
        return kept_.new_id(original.list[rank]);
      });
      break;
    default: {
      const auto kind = member_kind(original);
      for (auto member : original.list)
        if (!kind)
          group.list.push_back(member);
        else if (staying_.stays(*kind, member))
          group.list.push_back(new_id(*kind, member));
    }
  }

  get_field<"numberOfMembers", K::Group>(group) = group.list.size();
}

// The recorder or the scope of an asynchronous metric may be a location that is left out; the one
// that stands for it takes its place.
void ReducedDefinitions::reduce_instance(Definition& instance) const {
  const auto kind = scope_kind(instance);
  auto& scope = get_field<"scope", K::MetricInstance>(instance);
  auto& recorder = get_field<"recorder", K::MetricInstance>(instance);

  scope = new_id(kind, scope);

  if (recorder == undefined_id(Ref::location))
    recorder = kept_.all()[0].new_id;
  if (kind == Ref::location && scope == undefined_id(Ref::location))
    scope = recorder;
}

// It stays only where its rank does.
void ReducedDefinitions::reduce_coordinate(Definition& coordinate,
                                           const Definition& original) const {
  const auto* topology =
      original_.find(Ref::cart_topology, get_field<"cartTopology", K::CartCoordinate>(original));
  auto& rank = get_field<"rank", K::CartCoordinate>(coordinate);
  rank = *partners_.new_rank(0, get_field<"communicator", K::CartTopology>(*topology), rank);
}

// Readers want a creator to be defined before what it created. What stands for one that is folded
// may be the group itself, or come later.
void ReducedDefinitions::cut_later_creator(Definition& group) {
  auto& creator = get_field<"creatingLocationGroup", K::LocationGroup>(group);
  if (creator >= get_field<"self", K::LocationGroup>(group))
    creator = undefined_id(Ref::location_group);
}

void ReducedDefinitions::put_sign_into_name(Definition& definition, const Definition& original) {
  if (options_.plain_names)
    return;

  const auto& signs = definition.kind == K::Location ? location_signs_ : group_signs_;
  const auto sign = signs.find(original.id());
  if (sign == signs.end())
    return;

  // The count of an earlier reduction is part of this one. Names of the first original may look as
  // if they had one.
  const auto& earlier =
      definition.kind == K::Location ? earlier_location_signs_ : earlier_group_signs_;
  const auto old_name = get_field<"name", K::Location, K::LocationGroup>(original);
  auto name = original_.text(old_name);
  if (const auto at = earlier.find(original.id()); at != earlier.end())
    for (const auto& old_sign : at->second)
      if (!old_sign.empty() && name.starts_with(old_sign)) {
        name.erase(0, old_sign.size());
        break;
      }

  get_field<"name", K::Location, K::LocationGroup>(definition) = strings_.add(sign->second + name);
}

// Some readers crash where definitions of these kinds have no name.
void ReducedDefinitions::name_unnamed(Definition& definition) {
  const auto name = [&](std::uint64_t& string) {
    if (string == undefined_id(Ref::string))
      string = strings_.add("");
  };

  switch (definition.kind) {
    case K::Region: name(get_field<"name", K::Region>(definition)); break;
    case K::SourceCodeLocation: name(get_field<"file", K::SourceCodeLocation>(definition)); break;
    case K::IoRegularFile:
    case K::IoDirectory:
      name(get_field<"name", K::IoRegularFile, K::IoDirectory>(definition));
      break;
    case K::SystemTreeNode:
      name(get_field<"name", K::SystemTreeNode>(definition));
      name(get_field<"className", K::SystemTreeNode>(definition));
      break;
    case K::IoParadigm:
      name(get_field<"identification", K::IoParadigm>(definition));
      name(get_field<"name", K::IoParadigm>(definition));
      break;
    case K::IoHandle: name_unnamed_handle(definition); break;
    default: break;
  }
}

// Readers name a handle without a name by its file and paradigm, and crash where it has none.
void ReducedDefinitions::name_unnamed_handle(Definition& handle) {
  auto& name = get_field<"name", K::IoHandle>(handle);
  const bool is_unnamed = name == undefined_id(Ref::string) || strings_.text(name).empty();
  const bool has_file = get_field<"file", K::IoHandle>(handle) != undefined_id(Ref::io_file);
  const bool has_paradigm =
      get_field<"ioParadigm", K::IoHandle>(handle) != undefined_id(Ref::io_paradigm);

  if (is_unnamed && !(has_file && has_paradigm))
    name = strings_.add("unnamed");
}

// What each kept location stands for.
void ReducedDefinitions::add_location_properties() {
  const auto add = [&](std::uint64_t location, const char* name, std::uint64_t type,
                       std::uint64_t value) {
    Definition property;
    property.kind = K::LocationProperty;
    property.fields = {location, strings_.add(name), type, value};
    reduced_.push_back(std::move(property));
  };

  for (std::size_t i = 0; i < kept_.all().size(); ++i) {
    const auto& location = kept_.all()[i];
    const auto id = location.new_id;
    add(id, "tracefold::source", otf2_value::type_uint64, location.source);
    if (location.role == LocationRole::halo) {
      // The number of its messages is known when they are written.
      halo_properties_.emplace_back(reduced_.size(), i);
      add(id, "tracefold::halo", otf2_value::type_uint64, 0);
      continue;
    }

    add(id, "tracefold::group", otf2_value::type_uint32, location.group);
    add(id, "tracefold::count", otf2_value::type_uint64, location.count);
    add(id, "tracefold::members", otf2_value::type_string, strings_.add(location.members));
    if (const auto rank = plan_.processes[location.process].rank)
      add(id, "tracefold::rank", otf2_value::type_uint64, *rank);
    // The first one stays the first.
    if (const auto thread = plan_.processes[location.process].thread; thread != 0)
      add(id, "tracefold::thread", otf2_value::type_uint64, thread);
    if (!location.ranks.empty()) {
      const auto& clusters = *(*plan_.groups)[location.group].clusters;
      add(id, "tracefold::ranks", otf2_value::type_string, strings_.add(location.ranks));
      add(id, "tracefold::main", otf2_value::type_uint32, clusters.main);
      add(id, "tracefold::sub", otf2_value::type_uint32, clusters.sub);
    }
    if (plan_.processes[location.process].damaged)
      add(id, "tracefold::partial", otf2_value::type_uint32, 1);
  }
}

// What the nodes that were added are, and where location groups below them were.
void ReducedDefinitions::add_tree_properties() {
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    const auto& node = tree_.nodes[i];
    const auto add = [&](const char* name, std::uint64_t type, std::uint64_t value) {
      Definition property;
      property.kind = K::SystemTreeNodeProperty;
      property.fields = {new_node_id(TreeNodeRef{i, true}), strings_.add(name), type, value};
      reduced_.push_back(std::move(property));
    };
    if (!node.is_of_machine)
      add(tree_property, otf2_value::type_string, strings_.add(node.class_name));
    if (node.group)
      add("tracefold::group", otf2_value::type_uint32, *node.group);
  }

  for (const auto id : kept_.groups()) {
    const auto place = tree_.places.find(id);
    if (place == tree_.places.end())
      continue;
    Definition property;
    property.kind = K::LocationGroupProperty;
    property.fields = {new_id(Ref::location_group, id), strings_.add(node_property),
                       otf2_value::type_string, strings_.add(place->second)};
    reduced_.push_back(std::move(property));
  }
}

ReducedDefinitions::LeftOutOfTree ReducedDefinitions::count_left_out_of_tree() const {
  const auto above = Places(original_).find_nodes_above(kept_.groups());
  LeftOutOfTree left_out;
  for (const auto& d : original_.all()) {
    const bool is_property = d.kind == K::SystemTreeNodeProperty;
    if ((is_property || d.kind == K::SystemTreeNodeDomain) && above.contains(d.id()) &&
        !stays(Ref::system_tree_node, d.id()))
      ++(is_property ? left_out.properties : left_out.domains);
  }

  return left_out;
}

// The kept locations of each group, as OTF2 groups of locations.
void ReducedDefinitions::add_groups() {
  struct KeptGroup {
    std::vector<std::uint64_t> members;
    std::uint64_t count = 0;
    std::size_t example = ~std::size_t{0};  // its first kept process
  };
  std::map<std::uint32_t, KeptGroup> groups;
  for (const auto& location : kept_.all())
    if (location.role == LocationRole::kept) {
      auto& group = groups[location.group];
      group.members.push_back(location.new_id);
      group.count += location.count;
      group.example = std::min(group.example, location.process);
    }

  for (auto& [number, kept] : groups) {
    auto& [members, count, example] = kept;
    std::sort(members.begin(), members.end());
    Definition group;
    group.kind = K::Group;
    get_field<"self", K::Group>(group) = next_group_++;
    get_field<"name", K::Group>(group) = strings_.add(
        fmt::format("tracefold group {}: {}", number, name_group(plan_, number, count, example)));
    get_field<"groupType", K::Group>(group) = otf2_value::group_locations;
    get_field<"numberOfMembers", K::Group>(group) = members.size();
    group.list = members;
    reduced_.push_back(std::move(group));
  }
}

std::uint64_t ReducedDefinitions::collapsed_region(const CollapsedContext& context) const {
  const auto& all = collapsed_.contexts;
  const auto at = std::lower_bound(all.begin(), all.end(), context) - all.begin();
  return ids_.count(Ref::calling_context) + static_cast<std::uint64_t>(at);
}

// The regions that stand for iterations, and their calling contexts.
void ReducedDefinitions::add_collapsed_regions() {
  for (std::uint32_t which = 0; which < collapsed_.names.size(); ++which) {
    const auto name = strings_.add(collapsed_.names[which]);
    Definition region;
    region.kind = K::Region;
    get_field<"self", K::Region>(region) = collapsed_region(which);
    get_field<"name", K::Region>(region) = name;
    get_field<"canonicalName", K::Region>(region) = name;
    get_field<"description", K::Region>(region) =
        strings_.add("an iteration like the one that is named");
    get_field<"regionRole", K::Region>(region) = otf2_value::region_role_artificial;
    get_field<"paradigm", K::Region>(region) = otf2_value::paradigm_measurement_system;
    get_field<"sourceFile", K::Region>(region) = undefined_id(Ref::string);
    reduced_.push_back(std::move(region));
  }

  for (const auto& [which, caller] : collapsed_.contexts) {
    Definition context;
    context.kind = K::CallingContext;
    get_field<"self", K::CallingContext>(context) =
        collapsed_region(CollapsedContext{which, caller});
    get_field<"region", K::CallingContext>(context) = collapsed_region(which);
    get_field<"sourceCodeLocation", K::CallingContext>(context) =
        undefined_id(Ref::source_code_location);
    get_field<"parent", K::CallingContext>(context) = new_id(Ref::calling_context, caller);
    reduced_.push_back(std::move(context));
  }
}

// A metric class and its members. A value holds until the next one.
void ReducedDefinitions::add_member_metric() {
  Definition metric;
  metric.kind = K::MetricClass;
  get_field<"self", K::MetricClass>(metric) = member_metric();
  get_field<"metricOccurrence", K::MetricClass>(metric) = otf2_value::metric_synchronous;

  const auto has_waiting = options_.members == MemberMetric::with_waiting;
  const auto first = ids_.count(Ref::metric_member);
  for (std::size_t k = 0; k < member_metric_names.size() / (has_waiting ? 1 : 2); ++k) {
    Definition member;
    member.kind = K::MetricMember;
    get_field<"self", K::MetricMember>(member) = first + k;
    get_field<"name", K::MetricMember>(member) = strings_.add(std::string(member_metric_names[k]));
    get_field<"description", K::MetricMember>(member) =
        strings_.add("from here to the next record, over the processes that this one stands for");
    get_field<"metricType", K::MetricMember>(member) = otf2_value::metric_type_other;
    get_field<"metricMode", K::MetricMember>(member) = otf2_value::metric_absolute_next;
    get_field<"valueType", K::MetricMember>(member) = otf2_value::type_double;
    get_field<"base", K::MetricMember>(member) = otf2_value::base_decimal;
    get_field<"unit", K::MetricMember>(member) = strings_.add("s");
    reduced_.push_back(std::move(member));
    metric.list.push_back(first + k);
  }

  get_field<"numberOfMetrics", K::MetricClass>(metric) = metric.list.size();
  reduced_.push_back(std::move(metric));
}

std::vector<Definition> ReducedDefinitions::definitions(const std::vector<WrittenLocation>& written,
                                                        std::uint64_t first,
                                                        std::uint64_t last) const {
  auto reduced = reduced_;
  for (const auto& [place, location] : halo_properties_)
    get_field<"value", K::LocationProperty>(reduced[place]) =
        count_message_records(written[location]);

  std::vector<Definition> all{make_clock_properties(original_, first, last)};
  strings_.append_definitions(all);

  std::size_t location = 0;
  for (auto& d : reduced) {
    if (d.kind == K::Location)
      get_field<"numberOfEvents", K::Location>(d) = written[location++].records;
    all.push_back(std::move(d));
  }

  return all;
}

}  // namespace tracefold
