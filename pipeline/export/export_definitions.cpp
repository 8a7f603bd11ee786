#include "pipeline/export/export_definitions.hpp"

#include "model/describe_group.hpp"
#include "otf2/region_roles.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/places.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

namespace {

using Kind = DefinitionKind;

// Writes a table of one part, whose rows fill() adds.
template <class Fill>
void write_table(ExportTable table, const TableOutput& output, Fill&& fill) {
  TableFile file(table, output.folder, output.format, 1, output.metadata);
  TablePart part(file, 0);
  fill(part);
  part.finish();
  file.finish();
  output.written(file);
}

std::string name_location_type(std::uint64_t type) {
  switch (type) {
    case otf2_value::location_type_cpu: return "cpu thread";
    case otf2_value::location_type_accelerator: return "accelerator stream";
    case otf2_value::location_type_metric: return "metric";
    default: return "type " + std::to_string(type);
  }
}

std::string name_severity(std::uint64_t severity) {
  constexpr std::array names{"none", "low", "medium", "high"};
  return severity < names.size() ? names[severity] : "severity " + std::to_string(severity);
}

}  // namespace

namespace {

struct ProcessRow {
  const Process* process = nullptr;
  std::uint64_t type = 0;
  std::optional<std::string> node;
  std::optional<std::uint64_t> shown_by, events;
};

std::vector<ProcessRow> list_kept(const ExportedTrace& trace) {
  const auto& definitions = trace.definitions();
  const Places places(definitions);
  std::vector<ProcessRow> rows;
  for (const auto& [location, process] : trace.processes()) {
    const auto& defined = *definitions.find(Ref::location, location);
    auto& row = rows.emplace_back();
    row.process = &process;
    row.type = get_field<"locationType", Kind::Location>(defined);
    if (const auto node = places.find_node(process.location_group))
      if (const auto* named = definitions.find(Ref::system_tree_node, *node))
        row.node = definitions.text(get_field<"name", Kind::SystemTreeNode>(*named));
    row.shown_by = process.id;
    row.events = get_field<"numberOfEvents", Kind::Location>(defined);
  }
  return rows;
}

// All processes of the original. Locations tell which of them they stand for.
std::vector<ProcessRow> list_all(const ExportedTrace& trace, const WholeProgram& whole) {
  std::unordered_map<std::uint64_t, std::uint64_t> shown_by;
  for (const auto& [location, reduction] : find_earlier_reductions(trace.definitions()))
    for (const auto member : reduction.members)
      shown_by.emplace(member, reduction.source);
  std::unordered_map<std::uint64_t, std::uint64_t> events;  // of kept ones
  for (const auto& row : list_kept(trace))
    events.emplace(row.process->id, *row.events);

  const auto kinds = whole.stored->read_kinds();
  const auto nodes = whole.stored->read_nodes();
  std::vector<ProcessRow> rows;
  for (std::size_t p = 0; p < whole.plan.processes.size(); ++p) {
    auto& row = rows.emplace_back();
    row.process = &whole.plan.processes[p];
    row.type = kinds[p].type;
    if (!nodes[p].empty())
      row.node = nodes[p].substr(nodes[p].rfind('/') + 1);
    if (const auto at = shown_by.find(row.process->id); at != shown_by.end())
      row.shown_by = at->second;
    if (const auto at = events.find(row.process->id); at != events.end())
      row.events = at->second;
  }
  std::sort(rows.begin(), rows.end(),
            [](const ProcessRow& a, const ProcessRow& b) { return a.process->id < b.process->id; });
  return rows;
}

}  // namespace

void export_processes(const ExportedTrace& trace, const WholeProgram* whole,
                      const TableOutput& output) {
  const auto rows = whole ? list_all(trace, *whole) : list_kept(trace);
  write_table(ExportTable::processes, output, [&](TablePart& part) {
    for (const auto& row : rows) {
      const auto& process = *row.process;
      part.add(process.id).add_optional(process.rank).add(process.thread).add_text(process.name);
      part.add_text(name_location_type(row.type)).add(process.location_group);
      part.add_text(process.location_group_name).add_optional_text(row.node);
      part.add_optional(row.shown_by).add_optional(row.events).end_row();
    }
  });
}

