#include "pipeline/viewers/make_view.hpp"

#include "base/text.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tracefold {

namespace {

using D = DefinitionKind;

std::string count_things(std::uint64_t n, const char* one, const char* many) {
  return fmt::format("{} {}", group_digits(n), n == 1 ? one : many);
}

// What a thread stands for.
std::string describe_representative(const LocationProperties& found,
                                    const RepresentativeNames& names) {
  if (found.is_halo())
    return "a partner of kept processes, with nothing but what it exchanges with them";
  if (!found.count)
    return "";

  std::string group;
  if (found.group) {
    const bool has_name = *found.group < names.groups.size();
    group = has_name ? fmt::format(" (group {}: {})", *found.group, names.groups[*found.group])
                     : fmt::format(" (group {})", *found.group);
  }
  if (*found.count == 1)
    return "stands for itself only" + group;

  const auto named = found.source ? names.members.find(*found.source) : names.members.end();
  const auto members = named != names.members.end() ? named->second : found.members.value_or("");
  return fmt::format("stands for {} processes{}{}", group_digits(*found.count),
                     members.empty() ? "" : ": " + members, group);
}

// With all nodes above it that are not there yet: these come first, though OTF2 does not say that
// they are defined first.
void add_node(PlacedView& placed, const Definitions& definitions, const Definition& node) {
  std::vector<const Definition*> missing;
  for (const auto* at = &node; at && !placed.nodes.find(at->id());
       at = definitions.find(Ref::system_tree_node, get_field<"parent", D::SystemTreeNode>(*at)))
    missing.push_back(at);

  for (; !missing.empty(); missing.pop_back()) {
    const auto& next = *missing.back();
    const auto parent = placed.nodes.find(get_field<"parent", D::SystemTreeNode>(next));
    placed.nodes.add(next.id(), placed.view.nodes.size());
    placed.view.nodes.push_back(
        {definitions.text(get_field<"name", D::SystemTreeNode>(next)), parent});
  }
}

std::vector<const Definition*> list_by_id(const Definitions& definitions, DefinitionKind kind) {
  std::vector<const Definition*> all;
  for (const auto& d : definitions.all())
    if (d.kind == kind)
      all.push_back(&d);
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->id() < b->id(); });

  return all;
}

// Location groups that are not defined, as some tools leave them, get a process as well.
std::size_t find_or_add_process(PlacedView& placed, std::uint64_t group) {
  if (const auto known = placed.processes.find(group))
    return *known;

  const auto place = placed.view.processes.size();
  placed.processes.add(group, place);
  placed.view.processes.push_back({fmt::format("location group {}", group), std::nullopt});

  return place;
}

// What a metric is about, where that is not the location that records it.
std::string find_scope_name(const Definitions& definitions, const Definition& instance) {
  constexpr std::array kinds{Ref::location, Ref::location_group, Ref::system_tree_node, Ref::group};
  const auto scope = get_field<"metricScope", D::MetricInstance>(instance);
  if (scope >= kinds.size())
    return "";
  const auto id = get_field<"scope", D::MetricInstance>(instance);
  const auto* whose = definitions.find(kinds[scope], id);
  if (!whose || (scope == otf2_value::scope_location &&
                 id == get_field<"recorder", D::MetricInstance>(instance)))
    return "";

  return definitions.text(whose->fields[1]);  // all of them have their name there
}

void add_counters(PlacedView& placed, const Definitions& definitions, std::size_t thread,
                  std::uint64_t metric) {
  const auto* defined = definitions.find(Ref::metric, metric);
  std::string whose;
  if (defined && defined->kind == D::MetricInstance) {
    whose = find_scope_name(definitions, *defined);
    defined = definitions.find(Ref::metric, get_field<"metricClass", D::MetricInstance>(*defined));
  }
  if (!defined || defined->kind != D::MetricClass)
    return;

  placed.first_counters[thread].add(metric, placed.view.counters.size());
  for (const auto id : defined->list) {
    ViewCounter counter;
    counter.thread = thread;
    if (const auto* member = definitions.find(Ref::metric_member, id)) {
      counter.name = definitions.text(get_field<"name", D::MetricMember>(*member));
      counter.description = definitions.text(get_field<"description", D::MetricMember>(*member));
      counter.unit = format_recorded_unit(definitions, *member);
    }
    if (!whose.empty())
      counter.name += " of " + whose;
    placed.view.counters.push_back(std::move(counter));
  }
}

