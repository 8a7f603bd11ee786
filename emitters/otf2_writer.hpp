// Writes an OTF2 archive by libotf2.
//
// One OutputArchive per archive. Locations may be written in parallel, each by
// one thread; everything else by one thread, before or after all of them. What
// the library refuses is thrown as Error(output).
#pragma once

#include "model/definition.hpp"
#include "model/event.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

class LocationWriter {
 public:
  LocationWriter(LocationWriter&&) noexcept;
  ~LocationWriter();

  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes);
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes);
  void write(const Event& event);
  // Writes what is buffered and returns the number of records.
  std::uint64_t close();

 private:
  friend class OutputArchive;
  struct State;
  explicit LocationWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Upper bounds of what a record takes in a file, in bytes.
std::size_t encoded_size(const Definition& definition);
std::size_t encoded_size(const Event& event);

class OutputArchive {
 public:
  // Makes `traces.otf2` and what belongs to it in an existing folder. A record
  // must fit into a chunk of its file, and large chunks cost time, so the
  // chunks are sized by the largest definition and event, in bytes.
  explicit OutputArchive(const std::filesystem::path& folder, std::size_t largest_definition = 0, std::size_t largest_event = 0);
  ~OutputArchive();

  void describe(const ArchiveFacts& original);  // machine, creator, description
  void set_property(const std::string& name, const std::string& value);
  LocationWriter open_location(std::uint64_t id);
  // After the last location was closed: an empty local definition file for
  // each, since readers complain about missing ones.
  void finish_locations(const std::vector<std::uint64_t>& ids);
  void write_definitions(const std::vector<Definition>& definitions);
  void write_markers(const std::vector<MarkerKind>& kinds, const std::vector<Marker>& markers);
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracefold
