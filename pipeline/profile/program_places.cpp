#include "pipeline/profile/program_places.hpp"

#include "model/describe_group.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/messages/cart_topologies.hpp"
#include "pipeline/messages/communicator_ranks.hpp"
#include "pipeline/profile/profile_pass.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

std::uint64_t find_type(const Definitions& definitions, std::uint64_t location) {
  const auto* found = definitions.find(Ref::location, location);
  return found ? get_field<"locationType", DefinitionKind::Location>(*found) : 0;
}

// Streams without a rank belong to the process that created theirs.
std::vector<LocationPlace> place_processes(const std::vector<Process>& processes,
                                           const std::vector<std::uint64_t>& types) {
  std::map<std::uint64_t, std::uint64_t> rank_of;  // by location group
  for (const auto& process : processes)
    if (process.rank)
      rank_of.emplace(process.location_group, *process.rank);

  std::vector<LocationPlace> places;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const auto& process = processes[p];
    auto owner = process.owner();
    if (!process.rank && process.creator)
      if (const auto at = rank_of.find(*process.creator); at != rank_of.end())
        owner = {true, at->second};
    places.push_back({owner.first, owner.second, process.thread, types[p]});
  }
  return places;
}

std::optional<std::size_t> find_by_id(const std::vector<Process>& processes, std::uint64_t id) {
  const auto at =
      std::lower_bound(processes.begin(), processes.end(), id,
                       [](const Process& p, std::uint64_t wanted) { return p.id < wanted; });
  if (at == processes.end() || at->id != id)
    return std::nullopt;
  return static_cast<std::size_t>(at - processes.begin());
}

// A grid with one rank at each place that has any.
std::optional<RankGrid> make_rank_grid(std::vector<GridAxis> axes,
                                       const std::vector<std::vector<std::uint64_t>>& coordinates) {
  RankGrid grid{std::move(axes), {}};
  std::set<std::vector<std::uint64_t>> taken;
  for (const auto& of_rank : coordinates) {
    if (of_rank.size() != grid.axes.size() || !taken.insert(of_rank).second)
      return std::nullopt;
    for (std::size_t a = 0; a < of_rank.size(); ++a)
      if (of_rank[a] >= grid.axes[a].size)
        return std::nullopt;
    grid.coordinates.insert(grid.coordinates.end(), of_rank.begin(), of_rank.end());
  }
  return grid;
}

std::vector<GridAxis> list_grid_axes(const std::vector<ProgramTopology::Axis>& axes) {
  std::vector<GridAxis> out;
  for (const auto& axis : axes)
    out.push_back({axis.size, axis.is_periodic});
  return out;
}

std::vector<RankGrid> list_topology_grids(const Definitions& definitions) {
  const auto size = list_endpoints(definitions).size();
  std::vector<RankGrid> grids;

  for (const auto& topology : list_cart_topologies(definitions)) {
    if (!topology.group ||
        get_field<"paradigm", DefinitionKind::Group>(*topology.group) != otf2_value::paradigm_mpi)
      continue;
    const auto members = definitions.members(*topology.group);
    if (members.size() != size)
      continue;

    std::vector<std::vector<std::uint64_t>> coordinates(size);  // by rank of MPI
    for (const auto& place : topology.places)
      if (place.rank < size)
        if (const auto rank = definitions.mpi_rank(members[place.rank])) {
          auto& own = coordinates[*rank];  // too many where it has two places
          own.insert(own.end(), place.coordinates->begin(), place.coordinates->end());
        }
    if (auto grid = make_rank_grid(list_grid_axes(topology.axes), coordinates))
      grids.push_back(std::move(*grid));
  }
  return grids;
}

