#include "filters/iterations/gather_rows.hpp"

#include "base/error.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

WantedRows list_nodes_as_rows(const Plan& plan, const ProgramPlaces& places) {
  WantedRows out{RowChoice::node, places.node_names, {}};
  out.members.resize(out.names.size());
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto& rank = plan.processes[p].rank;
    const auto node =
        std::find_if(places.nodes.begin(), places.nodes.end(), [&](const auto& ranks) {
          return rank && std::binary_search(ranks.begin(), ranks.end(), *rank);
        });
    if (node == places.nodes.end())
      others.push_back(p);
    else
      out.members[static_cast<std::size_t>(node - places.nodes.begin())].push_back(p);
  }
  if (!others.empty()) {
    out.names.push_back("no node");
    out.members.push_back(std::move(others));
  }
  return out;
}

WantedRows list_places_as_rows(const Plan& plan, const ProgramPlaces& places) {
  const auto& grid = get_rank_grid(places);
  const auto ranks = grid.coordinates.size() / grid.axes.size();
  std::vector<std::vector<std::size_t>> of_ranks(ranks);
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto& rank = plan.processes[p].rank;
    (rank && *rank < ranks ? of_ranks[*rank] : others).push_back(p);
  }

  WantedRows out{RowChoice::topology, {}, {}};
  out.axes = grid.axes;
  const auto add = [&](const std::string& name, const std::vector<std::uint64_t>& place,
                       const std::vector<std::size_t>& processes) {
    for (const auto p : processes) {
      out.places.push_back(place);
      out.names.push_back(plan.processes[p].thread == 0
                              ? name
                              : fmt::format("{} thread {}", name, plan.processes[p].thread));
      out.members.push_back({p});
    }
  };
  for (const auto rank : order_ranks(grid)) {
    const auto place =
        std::span(grid.coordinates).subspan(rank * grid.axes.size(), grid.axes.size());
    add(name_place(grid, rank), {place.begin(), place.end()}, of_ranks[rank]);
  }
  add("no place", {}, others);
  return out;
}

}  // namespace

void place_ranks(const Plan& plan, const std::vector<std::size_t>& sizes, ProgramPlaces& places) {
  constexpr std::size_t most_places = std::size_t{1} << 24, most_for_each_rank = 64;
  if (sizes.empty())
    return;
  std::uint64_t ranks = 0;
  for (const auto& location : places.locations)
    if (location.has_rank)
      ranks = std::max(ranks, location.owner + 1);
  for (const auto& process : plan.processes)
    if (process.rank)
      ranks = std::max(ranks, *process.rank + 1);

  std::vector<GridAxis> axes;
  std::size_t count = 1;
  for (auto size : sizes) {
    axes.push_back({size, false});
    count = size > most_places / count ? most_places + 1 : count * size;
  }
  if (count >
      std::min<std::uint64_t>(most_places, most_for_each_rank * std::max(ranks, std::uint64_t{1})))
    throw Error(ErrorKind::usage,
                fmt::format("`grid` {}: that are too many places", fmt::join(sizes, "x")));
  if (ranks > count)
    throw Error(ErrorKind::usage, fmt::format("`grid` {}: {} places do not hold {} ranks",
                                              fmt::join(sizes, "x"), count, ranks))
        .hint("the product of the sizes has to be at least that");
  places.grids = {fill_grid(std::move(axes), static_cast<std::size_t>(ranks))};
}

const RankGrid& get_rank_grid(const ProgramPlaces& places) {
  for (const auto& grid : places.grids)
    if (!grid.axes.empty() && !grid.coordinates.empty())
      return grid;
  throw Error(ErrorKind::input,
              "the trace defines no Cartesian topology of all ranks, and their messages propose no "
              "grid")
      .hint("say with `grid` how ranks are placed, as in `grid` 8x8");
}

