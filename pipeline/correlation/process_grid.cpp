#include "pipeline/correlation/process_grid.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using correlation::Axis;
using Coordinates = std::vector<std::size_t>;

// Processes in the order of their ranks, and the threads of each in their order.
struct Ranked {
  std::vector<std::vector<std::size_t>> members;  // by rank, places in the list of members
  std::map<std::size_t, std::size_t> rank_of;     // of indexes of processes of the plan
  std::size_t threads = 1;                        // the most of one process
};

// What has no rank comes behind what has one, by location group.
Ranked rank_processes(const Plan& plan, const std::vector<std::size_t>& members) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::size_t>> groups;
  constexpr auto no_rank = ~std::uint64_t{0};
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto& process = plan.processes[members[m]];
    groups[{process.rank.value_or(no_rank), process.location_group}].push_back(m);
  }

  Ranked ranked;
  for (auto& [key, threads] : groups) {
    std::sort(threads.begin(), threads.end(), [&](std::size_t a, std::size_t b) {
      const auto& first = plan.processes[members[a]];
      const auto& second = plan.processes[members[b]];
      return std::pair(first.thread, first.id) < std::pair(second.thread, second.id);
    });

    for (auto m : threads)
      ranked.rank_of[members[m]] = ranked.members.size();
    ranked.threads = std::max(ranked.threads, threads.size());
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
std::vector<Coordinates> fill_rows(const std::vector<Axis>& axes, std::size_t ranks) {
  std::vector<Coordinates> out;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    Coordinates coordinates(axes.size());
    auto rest = rank;
    for (auto a = axes.size(); a-- > 0;) {
      coordinates[a] = rest % axes[a].size;
      rest /= axes[a].size;
    }
    out.push_back(std::move(coordinates));
  }
  return out;
}

const Definition& find_topology(const Definitions& definitions, const std::string& name) {
  const Definition* found = nullptr;
  std::vector<std::string> names;

  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::CartTopology)
      continue;
    names.push_back(definitions.text(get_field<"name", DefinitionKind::CartTopology>(d)));
    if (names.back() == name && !found)
      found = &d;
  }

  if (found)
    return *found;
  throw Error(ErrorKind::usage,
              fmt::format("`topology` '{}': the trace has no such topology", name))
      .hint(names.empty() ? "it defines none; give a grid with `grid`"
                          : fmt::format("one of: {}", fmt::join(names, ", ")));
}

std::vector<Axis> read_axes(const Definitions& definitions, const Definition& topology) {
  std::vector<Axis> axes;
  for (auto id : topology.list) {
    const auto* d = definitions.find(Ref::cart_dimension, id);
    if (!d)
      continue;

    constexpr auto kind = DefinitionKind::CartDimension;
    const auto& name = definitions.text(get_field<"name", kind>(*d));
    axes.push_back({name.empty() ? fmt::format("x{}", axes.size() + 1) : name,
                    static_cast<std::size_t>(get_field<"size", kind>(*d)),
                    get_field<"cartPeriodicity", kind>(*d) != 0, true});
  }
  return axes;
}

// The coordinates of each rank of `ranked`; each process has to have its own.
std::vector<Coordinates> read_coordinates(const Definitions& definitions,
                                          const Definition& topology, const std::string& name,
                                          const std::vector<Axis>& axes, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const Ranked& ranked) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::input, fmt::format("the topology '{}' {}", name, what))
        .hint("give a grid with `grid` instead");
  };

  constexpr auto topology_kind = DefinitionKind::CartTopology;
  constexpr auto coordinate_kind = DefinitionKind::CartCoordinate;
  const auto comm = get_field<"communicator", topology_kind>(topology);

  // Ranks of the topology's communicator mean locations, any of which stands for its process.
  std::map<std::uint64_t, std::size_t> rank_of_group;
  for (std::size_t r = 0; r < ranked.members.size(); ++r)
    rank_of_group[plan.processes[members[ranked.members[r].front()]].location_group] = r;

  const auto* definition = definitions.find(Ref::comm, comm);
  const auto group_id =
      definition ? definitions.peer_group(plan.processes[members.front()].id, *definition) : 0;
  const auto* group = definitions.find(Ref::group, group_id);
  if (!definition || !group)
    refuse("is of a communicator that is not defined");
  const auto locations = definitions.members(*group);

  std::vector<Coordinates> out(ranked.members.size());
  std::set<Coordinates> taken;
  for (const auto& d : definitions.all()) {
    if (d.kind != coordinate_kind || d.fields[0] != topology.id())
      continue;

    const auto rank = get_field<"rank", coordinate_kind>(d);
    if (rank >= locations.size())
      continue;
    const auto* location = definitions.find(Ref::location, locations[rank]);
    const auto process =
        location
            ? rank_of_group.find(get_field<"locationGroup", DefinitionKind::Location>(*location))
            : rank_of_group.end();
    if (process == rank_of_group.end())
      continue;

    Coordinates coordinates(d.list.begin(), d.list.end());
    bool inside = coordinates.size() == axes.size();
    for (std::size_t a = 0; inside && a < axes.size(); ++a)
      inside = coordinates[a] < axes[a].size;
    if (!inside)
      refuse(fmt::format("has coordinates of rank {} that are outside of it", rank));
    if (!out[process->second].empty())
      refuse(fmt::format("has coordinates of rank {} twice", rank));
    if (!taken.insert(coordinates).second)
      refuse(fmt::format("has two ranks at the same place, one of them rank {}", rank));
    out[process->second] = std::move(coordinates);
  }

  const auto missing =
      std::count_if(out.begin(), out.end(), [](const auto& c) { return c.empty(); });
  if (missing > 0)
    refuse(fmt::format("has no coordinates of {} of {} processes", missing, out.size()));
  return out;
}