std::vector<RankGrid> list_stored_grids(const StoredProgram& stored,
                                        const std::vector<Process>& processes) {
  std::size_t size = 0;
  for (const auto& process : processes)
    if (process.rank && *process.rank < processes.size())
      size = std::max(size, static_cast<std::size_t>(*process.rank) + 1);

  std::vector<RankGrid> grids;
  for (const auto& topology : stored.read_topologies()) {
    const auto width = topology.axes.size();
    std::vector<std::vector<std::uint64_t>> coordinates(size);
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto rank = processes[p].rank;
      if (!rank || *rank >= size || width == 0 || !coordinates[*rank].empty() ||
          topology.places[p * width] == 0)
        continue;
      for (std::size_t a = 0; a < width; ++a)
        coordinates[*rank].push_back(topology.places[p * width + a] - 1);
    }
    if (auto grid = make_rank_grid(list_grid_axes(topology.axes), coordinates))
      grids.push_back(std::move(*grid));
  }
  return grids;
}

void add_ranks_of_nodes(ProgramPlaces& places, const std::vector<Node>& nodes) {
  for (const auto& node : nodes) {
    places.nodes.emplace_back(node.ranks.begin(), node.ranks.end());
    places.node_names.push_back(node.name);
  }
}

// The grid that messages propose, where it has a place for each rank.
void add_proposed_grid(ProgramPlaces& places, const Plan& plan) {
  std::set<std::uint64_t> ranks;
  for (const auto& location : places.locations)
    if (location.has_rank)
      ranks.insert(location.owner);
  std::uint64_t points = plan.grid.empty() ? 0 : 1;
  for (const auto& axis : plan.grid)
    points *= axis.size;
  if (points > 0 && points == ranks.size())
    places.grids.push_back(fill_grid(plan.grid, ranks.size()));
}

ProgramPlaces find_in_definitions(const Definitions& definitions, const Plan& plan) {
  const auto all = find_processes(definitions, {});
  std::vector<std::uint64_t> types;
  for (const auto& process : all)
    types.push_back(find_type(definitions, process.id));

  ProgramPlaces places;
  places.locations = place_processes(all, types);
  for (const auto& process : plan.processes) {
    const auto found = find_by_id(all, process.id);
    places.stands_for.push_back(found ? std::vector{*found} : std::vector<std::size_t>());
  }
  places.grids = list_topology_grids(definitions);
  add_ranks_of_nodes(places, list_nodes(definitions));

  return places;
}

// What is kept of an original: its processes, their types, grids and nodes.
struct KeptOriginal {
  std::vector<Process> processes;  // ascending by id
  std::vector<std::uint64_t> types;
  std::vector<RankGrid> grids;
};

KeptOriginal list_stored(const StoredProgram& stored) {
  KeptOriginal original{stored.read_processes(), {}, {}};
  for (const auto& kind : stored.read_kinds())
    original.types.push_back(kind.type);
  original.grids = list_stored_grids(stored, original.processes);
  return original;
}

// By the plan beside the trace: ranks are those of the locations that messages mean, and of what
// is in one location group with them. None where two of these are in one.
std::optional<KeptOriginal> list_beside(const Plan& beside, const Definitions& definitions) {
  if (!beside.messages || beside.processes.size() != beside.trace.locations)
    return std::nullopt;

  KeptOriginal original{beside.processes, {}, {}};
  std::map<std::uint64_t, std::uint64_t> rank_of;  // by location group
  const auto& endpoints = beside.messages->endpoints;
  for (std::size_t rank = 0; rank < endpoints.size(); ++rank) {
    const auto process = find_by_id(original.processes, endpoints[rank]);
    if (!process || !rank_of.emplace(original.processes[*process].location_group, rank).second)
      return std::nullopt;
  }
  std::map<std::uint64_t, std::uint64_t> threads;  // seen so far, by location group
  for (auto& process : original.processes) {
    process.thread = threads[process.location_group]++;
    if (const auto at = rank_of.find(process.location_group); at != rank_of.end())
      process.rank = at->second;
  }

  // Members are of one type.
  original.types.resize(original.processes.size());
  for (const auto& [location, reduction] : find_earlier_reductions(definitions))
    for (auto member : reduction.members)
      if (const auto process = find_by_id(original.processes, member))
        original.types[*process] = find_type(definitions, location);
  if (std::find(original.types.begin(), original.types.end(), 0) != original.types.end())
    return std::nullopt;
  return original;
}

