// Traces in which each rank computes and waits as long as a test says, once or in a loop.
#pragma once

#include "otf2/definitions.hpp"
#include "tests/support/every_record.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

// Ticks, which are ns: of each rank, of each iteration.
using MadeTimes = std::vector<std::vector<std::uint64_t>>;

struct MadeTopology {
  std::string name;
  std::vector<std::uint64_t> sizes;
  bool periodic = false;
  std::vector<std::vector<std::uint64_t>> coordinates;  // by rank
};

// Rank r calls main > step > compute for computing[r][i], and main > step > MPI_Recv for
// waiting[r][i], in iteration i; all begin an iteration together.
inline TraceContent make_ranks(const MadeTimes& computing, const MadeTimes& waiting,
                               const std::vector<MadeTopology>& topologies = {}) {
  using Ids = std::vector<std::uint64_t>;
  namespace v = otf2_value;
  TraceContent content;
  std::map<std::string, std::uint64_t> strings;

  const auto add = [&](DefinitionKind kind, const Ids& fields, Ids list = {}) {
    Definition d;
    d.kind = kind;
    for (std::size_t i = 0; i < fields.size(); ++i)
      d.fields.at(i) = fields[i];
    d.list = std::move(list);
    content.definitions.push_back(std::move(d));
  };

  const auto text = [&](const std::string& words) {
    const auto [at, fresh] = strings.try_emplace(words, strings.size());
    if (fresh) {
      add(DefinitionKind::String, {at->second});
      content.definitions.back().text = words;
    }
    return at->second;
  };

  constexpr std::uint64_t none = 0xffffffff;
  constexpr std::uint64_t main_region = 0, step = 1, compute = 2, receive = 3;
  const auto ranks = computing.size();

  add(DefinitionKind::ClockProperties, {1'000'000'000, 0, std::uint64_t{1} << 40, 0});
  add(DefinitionKind::Paradigm, {v::paradigm_mpi, text("MPI"), 1});
  add(DefinitionKind::SystemTreeNode, {0, text("machine"), text("machine"), none});

  const auto region = [&](std::uint64_t id, const std::string& name, std::uint64_t role,
                          std::uint64_t paradigm) {
    const auto named = text(name);
    add(DefinitionKind::Region,
        {id, named, named, text(""), role, paradigm, 0, text("made.c"), 0, 0});
  };
  region(main_region, "main", v::region_role_function, v::paradigm_compiler);
  region(step, "step", v::region_role_function, v::paradigm_compiler);
  region(compute, "compute", v::region_role_function, v::paradigm_compiler);
  region(receive, "MPI_Recv", v::region_role_point2point, v::paradigm_mpi);

  Ids locations;
  Ids places;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const auto name = text("rank " + std::to_string(rank));
    add(DefinitionKind::LocationGroup, {rank, name, v::location_group_process, 0, none});
    add(DefinitionKind::Location, {rank, name, v::location_type_cpu, 4, rank});
    locations.push_back(rank);
    places.push_back(rank);
  }

  add(DefinitionKind::Group,
      {0, text("locations"), v::group_comm_locations, v::paradigm_mpi, 0, ranks}, locations);
  add(DefinitionKind::Group, {1, text("world"), v::group_comm_group, v::paradigm_mpi, 0, ranks},
      places);
  add(DefinitionKind::Comm, {0, text("MPI_COMM_WORLD"), 1, none, 0});

  std::uint64_t dimension = 0;
  for (std::size_t t = 0; t < topologies.size(); ++t) {
    const auto& topology = topologies[t];
    Ids dimensions;
    for (auto size : topology.sizes) {
      add(DefinitionKind::CartDimension,
          {dimension, text("d" + std::to_string(dimensions.size())), size, topology.periodic});
      dimensions.push_back(dimension++);
    }
    add(DefinitionKind::CartTopology, {t, text(topology.name), 0, dimensions.size()}, dimensions);
    for (std::uint64_t rank = 0; rank < topology.coordinates.size(); ++rank)
      add(DefinitionKind::CartCoordinate, {t, rank, topology.coordinates[rank].size()},
          topology.coordinates[rank]);
  }

  std::vector<std::uint64_t> begins{1000};
  for (std::size_t i = 0; i < computing.front().size(); ++i) {
    std::uint64_t longest = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      longest = std::max(longest, computing[rank][i] + waiting[rank][i]);
    begins.push_back(begins.back() + longest + 100);
  }

  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto& events = content.events[rank];
    const auto call = [&](EventKind kind, std::uint64_t region_id, std::uint64_t time) {
      Event event;
      event.kind = kind;
      event.time = time;
      event.fields[0] = region_id;
      events.push_back(event);
    };

    call(EventKind::Enter, main_region, 0);
    for (std::size_t i = 0; i < computing[rank].size(); ++i) {
      auto time = begins[i];
      call(EventKind::Enter, step, time);
      call(EventKind::Enter, compute, time);
      call(EventKind::Leave, compute, time += computing[rank][i]);
      call(EventKind::Enter, receive, time);
      call(EventKind::Leave, receive, time += waiting[rank][i]);
      call(EventKind::Leave, step, begins[i + 1] - 10);
    }
    call(EventKind::Leave, main_region, begins.back());
  }

  return content;
}

}  // namespace tracefold::testing