void export_locations_of_nodes(const ExportedTrace& trace, const TableOutput& output) {
  const auto& definitions = trace.definitions();
  const auto find_node = [&](std::uint64_t id) {
    return definitions.find(Ref::system_tree_node, id);
  };
  const auto find_parent = [&](const Definition& node) {
    return find_node(get_field<"parent", Kind::SystemTreeNode>(node));
  };
  // Node, process.
  std::vector<std::pair<const Definition*, std::uint64_t>> rows;
  for (const auto& [location, process] : trace.processes()) {
    const auto* group = definitions.find(Ref::location_group, process.location_group);
    const auto* node =
        group ? find_node(get_field<"systemTreeParent", Kind::LocationGroup>(*group)) : nullptr;
    for (; node; node = find_parent(*node))
      rows.emplace_back(node, process.id);
  }
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first->id(), a.second) < std::pair(b.first->id(), b.second);
  });

  write_table(ExportTable::locations_of_nodes, output, [&](TablePart& part) {
    for (const auto& [node, process] : rows) {
      std::uint64_t level = 0;
      for (const auto* above = find_parent(*node); above; above = find_parent(*above))
        ++level;
      const auto* parent = find_parent(*node);
      part.add(node->id()).add(level);
      part.add_text(definitions.text(get_field<"className", Kind::SystemTreeNode>(*node)));
      part.add_text(definitions.text(get_field<"name", Kind::SystemTreeNode>(*node)));
      part.add_optional(parent ? std::optional(parent->id()) : std::nullopt).add(process).end_row();
    }
  });
}

void export_functions(const std::vector<Function>& functions, const Definitions& definitions,
                      const TableOutput& output) {
  write_table(ExportTable::functions, output, [&](TablePart& part) {
    for (const auto& function : functions) {
      const auto* paradigm = definitions.find(Ref::paradigm, function.paradigm);
      part.add_text(function.shown_name()).add_text(function.name);
      part.add_text(function.canonical.empty() ? function.name : function.canonical);
      part.add_text(function.file).add(function.line);
      part.add_text(paradigm ? definitions.text(get_field<"name", Kind::Paradigm>(*paradigm))
                             : paradigm_name(function.paradigm));
      part.add_text(name_region_role(function.role)).end_row();
    }
  });
}

void export_call_paths(const KnownCallPaths& paths, const TableOutput& output) {
  // By name, so that paths stand behind those of their callers.
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> rows;  // with id and depth
  for (const auto& [id, path] : paths.paths()) {
    auto name = path.function;
    std::uint64_t depth = 0;
    for (auto at = path.caller; at != CallPathIds::root; ++depth) {
      const auto& caller = paths.paths().at(at);
      name = caller.function + " > " + name;
      at = caller.caller;
    }
    rows.emplace_back(std::move(name), id, depth);
  }
  std::sort(rows.begin(), rows.end());

  write_table(ExportTable::call_paths, output, [&](TablePart& part) {
    for (const auto& [name, id, depth] : rows) {
      const auto& path = paths.paths().at(id);
      part.add(id).add_optional(path.caller == CallPathIds::root ? std::nullopt
                                                                 : std::optional(path.caller));
      part.add(depth).add_text(path.function).add_text(name).end_row();
    }
  });
}

void export_markers(const ExportedTrace& trace, const TableOutput& output) {
  constexpr std::array scopes{"global",           "location", "location group",
                              "system tree node", "group",    "communicator"};
  const auto& facts = trace.archive().facts();
  auto markers = facts.markers;
  std::stable_sort(markers.begin(), markers.end(),
                   [](const Marker& a, const Marker& b) { return a.time < b.time; });

  write_table(ExportTable::markers, output, [&](TablePart& part) {
    for (const auto& marker : markers) {
      const auto kind = std::find_if(facts.marker_kinds.begin(), facts.marker_kinds.end(),
                                     [&](const MarkerKind& k) { return k.id == marker.kind; });
      const bool is_known = kind != facts.marker_kinds.end();
      part.add(static_cast<std::uint64_t>(trace.times().find_nanoseconds(marker.time)));
      part.add(trace.times().convert(marker.duration));
      part.add_text(is_known ? kind->group : "").add_text(is_known ? kind->category : "");
      part.add_text(is_known ? name_severity(kind->severity) : "none");
      part.add_text(marker.scope < scopes.size() ? scopes[marker.scope] : "unknown");
      const auto id = marker.scope == 1 ? trace.find_id(marker.scope_id) : marker.scope_id;
      part.add_optional(marker.scope == 0 ? std::nullopt : std::optional(id));
      part.add_text(marker.text).end_row();
    }
  });
}

void export_facts(const ExportedTrace& trace, const TableOutput& output) {
  write_table(ExportTable::facts, output, [&](TablePart& part) {
    for (const auto& [name, value] : output.metadata)
      part.add_text(name).add_text(value).end_row();
    for (const auto& [name, value] : trace.archive().facts().properties)
      part.add_text("property." + name).add_text(value).end_row();
  });
}

void export_groups(const Plan& plan, const TableOutput& output) {
  std::vector<std::pair<std::uint64_t, std::size_t>> rows;  // process, group
  for (std::size_t g = 0; g < plan.groups->size(); ++g)
    for (auto p : (*plan.groups)[g].members)
      rows.emplace_back(p, g);
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
    return plan.processes[a.first].id < plan.processes[b.first].id;
  });

  write_table(ExportTable::groups, output, [&](TablePart& part) {
    for (const auto& [p, group] : rows)
      part.add(group)
          .add_text(describe_group(plan, group))
          .add(plan.processes[p].id)
          .add_optional(plan.processes[p].rank)
          .end_row();
  });
}

}  // namespace tracefold
