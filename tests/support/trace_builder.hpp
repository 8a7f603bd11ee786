// Makes small traces: definitions and events in memory, or a real archive of them.
//
//   TraceBuilder trace;
//   trace.add_mpi_processes(3);                       // locations 0, 1, 2 and communicator `world`
//   trace.record(0, EventKind::MpiSend, 5, {1, TraceBuilder::world, 7, 100});
//   const auto archive = trace.write(folder.path());
//
// Ids are the caller's, or 0, 1, 2, … of their kind. Strings are found or added by their text. The
// clock ticks once a nanosecond.
#pragma once

#include "base/error.hpp"
#include "otf2/archive.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "tests/support/every_record.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

inline Event make_event(EventKind kind, std::uint64_t time = 0,
                        std::initializer_list<std::uint64_t> fields = {},
                        std::vector<std::uint64_t> list = {},
                        std::vector<Attribute> attributes = {}) {
  Event event;
  event.kind = kind;
  event.time = time;
  std::copy(fields.begin(), fields.end(), event.fields.begin());
  event.list = std::move(list);
  event.attributes = std::move(attributes);

  return event;
}

class TraceBuilder {
 public:
  static constexpr std::uint64_t none = 0xffffffff;
  static constexpr std::uint64_t mpi = otf2_value::paradigm_mpi;
  // What add_mpi_processes() defines.
  static constexpr std::uint64_t mpi_locations = 100, world_group = 101, world = 0;

  TraceBuilder() { define(DefinitionKind::ClockProperties, {1'000'000'000, 0, 1'000, ~0ull}); }

  std::uint64_t string(const std::string& text) {
    const auto [at, is_new] = strings_.try_emplace(text, strings_.size());
    if (is_new) {
      define(DefinitionKind::String, {at->second});
      content_.definitions.back().text = text;
    }

    return at->second;
  }

  TraceBuilder& define(DefinitionKind kind, std::initializer_list<std::uint64_t> fields,
                       std::vector<std::uint64_t> list = {}) {
    Definition definition;
    definition.kind = kind;
    std::copy(fields.begin(), fields.end(), definition.fields.begin());
    definition.list = std::move(list);
    content_.definitions.push_back(std::move(definition));

    return *this;
  }

  TraceBuilder& add_region(std::uint64_t id, const std::string& name) {
    const auto text = string(name);
    return define(DefinitionKind::Region, {id, text, text, text, 0, 0, 0, none, 0, 0});
  }

  // A process, or what is given as OTF2_LocationGroupType, with one location per id.
  TraceBuilder& add_location_group(std::uint64_t id, std::initializer_list<std::uint64_t> locations,
                                   std::uint64_t type = otf2_value::location_group_process,
                                   std::uint64_t creator = none) {
    if (!std::exchange(has_node_, true))
      define(DefinitionKind::SystemTreeNode, {0, string("node"), string("machine"), none});

    define(DefinitionKind::LocationGroup,
           {id, string("group " + std::to_string(id)), type, 0, creator});
    for (auto location : locations) {
      define(DefinitionKind::Location, {location, string("location " + std::to_string(location)),
                                        otf2_value::location_type_cpu, 0, id});
      content_.events[location];
    }

    return *this;
  }

  // Lists locations as MPI's, rank by rank, and defines the communicator `world` of all of them.
  TraceBuilder& add_world(const std::vector<std::uint64_t>& locations) {
    std::vector<std::uint64_t> ranks;
    for (std::size_t rank = 0; rank < locations.size(); ++rank)
      ranks.push_back(rank);

    define(DefinitionKind::Paradigm, {mpi, string("MPI"), 0});
    define(DefinitionKind::Group,
           {mpi_locations, string(""), otf2_value::group_comm_locations, mpi, 0, locations.size()},
           locations);
    return add_comm(world, world_group, ranks);
  }

  // A communicator and its group, whose members are places in MPI's list of locations.
  TraceBuilder& add_comm(std::uint64_t id, std::uint64_t group,
                         const std::vector<std::uint64_t>& members) {
    define(DefinitionKind::Group,
           {group, string("group"), otf2_value::group_comm_group, mpi, 0, members.size()}, members);
    return define(DefinitionKind::Comm, {id, string("comm"), group, none, 0});
  }

  // MPI_COMM_SELF.
  TraceBuilder& add_self_comm(std::uint64_t id, std::uint64_t group) {
    define(DefinitionKind::Group, {group, string(""), otf2_value::group_comm_self, mpi, 0, 0});
    return define(DefinitionKind::Comm, {id, string("self"), group, none, 0});
  }

  // Processes 0, 1, 2, … of one location each, which has the same id, and is in MPI.
  TraceBuilder& add_mpi_processes(std::uint64_t number) {
    std::vector<std::uint64_t> locations;
    for (std::uint64_t id = 0; id < number; ++id) {
      add_location_group(id, {id});
      locations.push_back(id);
    }

    return add_world(locations);
  }

  TraceBuilder& record(std::uint64_t location, EventKind kind, std::uint64_t time,
                       std::initializer_list<std::uint64_t> fields = {},
                       std::vector<std::uint64_t> list = {},
                       std::vector<Attribute> attributes = {}) {
    return record(location, make_event(kind, time, fields, std::move(list), std::move(attributes)));
  }
  TraceBuilder& record(std::uint64_t location, Event event) {
    content_.events[location].push_back(std::move(event));
    return *this;
  }

  TraceContent& content() { return content_; }

  Definitions definitions() const {
    Definitions definitions;
    for (const auto& definition : content_.definitions)
      definitions.add(definition);
    definitions.finish();

    return definitions;
  }

  // Writes FOLDER/traces.otf2 and opens it. The definitions get the numbers of events.
  Archive write(const std::filesystem::path& folder,
                std::uint64_t chunk_size = wire::smallest_chunk) {
    for (auto& definition : content_.definitions)
      if (definition.kind == DefinitionKind::Location)
        get_field<"numberOfEvents", DefinitionKind::Location>(definition) =
            content_.events[definition.id()].size();

    write_archive(content_, folder, chunk_size);
    Diagnostics diagnostics;

    return Archive((folder / "traces.otf2").string(), diagnostics);
  }

 private:
  TraceContent content_;
  std::map<std::string, std::uint64_t> strings_;
  bool has_node_ = false;
};

}  // namespace tracefold::testing