void add_markers(PlacedView& placed, const ArchiveFacts& facts, const ViewClock& clock) {
  // In the order of OTF2_MarkerScope.
  constexpr std::array kinds{Ref::string,           Ref::location, Ref::location_group,
                             Ref::system_tree_node, Ref::group,    Ref::comm};
  const auto& definitions = facts.definitions;

  for (const auto& marker : facts.markers) {
    ViewMarker shown;
    shown.time = clock.find_nanoseconds(marker.time);
    shown.duration = clock.convert(marker.duration);
    shown.text = marker.text;
    for (const auto& kind : facts.marker_kinds)
      if (kind.id == marker.kind)
        shown.name = kind.category;

    const auto scope = marker.scope < kinds.size() ? kinds[marker.scope] : Ref::string;
    if (scope == Ref::location)
      shown.thread = placed.threads.find(marker.scope_id);
    else if (scope == Ref::location_group)
      shown.process = placed.processes.find(marker.scope_id);
    if (const auto* about =
            scope == Ref::string ? nullptr : definitions.find(scope, marker.scope_id))
      shown.about = definitions.text(about->fields[1]);
    placed.view.markers.push_back(std::move(shown));
  }

  std::stable_sort(placed.view.markers.begin(), placed.view.markers.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
}

// How many processes there are, and for how many they stand.
std::string make_title(const Definitions& definitions) {
  const auto properties = read_location_properties(definitions);
  std::uint64_t halo = 0, represented = 0;
  for (const auto& [location, found] : properties) {
    halo += found.is_halo();
    represented += found.count.value_or(0);
  }

  const auto kept = definitions.locations().size() - halo;
  auto title = count_things(kept, "process", "processes");
  if (represented > kept)
    title += " for " + group_digits(represented);
  if (halo > 0)
    title += ", " + count_things(halo, "partner", "partners");

  return title;
}

std::string list_left_out(const std::vector<ViewSurvey>& surveys) {
  std::string list;
  const auto add = [&](std::uint64_t records, std::string_view name) {
    if (records > 0)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", records, name);
  };

  std::uint64_t unknown = 0;
  for (std::size_t k = 0; k < event_kinds; ++k) {
    std::uint64_t records = 0;
    for (const auto& survey : surveys)
      records += survey.left_out[k];
    add(records, event_table[k].name);
  }
  for (const auto& survey : surveys)
    unknown += survey.unknown;
  add(unknown, "of kinds that are not known");

  return list;
}

void add_view_properties(View& view, const ArchiveFacts& facts,
                         const std::vector<ViewSurvey>& surveys, const MessageLinks& links,
                         const ViewClock& clock) {
  const auto add = [&view](const std::string& name, const std::string& value) {
    if (!value.empty())
      view.properties.emplace_back(name, value);
  };

  add("processes", view.title);
  add("machine", facts.machine);
  add("creator", facts.creator);
  add("description", facts.description);
  for (const auto& [name, value] : facts.properties)
    if (name != plan_hash_property)  // there is no plan beside the file
      add(name, value);

  add("clock", fmt::format("0 is tick {} of a clock with {} ticks a second", clock.begin(),
                           clock.ticks_per_second()));
  if (links.unlinked() > 0)
    add("ends of messages without an arrow", std::to_string(links.unlinked()));
  add("records that are not shown", list_left_out(surveys));
  std::uint64_t not_finite = 0;
  for (const auto& survey : surveys)
    not_finite += survey.not_finite;
  if (not_finite > 0)
    add("values of metrics that are infinite or no numbers, and not shown",
        std::to_string(not_finite));
}

}  // namespace

PlacedView place_definitions(const Definitions& definitions, const RepresentativeNames& names) {
  PlacedView placed;
  auto& view = placed.view;
  for (const auto* node : list_by_id(definitions, D::SystemTreeNode))
    add_node(placed, definitions, *node);

  for (const auto* group : list_by_id(definitions, D::LocationGroup)) {
    placed.processes.add(group->id(), view.processes.size());
    view.processes.push_back(
        {definitions.text(get_field<"name", D::LocationGroup>(*group)),
         placed.nodes.find(get_field<"systemTreeParent", D::LocationGroup>(*group))});
  }

  const auto properties = read_location_properties(definitions);
  for (const auto id : definitions.locations()) {
    const auto& location = *definitions.find(Ref::location, id);
    const auto facts = properties.find(id);
    placed.threads.add(id, view.threads.size());
    view.threads.push_back(
        {definitions.text(get_field<"name", D::Location>(location)),
         find_or_add_process(placed, definitions.location_group(id)),
         facts == properties.end() ? "" : describe_representative(facts->second, names)});
  }

  for (const auto* region : list_by_id(definitions, D::Region)) {
    placed.functions.add(region->id(), view.functions.size());
    const auto paradigm = get_field<"paradigm", D::Region>(*region);
    const auto* defined = definitions.find(Ref::paradigm, paradigm);
    const auto& name = definitions.text(get_field<"name", D::Region>(*region));
    view.functions.push_back({name.empty() ? "(no name)" : name,
                              defined ? definitions.text(get_field<"name", D::Paradigm>(*defined))
                                      : paradigm_name(paradigm)});
  }

  for (const auto kind : {D::Comm, D::InterComm})
    for (const auto* comm : list_by_id(definitions, kind)) {
      placed.communicators.add(comm->id(), view.communicators.size());
      view.communicators.push_back(
          definitions.text(get_field<"name", D::Comm, D::InterComm>(*comm)));
    }

  placed.first_counters.resize(view.threads.size());
  view.title = make_title(definitions);

  return placed;
}

void complete_view(PlacedView& placed, const ArchiveFacts& facts,
                   const std::vector<ViewSurvey>& surveys, const MessageLinks& links,
                   const ViewClock& clock) {
  for (std::size_t t = 0; t < surveys.size(); ++t)
    for (const auto metric : surveys[t].metrics)
      add_counters(placed, facts.definitions, t, metric);

  add_markers(placed, facts, clock);
  add_view_properties(placed.view, facts, surveys, links, clock);
}

}  // namespace tracefold