std::string name_place(const RankGrid& grid, std::size_t rank) {
  const auto axes = grid.axes.size();
  return fmt::format("({})",
                     fmt::join(std::span(grid.coordinates).subspan(rank * axes, axes), ", "));
}

std::vector<std::size_t> order_ranks(const RankGrid& grid) {
  const auto axes = grid.axes.size();
  std::vector<std::size_t> order(grid.coordinates.size() / axes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    const auto place = [&](std::size_t rank) {
      return std::span(grid.coordinates).subspan(rank * axes, axes);
    };
    return std::ranges::lexicographical_compare(place(a), place(b));
  });
  return order;
}

WantedRows list_wanted_rows(const Plan& plan, const ProgramPlaces& places, RowChoice rows) {
  if (rows == RowChoice::node)
    return list_nodes_as_rows(plan, places);
  if (rows == RowChoice::topology)
    return list_places_as_rows(plan, places);

  WantedRows out{rows, {}, {}};
  for (std::size_t g = 0; rows == RowChoice::group && g < plan.groups->size(); ++g) {
    out.names.push_back(fmt::format("{} {}", g, describe_group(plan, g)));
    out.members.push_back((*plan.groups)[g].members);
  }
  return out;
}

namespace {

// By process of the plan, its row in the map.
std::vector<std::size_t> find_rows(const Plan& plan, const IterationMap& map) {
  std::vector<std::size_t> row_of(plan.processes.size(), no_row);
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    row_of[map.processes[r]] = r;
  return row_of;
}

}  // namespace

IterationMap gather_rows(const Plan& plan, const IterationMap& map, const WantedRows& rows) {
  IterationMap out = map;
  out.processes.clear();
  out.values.clear();
  out.exact_sums.reset();
  out.shown = {rows.rows, {}, {}, rows.axes, {}};
  const auto row_of = find_rows(plan, map);

  for (std::size_t k = 0; k < rows.members.size(); ++k) {
    std::vector<std::size_t> members;
    for (const auto p : rows.members[k])
      if (row_of[p] != no_row)
        members.push_back(p);
    if (members.empty())
      continue;

    for (std::size_t c = 0; c < map.columns; ++c) {
      double sum = 0, weights = 0;
      for (const auto p : members) {
        const auto value = map.row(row_of[p])[c];
        if (std::isnan(value))
          continue;
        const auto weight = static_cast<double>(plan.processes[p].weight);
        sum += weight * value;
        weights += weight;
      }
      out.values.push_back(weights > 0 ? sum / weights : std::numeric_limits<double>::quiet_NaN());
    }
    out.processes.push_back(members.front());
    out.shown.names.push_back(rows.names[k]);
    if (!rows.places.empty())
      out.shown.places.push_back(rows.places[k]);
    out.shown.members.push_back(std::move(members));
  }

  return out;
}

ComparedMap gather_rows(const Plan& plan, ComparedMap maps, const WantedRows& rows) {
  std::vector<bool> is_kept(plan.processes.size());
  for (const auto row : maps.kept_rows)
    is_kept[maps.original.processes[row]] = true;

  IterationMap means;  // of each row in a single column
  means.processes = maps.original.processes;
  means.columns = means.iterations = 1;
  for (auto& layer : maps.layers.layers)
    for (auto* values : {&layer.original_rows, &layer.reconstruction_rows})
      if (!values->empty()) {
        means.values = std::move(*values);
        *values = gather_rows(plan, means, rows).values;
      }
  maps.original = gather_rows(plan, maps.original, rows);
  if (maps.reconstruction)
    maps.reconstruction = gather_rows(plan, *maps.reconstruction, rows);
  maps.kept_rows.clear();
  const auto& members = maps.original.shown.members;
  for (std::size_t r = 0; r < members.size(); ++r)
    if (std::any_of(members[r].begin(), members[r].end(), [&](auto p) { return is_kept[p]; }))
      maps.kept_rows.push_back(r);
  return maps;
}

}  // namespace tracefold
