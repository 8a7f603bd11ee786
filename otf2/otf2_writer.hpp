// Writes what an OTF2 archive has but once, by libotf2: the anchor, the global
// definitions and the markers. The files of the locations are written by
// event_writer.hpp.
//
// One thread. What the library refuses is thrown as Error(output).
#pragma once

#include "otf2/definition.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

// Where the locations' files are put, in the folder of the anchor, before there
// is an archive: libotf2 makes the folder that they belong into itself.
std::filesystem::path location_folder(const std::filesystem::path& folder);

class OutputArchive {
 public:
  // Makes `traces.otf2` and what belongs to it in an existing folder, around the
  // files in its location_folder(). `event_chunk`
  // in bytes, as in the locations' event files. A definition must fit into a
  // chunk of its file, and large chunks cost time, so these are sized by the
  // largest of `definitions`, which are then written.
  OutputArchive(const std::filesystem::path& folder, std::uint64_t event_chunk,
                const std::vector<Definition>& definitions);
  ~OutputArchive();

  void describe(const ArchiveFacts& original);  // machine, creator, description
  void set_property(const std::string& name, const std::string& value);
  void write_markers(const std::vector<MarkerKind>& kinds, const std::vector<Marker>& markers);
  void close();

 private:
  void write_definitions(const std::vector<Definition>& definitions);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracefold
