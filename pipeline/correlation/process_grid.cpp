#include "pipeline/correlation/process_grid.hpp"

#include "base/error.hpp"
#include "base/sort_and_unite.hpp"
#include "filters/messages/sum_matrix.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/messages/cart_topologies.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tracefold {

namespace {

using correlation::Axis;
using Coordinates = std::vector<std::size_t>;

// Processes in the order of their ranks, and the threads of each in their order.
struct Ranked {
  std::vector<std::vector<std::size_t>> members;  // of each that is there, places in the members
  std::vector<std::size_t> ranks;                 // of each that is there
  std::map<std::size_t, std::size_t> rank_of;     // of indexes of processes of the plan
  std::size_t count = 0;                          // of ranks, also of those that are not there
  bool is_known = true;                           // else ranks are what the order says
  std::vector<std::uint64_t> threads;             // numbers that any process has, ascending
};

// What has no rank comes behind what has one, by location group.
Ranked rank_processes(const Definitions& definitions, const Plan& plan,
                      const std::vector<std::size_t>& members, const ProgramRanks& program) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> groups;
  constexpr auto no_rank = MachinePlaces::no_rank;
  Ranked ranked;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto& process = plan.processes[members[m]];
    groups[{process.rank.value_or(no_rank), process.location_group}].push_back(m);
    ranked.threads.push_back(process.thread);
  }
  sort_and_unite(ranked.threads);

  // Ranks that no grid holds, or that two processes have, say nothing.
  std::uint64_t count = program.count;
  const auto count_rank = [&](std::optional<std::uint64_t> rank) {
    if (rank)
      count = std::max(count, *rank == no_rank ? no_rank : *rank + 1);
  };
  for (const auto& process : plan.processes)
    count_rank(process.rank);
  for (auto id : list_process_locations(definitions))
    count_rank(definitions.mpi_rank(id));
  std::set<std::uint64_t> taken;
  ranked.is_known = program.are_known && count <= correlation::most_points;
  for (const auto& [key, threads] : groups)
    ranked.is_known &= key.first == no_rank || taken.insert(key.first).second;
  ranked.count = ranked.is_known ? static_cast<std::size_t>(count) : 0;

  for (auto& [key, threads] : groups) {
    const bool has_rank = ranked.is_known && key.first != no_rank;
    const auto rank = has_rank ? static_cast<std::size_t>(key.first) : ranked.count++;
    for (auto m : threads)
      ranked.rank_of[members[m]] = rank;
    ranked.ranks.push_back(rank);
    ranked.members.push_back(std::move(threads));
  }
  return ranked;
}

// Names of axes of a grid without names.
std::string name_axis(std::size_t axis, std::size_t axes) {
  static constexpr const char* short_names[] = {"x", "y", "z"};
  if (axes == 1)
    return "process";
  return axes <= std::size(short_names) ? short_names[axis] : fmt::format("x{}", axis + 1);
}

std::string show_sizes(const std::vector<Axis>& axes) {
  std::string text;
  for (const auto& axis : axes)
    text += (text.empty() ? "" : "x") + std::to_string(axis.size);
  return text;
}

// Row by row, the last axis the fastest.
std::vector<std::size_t> number_points(const std::vector<Axis>& axes,
                                       const std::vector<Coordinates>& of_ranks) {
  std::vector<std::size_t> points;
  for (const auto& coordinates : of_ranks) {
    auto& point = points.emplace_back(0);
    for (std::size_t a = 0; a < axes.size(); ++a)
      point = point * axes[a].size + coordinates[a];
  }
  return points;
}

[[noreturn]] void throw_no_topology(const std::string& name,
                                    const std::vector<std::string>& known) {
  throw Error(ErrorKind::usage,
              fmt::format("`topology` '{}': the trace has no such topology", name))
      .hint(known.empty() ? "it defines none; give a grid with `grid`"
                          : fmt::format("one of: {}", fmt::join(known, ", ")));
}

[[noreturn]] void refuse_topology(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("the topology '{}' {}", name, what))
      .hint("give a grid with `grid` instead");
}

void check_no_rank_is_missing(const std::string& name, const std::vector<Coordinates>& found) {
  const auto missing =
      std::count_if(found.begin(), found.end(), [](const auto& c) { return c.empty(); });
  if (missing > 0)
    refuse_topology(name,
                    fmt::format("has no coordinates of {} of {} processes", missing, found.size()));
}

std::string name_topology_axis(const std::string& name, std::size_t axis) {
  return name.empty() ? fmt::format("x{}", axis + 1) : name;
}

template <class Topology>
const Topology& find_topology(const std::vector<Topology>& topologies, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& topology : topologies) {
    if (topology.name == name)
      return topology;
    names.push_back(topology.name);
  }
  throw_no_topology(name, names);
}

std::vector<Axis> name_axes(const std::vector<ProgramTopology::Axis>& of_topology) {
  std::vector<Axis> axes;
  for (const auto& axis : of_topology)
    axes.push_back({name_topology_axis(axis.name, axes.size()), static_cast<std::size_t>(axis.size),
                    axis.is_periodic, true});
  return axes;
}

// The coordinates of each rank of `ranked`; each process has to have its own.
std::vector<Coordinates> read_coordinates(const Definitions& definitions,
                                          const CartTopology& topology, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const Ranked& ranked) {
  const auto refuse = [&](const std::string& what) { refuse_topology(topology.name, what); };
  if (!topology.group)
    refuse("is of a communicator whose ranks are not known");
  const auto locations = definitions.members(*topology.group);

  // Ranks of the topology's communicator mean locations, any of which stands for its rank.
  std::map<std::uint64_t, std::size_t> rank_of_endpoint;
  for (std::size_t r = 0; r < ranked.members.size(); ++r)
    rank_of_endpoint[definitions.endpoint(plan.processes[members[ranked.members[r].front()]].id)] =
        r;

  std::vector<Coordinates> out(ranked.members.size());
  std::set<Coordinates> taken;
  for (const auto& [rank, place] : topology.places) {
    if (rank >= locations.size())
      continue;
    const auto process = rank_of_endpoint.find(definitions.endpoint(locations[rank]));
    if (process == rank_of_endpoint.end())
      continue;

    if (!topology.has(*place))
      refuse(fmt::format("has coordinates of rank {} that are outside of it", rank));
    if (!out[process->second].empty())
      refuse(fmt::format("has coordinates of rank {} twice", rank));
    Coordinates coordinates(place->begin(), place->end());
    if (!taken.insert(coordinates).second)
      refuse(fmt::format("has two ranks at the same place, one of them rank {}", rank));
    out[process->second] = std::move(coordinates);
  }

  check_no_rank_is_missing(topology.name, out);
  return out;
}

// The coordinates of each rank of `ranked`, which are those of its first thread.
std::vector<Coordinates> list_coordinates(const ProgramTopology& topology,
                                          const std::vector<std::size_t>& members,
                                          const Ranked& ranked) {
  const auto width = topology.axes.size();
  std::vector<Coordinates> out(ranked.members.size());
  std::set<Coordinates> taken;
  for (std::size_t r = 0; r < out.size(); ++r) {
    const auto first = members[ranked.members[r].front()] * width;
    if (width == 0 || topology.places[first] == 0)
      continue;

    for (std::size_t a = 0; a < width; ++a)
      out[r].push_back(static_cast<std::size_t>(topology.places[first + a] - 1));
    if (!taken.insert(out[r]).second)
      refuse_topology(topology.name, fmt::format("has two ranks at the same place, one of them "
                                                 "rank {}",
                                                 ranked.ranks[r]));
  }

  check_no_rank_is_missing(topology.name, out);
  return out;
}

// The coordinates of each rank of `ranked` on the machine.
std::vector<Coordinates> list_coordinates(const MachinePlaces& machine, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const Ranked& ranked) {
  std::vector<Coordinates> out;
  for (const auto& threads : ranked.members) {
    const auto& process = plan.processes[members[threads.front()]];
    out.push_back(
        machine.places.at({process.rank.value_or(MachinePlaces::no_rank), process.location_group}));
  }
  return out;
}

std::vector<Axis> make_axes(const std::vector<GridAxis>& sizes) {
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < sizes.size(); ++a)
    axes.push_back({name_axis(a, sizes.size()), static_cast<std::size_t>(sizes[a].size),
                    sizes[a].periodic, true});
  return axes;
}

// Those of the whole program where they are known, or else of what is in the trace.
correlation::Neighbours choose_neighbours(
    const Ranked& ranked, const std::vector<std::pair<std::size_t, std::size_t>>& neighbours,
    const ProgramRanks& program) {
  if (ranked.is_known && !program.neighbours.empty())
    return program.neighbours;

  correlation::Neighbours by_rank;
  for (const auto& [from, to] : neighbours) {
    const auto sender = ranked.rank_of.find(from);
    const auto receiver = ranked.rank_of.find(to);
    if (sender != ranked.rank_of.end() && receiver != ranked.rank_of.end() &&
        sender->second != receiver->second)
      by_rank.emplace(sender->second, receiver->second);
  }
  return by_rank;
}

// Refuses axes without room for all ranks.
void check_places(const std::vector<Axis>& axes, const Ranked& ranked) {
  std::size_t places = 1;
  for (const auto& axis : axes) {
    if (axis.size == 0)
      throw Error(ErrorKind::usage,
                  fmt::format("`grid` {}: an axis without points holds nothing", show_sizes(axes)))
          .hint("sizes begin at 1, as in `grid` 8x8");
    places = places > correlation::most_points / axis.size ? correlation::most_points
                                                           : places * axis.size;
  }

  if (places >= ranked.count)
    return;
  const bool has_holes = ranked.members.size() < ranked.count;
  throw Error(ErrorKind::usage, fmt::format("`grid` {}: {} places do not hold {} processes",
                                            show_sizes(axes), places, ranked.count))
      .hint(has_holes ? fmt::format("the product of the sizes has to be at least that: {} are "
                                    "there, and the others leave holes",
                                    ranked.members.size())
                      : "the product of the sizes has to be at least that");
}

}  // namespace

