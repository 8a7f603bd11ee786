// Writes the result of a rewrite as an OTF2 archive: FOLDER/traces.otf2 and its files, and the plan
// beside it.
//
// The files of locations are written by otf2/event_writer.hpp, the rest by libotf2. Thread-safety
// and errors as in trace_output.hpp.
#pragma once

#include "otf2/event_writer.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tracefold {

// Returns the chunk size of event files, in bytes, for a largest record of this encoded_size().
// Throws Error(input) if that is more than OTF2 allows.
std::uint64_t choose_event_chunk(std::size_t largest_record);

class Otf2LocationOutput {
 public:
  Otf2LocationOutput(const std::filesystem::path& folder, std::uint64_t id,
                     std::uint64_t chunk_size)
      : folder_(folder), id_(id), writer_(folder, id, chunk_size) {}

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    writer_.enter(time, region, attributes);
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    writer_.leave(time, region, attributes);
  }
  void write(const Event& event) { writer_.write(event); }
  std::uint64_t close();

 private:
  const std::filesystem::path& folder_;
  std::uint64_t id_;
  EventWriter writer_;
};

// In a team, each member has an output for the same folder. All members call begin() and
// check_events(), and write their own locations; the first one does the rest.
class Otf2Output {
 public:
  // `folder` must exist before begin().
  explicit Otf2Output(const std::filesystem::path& folder, Team* team = nullptr);

  // Chooses the chunk size: every record must fit into a chunk. Throws Error(input) if it is larger
  // than OTF2 allows.
  void begin(std::size_t largest_record);
  // Throws RecordTooLarge, here or while events are written, if a record is larger than announced.
  Otf2LocationOutput open_location(std::uint64_t id) const;
  void write(const TraceMetadata& metadata) const;
  void check_metadata(const TraceMetadata& metadata) const;
  void check_events(const std::vector<WrittenLocation>& written, const ReadOptions& options) const;

 private:
  std::filesystem::path anchor() const { return folder_ / "traces.otf2"; }

  void make_locations_folder() const;

  std::filesystem::path folder_, locations_folder_;
  Team* team_;
  std::uint64_t chunk_size_ = 0;  // bytes
};

static_assert(TraceOutput<Otf2Output>);

}  // namespace tracefold
