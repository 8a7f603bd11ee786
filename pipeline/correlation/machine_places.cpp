#include "pipeline/correlation/machine_places.hpp"

#include "base/text.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/places.hpp"

#include <algorithm>
#include <sstream>

namespace tracefold {

namespace {

using Unit = MachinePlaces::Unit;
using UnitPaths = std::map<Unit, NodePath>;

UnitPaths list_defined_units(const Definitions& definitions, const Places& places) {
  UnitPaths units;
  for (auto id : list_process_locations(definitions)) {
    const auto rank = definitions.mpi_rank(definitions.endpoint(id));
    const auto* location = definitions.find(Ref::location, id);
    if (!rank || !location)
      continue;
    const auto group = get_field<"locationGroup", DefinitionKind::Location>(*location);
    if (const auto node = places.find_node(group))
      units.emplace(Unit{*rank, group}, places.find_path(*node));
  }
  return units;
}

// tracefold.profiles has names of nodes only. Their classes are those of nodes that are as deep in
// the reduced trace.
UnitPaths list_stored_units(const CorrelatedTrace& trace, const Places& places) {
  NodePath known;
  for (const auto& d : trace.archive.definitions().all())
    if (d.kind == DefinitionKind::LocationGroup)
      if (auto path = parse_node_path(places.find(d.id()).value_or("")); path.size() > known.size())
        known = std::move(path);

  UnitPaths units;
  const auto nodes = trace.program->stored->read_nodes();
  for (std::size_t p = 0; p < nodes.size() && p < trace.plan.processes.size(); ++p) {
    const auto& process = trace.plan.processes[p];
    NodePath path;
    std::istringstream names(nodes[p]);
    for (std::string name; std::getline(names, name, '/');)
      path.emplace_back(path.size() < known.size() ? known[path.size()].first : "", name);
    if (process.rank)
      units.emplace(Unit{*process.rank, process.location_group}, std::move(path));
  }
  return units;
}

// Numbers the nodes of each level below the same node above, and the processes of the lowest ones.
void number_nodes(const UnitPaths& units, std::size_t depth, MachinePlaces& out) {
  std::map<NodePath, std::map<std::pair<std::string, std::string>, std::size_t>> numbers;
  std::map<std::vector<std::size_t>, std::size_t> taken;
  for (const auto& [unit, path] : units) {
    auto& place = out.places[unit];
    NodePath above;
    for (const auto& node : path) {
      auto& known = numbers[above];
      place.push_back(known.try_emplace(node, known.size()).first->second);
      above.push_back(node);
    }
    place.resize(depth, 0);
    place.push_back(taken[place]++);
  }
}

// Leaves out levels of one node, but those that are asked for.
void leave_out_single(const std::vector<std::string>& asked, MachinePlaces& out) {
  for (std::size_t a = out.axes.size(); a-- > 0;) {
    const bool is_asked = std::find(asked.begin(), asked.end(), out.axes[a]) != asked.end();
    if (is_asked || out.sizes[a] > 1 || out.axes.size() == 1)
      continue;
    const auto at = static_cast<std::ptrdiff_t>(a);
    out.axes.erase(out.axes.begin() + at);
    out.sizes.erase(out.sizes.begin() + at);
    for (auto& [unit, place] : out.places)
      place.erase(place.begin() + at);
  }
}

}  // namespace

MachinePlaces find_machine_places(const CorrelatedTrace& trace,
                                  const std::vector<std::string>& asked) {
  const auto& definitions = trace.archive.definitions();
  if (!trace.program && !find_earlier_reductions(definitions).empty())
    return {};

  const Places places(definitions);
  auto units =
      trace.program ? list_stored_units(trace, places) : list_defined_units(definitions, places);
  std::size_t depth = 0;
  for (const auto& [unit, path] : units)
    depth = std::max(depth, path.size());
  if (depth == 0)
    return {};

  MachinePlaces out;
  for (std::size_t level = 0; level < depth; ++level) {
    const auto has_level = std::find_if(
        units.begin(), units.end(), [&](const auto& unit) { return unit.second.size() > level; });
    const auto name = to_lower(has_level->second[level].first);
    out.axes.push_back(name.empty() ? "level " + std::to_string(level + 1) : name);
  }
  out.axes.emplace_back("place");

  // What has no rank is only there where it calls something.
  for (auto m : trace.members) {
    const auto& process = trace.plan.processes[m];
    units.try_emplace(
        {process.rank.value_or(MachinePlaces::no_rank), process.location_group},
        parse_node_path(trace.program ? "" : places.find(process.location_group).value_or("")));
  }
  number_nodes(units, depth, out);

  out.sizes.assign(out.axes.size(), 1);
  for (const auto& [unit, place] : out.places)
    for (std::size_t a = 0; a < place.size(); ++a)
      out.sizes[a] = std::max(out.sizes[a], place[a] + 1);
  leave_out_single(asked, out);
  return out;
}

}  // namespace tracefold