std::vector<Axis> make_axes(const std::vector<correlation::ProposedAxis>& sizes) {
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < sizes.size(); ++a)
    axes.push_back({name_axis(a, sizes.size()), sizes[a].size, sizes[a].periodic, true});
  return axes;
}

}  // namespace

std::vector<std::size_t> find_calling_processes(const Definitions& definitions, const Plan& plan) {
  std::vector<std::size_t> calling;
  std::vector<std::size_t> on_processors;

  for (auto p : kept_processes(plan)) {
    const auto& process = plan.processes[p];
    if (process.exclusive.empty())
      continue;

    calling.push_back(p);
    const auto* location = definitions.find(Ref::location, process.id);
    if (location && get_field<"locationType", DefinitionKind::Location>(*location) ==
                        otf2_value::location_type_cpu)
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

ProcessGrid find_process_grid(const Definitions& definitions, const Plan& plan,
                              const std::vector<std::size_t>& members,
                              const std::vector<std::pair<std::size_t, std::size_t>>& neighbours,
                              const ProcessGridOptions& options, std::size_t most_points) {
  const auto ranked = rank_processes(plan, members);
  const auto ranks = ranked.members.size();
  ProcessGrid out;
  std::vector<Axis> axes;
  std::vector<Coordinates> coordinates;

  if (!options.topology.empty()) {
    const auto& topology = find_topology(definitions, options.topology);
    axes = read_axes(definitions, topology);
    coordinates =
        read_coordinates(definitions, topology, options.topology, axes, plan, members, ranked);
    out.words = fmt::format("topology '{}'", options.topology);
  } else if (!options.sizes.empty()) {
    std::vector<correlation::ProposedAxis> sizes;
    for (auto size : options.sizes)
      sizes.push_back({size, false});
    axes = make_axes(sizes);
    out.words = "as given";
  } else {
    correlation::Neighbours by_rank;
    for (const auto& [from, to] : neighbours) {
      const auto sender = ranked.rank_of.find(from);
      const auto receiver = ranked.rank_of.find(to);
      if (sender != ranked.rank_of.end() && receiver != ranked.rank_of.end() &&
          sender->second != receiver->second)
        by_rank.emplace(sender->second, receiver->second);
    }
    axes = make_axes(correlation::propose_grid(ranks, by_rank));
    out.words = axes.size() > 1 ? "proposed by who sends to whom" : "ranks";
  }

  if (coordinates.empty()) {
    std::size_t places = 1;
    for (const auto& axis : axes)
      places = axis.size > 0 && places > correlation::most_points / axis.size
                   ? correlation::most_points
                   : places * axis.size;
    if (places < ranks)
      throw Error(ErrorKind::usage, fmt::format("`grid` {}: {} places do not hold {} processes",
                                                show_sizes(axes), places, ranks))
          .hint("the product of the sizes has to be at least that");
    coordinates = fill_rows(axes, ranks);
  }

  out.process_axes = axes.size();
  if (ranked.threads > 1)
    axes.push_back({"thread", ranked.threads, false, true});
  out.grid.axes = std::move(axes);
  check_points(out.grid, most_points);

  // Where processes are, and with several threads where each of them is.
  std::vector<bool> present(out.grid.count_points(), false);
  out.points.resize(members.size());
  for (std::size_t r = 0; r < ranks; ++r) {
    std::size_t first = 0;
    for (std::size_t a = 0; a < out.process_axes; ++a)
      first = first * out.grid.axes[a].size + coordinates[r][a];

    for (std::size_t t = 0; t < ranked.members[r].size(); ++t) {
      const auto point = first * ranked.threads + t;
      out.points[ranked.members[r][t]] = point;
      present[point] = true;
    }
  }
  if (std::find(present.begin(), present.end(), false) != present.end())
    out.grid.present = std::move(present);
  return out;
}

}  // namespace tracefold