std::vector<std::size_t> find_calling_processes(const Plan& plan) {
  std::vector<std::size_t> calling;
  std::vector<std::size_t> on_processors;

  for (auto p : kept_processes(plan)) {
    const auto& process = plan.processes[p];
    if (process.exclusive.empty())
      continue;

    calling.push_back(p);
    if (plan.intents[process.intent].set.type == otf2_value::location_type_cpu)
      on_processors.push_back(p);
  }

  if (calling.empty())
    throw Error(ErrorKind::input, "no process calls anything").in(plan.trace.anchor);
  return on_processors.empty() ? calling : on_processors;
}

void check_points(const correlation::Grid& grid, std::size_t most_points) {
  check_size(grid);
  if (grid.count_points() > most_points)
    throw Error(ErrorKind::usage,
                fmt::format("the grid has {} points, which needs more memory than "
                            "there is",
                            grid.count_points()))
        .hint("give more with `memory`, or a smaller grid");
}

ProgramRanks read_program_ranks(const CorrelatedTrace& trace) {
  const auto& definitions = trace.archive.definitions();
  const auto earlier = find_earlier_reductions(definitions);
  if (earlier.empty())
    return {};
  for (const auto& [location, reduction] : earlier)
    if (!trace.program && !reduction.rank && definitions.mpi_rank(definitions.endpoint(location)))
      return {0, {}, false};

  ProgramRanks ranks;
  if (trace.program)
    ranks.topologies = trace.program->stored->read_topologies();
  const auto messages = read_stored_messages(trace.archive);
  constexpr std::uint64_t bytes_of_a_rank = 128;
  if (!messages || messages->size > trace.reading.memory / bytes_of_a_rank)
    return ranks;

  ranks.count = messages->size;
  const auto matrix = sum_matrix(*messages, list_rank_rows(*messages), MatrixSplit::none);
  for (const auto& part : matrix.parts)
    for (const auto& cell : part.cells)
      if (cell.from != cell.to && cell.to != unknown_row)
        ranks.neighbours.emplace(cell.from, cell.to);
  return ranks;
}

ProcessGrid find_process_grid(const Definitions& definitions, const Plan& plan,
                              const std::vector<std::size_t>& members,
                              const std::vector<std::pair<std::size_t, std::size_t>>& neighbours,
                              const ProcessGridOptions& options, const ProgramRanks& program,
                              std::size_t most_points) {
  const auto ranked = rank_processes(definitions, plan, members, program);
  ProcessGrid out;
  out.ranks = ranked.count;
  out.ranks_there = ranked.members.size();
  out.knows_ranks = ranked.is_known;
  std::vector<Axis> axes;
  std::vector<std::size_t> points;  // of each rank that is there, along these axes

  if (options.machine) {
    for (std::size_t a = 0; a < options.machine->axes.size(); ++a)
      axes.push_back({options.machine->axes[a], options.machine->sizes[a], false, true});
    points = number_points(axes, list_coordinates(*options.machine, plan, members, ranked));
    out.words = "places on the machine";
  } else if (!options.topology.empty() && program.topologies) {
    const auto& topology = find_topology(*program.topologies, options.topology);
    axes = name_axes(topology.axes);
    points = number_points(axes, list_coordinates(topology, members, ranked));
    out.words = fmt::format("topology '{}'", options.topology);
  } else if (!options.topology.empty()) {
    const auto topologies = list_cart_topologies(definitions);
    const auto& topology = find_topology(topologies, options.topology);
    axes = name_axes(topology.axes);
    points = number_points(axes, read_coordinates(definitions, topology, plan, members, ranked));
    out.words = fmt::format("topology '{}'", options.topology);
  } else if (!options.sizes.empty()) {
    std::vector<GridAxis> sizes;
    for (auto size : options.sizes)
      sizes.push_back({size, false});
    axes = make_axes(sizes);
    out.words = "as given";
  } else {
    axes = make_axes(
        correlation::propose_grid(ranked.count, choose_neighbours(ranked, neighbours, program)));
    out.words = axes.size() > 1 ? "proposed by who sends to whom" : "ranks";
  }

  if (options.topology.empty() && !options.machine) {
    check_places(axes, ranked);
    points = ranked.ranks;  // row by row
  }

  out.process_axes = axes.size();
  const auto threads = ranked.threads.size();
  if (threads > 1)
    axes.push_back({"thread", threads, false, true});
  out.grid.axes = std::move(axes);
  check_points(out.grid, most_points);

  // Where processes are, and with several threads where each of them is.
  std::vector<bool> present(out.grid.count_points(), false);
  out.points.resize(members.size());
  for (std::size_t r = 0; r < ranked.members.size(); ++r)
    for (auto m : ranked.members[r]) {
      const auto thread = std::lower_bound(ranked.threads.begin(), ranked.threads.end(),
                                           plan.processes[members[m]].thread);
      const auto point =
          points[r] * threads + static_cast<std::size_t>(thread - ranked.threads.begin());
      out.points[m] = point;
      present[point] = true;
    }
  if (std::find(present.begin(), present.end(), false) != present.end())
    out.grid.present = std::move(present);
  return out;
}

}  // namespace tracefold
