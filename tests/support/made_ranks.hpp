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

// Ids of what is called.
inline constexpr std::uint64_t made_main = 0, made_step = 1, made_compute = 2, made_receive = 3,
                               made_send = 4, made_update = 5;

// The definitions of so many ranks, which are locations, and of what they call.
inline TraceContent define_ranks(std::size_t ranks,
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

  add(DefinitionKind::ClockProperties, {1'000'000'000, 0, std::uint64_t{1} << 40, 0});
  add(DefinitionKind::Paradigm, {v::paradigm_mpi, text("MPI"), 1});
  add(DefinitionKind::SystemTreeNode, {0, text("machine"), text("machine"), none});

  const auto region = [&](std::uint64_t id, const std::string& name, std::uint64_t role,
                          std::uint64_t paradigm) {
    const auto named = text(name);
    add(DefinitionKind::Region,
        {id, named, named, text(""), role, paradigm, 0, text("made.c"), 0, 0});
  };
  region(made_main, "main", v::region_role_function, v::paradigm_compiler);
  region(made_step, "step", v::region_role_function, v::paradigm_compiler);
  region(made_compute, "compute", v::region_role_function, v::paradigm_compiler);
  region(made_receive, "MPI_Recv", v::region_role_point2point, v::paradigm_mpi);
  region(made_send, "MPI_Send", v::region_role_point2point, v::paradigm_mpi);
  region(made_update, "update", v::region_role_function, v::paradigm_compiler);

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

  return content;
}

inline void record(std::vector<Event>& events, EventKind kind, std::uint64_t time,
                   const std::vector<std::uint64_t>& fields) {
  Event event;
  event.kind = kind;
  event.time = time;
  std::copy(fields.begin(), fields.end(), event.fields.begin());
  events.push_back(event);
}

// Rank r calls main > step > compute for computing[r][i], and main > step > MPI_Recv for
// waiting[r][i], in iteration i; all begin an iteration together. The first rank has the most.
inline TraceContent make_ranks(const MadeTimes& computing, const MadeTimes& waiting,
                               const std::vector<MadeTopology>& topologies = {}) {
  const auto ranks = computing.size();
  auto content = define_ranks(ranks, topologies);

  std::vector<std::uint64_t> begins{1000};
  for (std::size_t i = 0; i < computing.front().size(); ++i) {
    std::uint64_t longest = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (i < computing[rank].size())
        longest = std::max(longest, computing[rank][i] + waiting[rank][i]);
    begins.push_back(begins.back() + longest + 100);
  }

  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto& events = content.events[rank];
    const auto call = [&](EventKind kind, std::uint64_t region, std::uint64_t time) {
      record(events, kind, time, {region});
    };

    call(EventKind::Enter, made_main, 0);
    for (std::size_t i = 0; i < computing[rank].size(); ++i) {
      auto time = begins[i];
      call(EventKind::Enter, made_step, time);
      call(EventKind::Enter, made_compute, time);
      call(EventKind::Leave, made_compute, time += computing[rank][i]);
      call(EventKind::Enter, made_receive, time);
      call(EventKind::Leave, made_receive, time += waiting[rank][i]);
      call(EventKind::Leave, made_step, begins[i + 1] - 10);
    }
    call(EventKind::Leave, made_main, begins.back());
  }

  return content;
}

// In iteration i, which all begin together, rank r computes for computing[r][i], sends to rank
// r + 1, receives from rank r - 1, for which it waits if that one computes longer, and updates for
// updating[r][i].
inline TraceContent make_chain(const MadeTimes& computing, const MadeTimes& updating) {
  const auto ranks = computing.size();
  auto content = define_ranks(ranks);
  constexpr std::uint64_t sending = 20, bytes = 800;

  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    auto& events = content.events[rank];
    std::uint64_t begin = 1000;
    record(events, EventKind::Enter, 0, {made_main});

    for (std::size_t i = 0; i < computing[rank].size(); ++i) {
      auto time = begin;
      record(events, EventKind::Enter, time, {made_step});
      record(events, EventKind::Enter, time, {made_compute});
      record(events, EventKind::Leave, time += computing[rank][i], {made_compute});

      if (rank + 1 < ranks) {
        record(events, EventKind::Enter, time, {made_send});
        record(events, EventKind::MpiSend, time, {rank + 1, 0, 0, bytes});
        record(events, EventKind::Leave, time += sending, {made_send});
      }
      if (rank > 0) {
        record(events, EventKind::Enter, time, {made_receive});
        time = std::max(time, begin + computing[rank - 1][i] + sending) + sending;
        record(events, EventKind::MpiRecv, time, {rank - 1, 0, 0, bytes});
        record(events, EventKind::Leave, time, {made_receive});
      }

      record(events, EventKind::Enter, time, {made_update});
      record(events, EventKind::Leave, time += updating[rank][i], {made_update});
      std::uint64_t longest = 0;
      for (std::size_t other = 0; other < ranks; ++other)
        longest = std::max(longest, computing[other][i] + updating[other][i]);
      begin += 3 * longest;
      record(events, EventKind::Leave, begin - 10, {made_step});
    }
    record(events, EventKind::Leave, begin, {made_main});
  }

  return content;
}

}  // namespace tracefold::testing
