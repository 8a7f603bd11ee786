// Writes those files of an OTF2 archive that exist once, with libotf2: anchor, global definitions
// and markers. event_writer.hpp writes the files of the locations.
//
// One thread. Throws Error(output) where the library fails.
#pragma once

#include "otf2/definitions.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

// The folder, beside the anchor, for files of locations that are written before the archive exists.
// Their final folder does not do, since libotf2 makes that one itself.
std::filesystem::path location_folder(const std::filesystem::path& folder);

// The smallest chunk size, in bytes, into which each definition fits.
std::uint64_t choose_definition_chunk(const std::vector<Definition>& definitions);

// Replaces the random id that libotf2 has written into an anchor. Throws Error(output), also where
// the anchor does not contain that id exactly once.
void set_trace_id(const std::filesystem::path& anchor, std::uint64_t id);

class ArchiveWriter {
 public:
  // Makes `traces.otf2` and its other files in an existing folder, writes the definitions, and
  // moves the files from location_folder(). `event_chunk` is the chunk size of these event files,
  // in bytes. Definitions get the smallest chunks that hold the largest one, because large chunks
  // take time.
  ArchiveWriter(const std::filesystem::path& folder, std::uint64_t event_chunk,
                const std::vector<Definition>& definitions);
  ~ArchiveWriter();

  // Copies the names of machine and creator, and the description.
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
