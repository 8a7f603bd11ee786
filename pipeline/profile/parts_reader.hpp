// Reads the events of one location with all threads: parts are read in parallel and appended in
// order. That is useful only for the last locations of a pass, since before these each thread has a
// location of its own.
#pragma once

#include "base/error.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/profile/location_part.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// Knows which locations would still be read by one thread when too little is left for the others.
// Thread-safe.
class TailScheduler {
 public:
  // The number of events of each location, as known or declared, and the number of reading threads.
  TailScheduler(std::vector<std::uint64_t> events, std::size_t threads)
      : events_(std::move(events)),
        threads_(threads),
        to_begin_(std::accumulate(events_.begin(), events_.end(), std::uint64_t{0})) {}

  // Call once for each location, when it begins. Returns whether it is one of the last: what is
  // left for each other thread is less than its own events.
  bool begin(std::size_t i) {
    const auto left = to_begin_ -= events_[i];
    return threads_ > 1 && (left == 0 || events_[i] > left / (threads_ - 1));
  }

 private:
  const std::vector<std::uint64_t> events_;
  const std::size_t threads_;
  std::atomic<std::uint64_t> to_begin_;
};

// Neighbouring chunks of a location.
struct LocationStretch {
  ReadStretch read;
  std::unique_ptr<LocationPart> part;

  // Appends the stretch behind this one. False if the location has to be read as a whole.
  bool append(const LocationStretch& next) {
    return read.append(next.read) && part->append(*next.part);
  }
  // Call once, if the stretch has all chunks. False if the location has to be read as a whole.
  bool finish() { return read.is_whole() && part->finish(); }
};

// For one pass. Any number of threads may read a location each; locations whose parts would need
// too much memory are not read in parts.
class PartsReader {
 public:
  static constexpr std::size_t smallest_part = 4;  // in chunks
  static constexpr std::size_t fewest_parts = 4;   // with fewer it is not worth it

  // `threads` is the number of threads of the pass. The table and the diagnostics must outlive
  // this.
  PartsReader(const FunctionTable& functions, std::size_t threads, Diagnostics& diagnostics);

  // The finished location. Null if parts are not worth it, or if the location has to be read as a
  // whole. Throws what EventReader throws.
  std::unique_ptr<LocationPart> read(EventReader& reader, std::uint64_t location);

  // Reads some chunks of a location, at least as many as one part has. None if the location has to
  // be read as a whole.
  std::optional<LocationStretch> read_stretch(EventReader& reader, std::uint64_t location,
                                              ChunkRange chunks);

  // Whether locations can be read in parts.
  bool can_read() const;
  // Reports, as a detail, that this location was read in parts.
  void tell(std::uint64_t location) const;

 private:
  const FunctionTable& functions_;
  const std::size_t threads_;
  Diagnostics& diagnostics_;
  std::atomic<std::ptrdiff_t> parts_to_begin_;
};

}  // namespace tracefold