// None where not all of it is there.
std::optional<KeptOriginal> find_whole_original(const Archive& archive, const Plan& beside,
                                                const WholeProgram* program) {
  Diagnostics ignored;
  const auto stored = program ? program->stored : read_stored_program(archive, ignored);
  auto original =
      stored ? std::optional(list_stored(*stored)) : list_beside(beside, archive.definitions());
  if (original && original->processes.size() != beside.trace.locations)
    original.reset();
  return original;
}

using Reductions = std::unordered_map<std::uint64_t, EarlierReduction>;

void place_original(ProgramPlaces& places, const KeptOriginal& original, const Plan& plan,
                    const Reductions& earlier) {
  places.locations = place_processes(original.processes, original.types);
  places.grids = original.grids;

  for (const auto& process : plan.processes) {
    auto& stood_for = places.stands_for.emplace_back();
    const auto at = earlier.find(process.id);
    const auto members = at == earlier.end() ? std::vector{process.id} : at->second.members;
    for (auto member : members)
      if (const auto found = find_by_id(original.processes, member))
        stood_for.push_back(*found);
    if (stood_for.size() != members.size())
      stood_for.clear();
  }
}

// The names of groups whose kept processes are all in the plan.
std::map<std::vector<std::size_t>, std::string> list_earlier_names(const Definitions& definitions,
                                                                   const Plan& beside,
                                                                   const Plan& plan) {
  if (!beside.groups)
    return {};

  std::map<std::uint64_t, std::vector<std::size_t>> members;  // by group
  std::set<std::uint64_t> incomplete;
  for (const auto& [location, stand_in] : read_location_properties(definitions)) {
    if (!stand_in.group || stand_in.is_halo())
      continue;
    if (const auto process = find_by_id(plan.processes, location))
      members[*stand_in.group].push_back(*process);
    else
      incomplete.insert(*stand_in.group);
  }

  std::map<std::vector<std::size_t>, std::string> names;
  for (auto& [group, processes] : members) {
    std::sort(processes.begin(), processes.end());
    // Who has no name is called by its first process, of which that plan does not say the rank.
    if (group < beside.groups->size() && !incomplete.contains(group) &&
        !(*beside.groups)[group].name.empty())
      names.emplace(std::move(processes), (*beside.groups)[group].name);
  }
  return names;
}

}  // namespace

ProgramPlaces find_program_places(const Archive& archive, const Plan& plan,
                                  const WholeProgram* program) {
  const auto& definitions = archive.definitions();
  const auto earlier = find_earlier_reductions(definitions);
  if (earlier.empty()) {
    auto places = find_in_definitions(definitions, plan);
    add_proposed_grid(places, plan);
    return places;
  }

  const auto beside = read_plan_beside(archive);
  ProgramPlaces places;
  places.knows_calls = program != nullptr;
  if (!beside.is_that || !beside.plan)
    return places;
  if (!program)
    places.earlier_names = list_earlier_names(definitions, *beside.plan, plan);
  // What was reduced several times does not tell whether all of the original is there.
  if (count_reductions(archive.facts()) == 1)
    if (const auto original = find_whole_original(archive, *beside.plan, program))
      place_original(places, *original, plan, program ? Reductions() : earlier);
  if (beside.plan->messages)
    add_ranks_of_nodes(places, beside.plan->messages->nodes);
  add_proposed_grid(places, plan);

  return places;
}

std::vector<GridAxis> read_stored_grid(const Archive& archive) {
  auto beside = read_plan_beside(archive);
  return beside.is_that && beside.plan ? std::move(beside.plan->grid) : std::vector<GridAxis>();
}

}  // namespace tracefold
