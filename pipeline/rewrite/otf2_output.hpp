// The output of a rewrite as an OTF2 archive: FOLDER/traces.otf2 and what belongs to it, with the
// plan beside it.
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

// The size of the chunks of event files, in bytes, where the largest record has the given
// encoded_size(). Throws Error(input) where OTF2 has no chunks that are so large.
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

// Where a team writes one archive, each of its members has an output of the same folder: begin()
// and check_events() are called by all, and the rest by the first one but for locations, of which
// each member writes some.
class Otf2Output {
 public:
  // `folder` has to exist before begin() is called.
  explicit Otf2Output(const std::filesystem::path& folder, Team* team = nullptr);

  // OTF2 puts records into chunks of one size, and a record has to fit into its chunk. Throws
  // Error(input) where OTF2 has no chunks that are so large.
  void begin(std::size_t largest_record);
  // Throws RecordTooLarge, here or while it is written, where a record is larger than was
  // announced.
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
