// Reads the events of one location with all threads: its parts side by side, which are
// appended to each other in their order. That pays for the last locations of a pass only,
// since before them each thread has a location of its own.
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

// Knows which locations a thread would still read when little is left for the others
// to begin. Any number of threads may ask.
class TailScheduler {
 public:
  // How many events each location has, or is declared to have, and how many threads read.
  TailScheduler(std::vector<std::uint64_t> events, std::size_t threads)
      : events_(std::move(events)),
        threads_(threads),
        to_begin_(std::accumulate(events_.begin(), events_.end(), std::uint64_t{0})) {}

  // Call once for each location, where it is begun. Whether it is one of the last:
  // none is left, or less for each of the other threads than it holds.
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

  // Takes what stands right behind it. False where the location has to be read as a whole.
  bool append(const LocationStretch& next) {
    return read.append(next.read) && part->append(*next.part);
  }
  // Call once, where the stretch has all chunks. False where they have to be read as a whole.
  bool finish() { return read.is_whole() && part->finish(); }
};

// For one pass. Any number of threads may read a location each, as long as their
// parts do not take too much memory together.
class PartsReader {
 public:
  static constexpr std::size_t smallest_part = 4;  // in chunks
  static constexpr std::size_t fewest_parts = 4;   // for which it is worth it

  // For a pass with so many threads. The table and the diagnostics have to outlive it.
  PartsReader(const FunctionTable& functions, std::size_t threads, Diagnostics& diagnostics);

  // The finished location. Null where it is not worth it or cannot be read so, and has to
  // be read as a whole. Throws what EventReader does.
  std::unique_ptr<LocationPart> read(EventReader& reader, std::uint64_t location);

  // Of the chunks of a location, as many as one part has or more. None where the location has to
  // be read as a whole.
  std::optional<LocationStretch> read_stretch(EventReader& reader, std::uint64_t location,
                                              ChunkRange chunks);

  // Whether locations can be read in parts at all.
  bool can_read() const;
  // Of a location that was.
  void tell(std::uint64_t location) const;

 private:
  const FunctionTable& functions_;
  const std::size_t threads_;
  Diagnostics& diagnostics_;
  std::atomic<std::ptrdiff_t> parts_to_begin_;
};

}  // namespace tracefold
