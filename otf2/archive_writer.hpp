// Writes the files that an OTF2 archive has once, with libotf2: the anchor, the global
// definitions and the markers. event_writer.hpp writes the files of the locations.
//
// One thread. What the library refuses is thrown as Error(output).
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

// Where the files of the locations are put before there is an archive, in the folder of the
// anchor. They cannot be put into their final folder, since libotf2 makes that one itself.
std::filesystem::path location_folder(const std::filesystem::path& folder);

// The least size of chunks, in bytes, that hold each of the definitions.
std::uint64_t choose_definition_chunk(const std::vector<Definition>& definitions);

// Replaces the random number by which libotf2 has named an archive, in its anchor. Throws
// Error(output), also where the anchor does not hold it once.
void set_trace_id(const std::filesystem::path& anchor, std::uint64_t id);

class ArchiveWriter {
 public:
  // Makes `traces.otf2` and its other files in an existing folder, writes the definitions, and
  // takes over the files in location_folder(). `event_chunk` is the size of chunks in these
  // event files, in bytes. The chunks of definitions have the least size that holds the largest
  // definition, because large chunks take time.
  ArchiveWriter(const std::filesystem::path& folder, std::uint64_t event_chunk,
                const std::vector<Definition>& definitions);
  ~ArchiveWriter();

  // Copies machine, creator and description.
  void describe(const ArchiveFacts& original);
  void set_property(const std::string& name, const std::string& value);
  void write_markers(const std::vector<MarkerKind>& kinds, const std::vector<Marker>& markers);
  void close();

 private:
  void write_definitions(const std::vector<Definition>& definitions);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tracefold
