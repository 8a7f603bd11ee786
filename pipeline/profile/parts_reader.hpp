// Reads the events of one location with all threads: its parts side by side, each
// into SegmentCalls, which are joined in their order.
#pragma once

#include "base/error.hpp"
#include "otf2/event_reader.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/function_table.hpp"
#include "pipeline/profile/profile_sink.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tracefold {

// For one pass. Any number of threads may read a location each, as long as their
// parts do not take too much memory together.
class PartsReader {
 public:
  // For a pass with so many threads. The table and the diagnostics have to outlive it.
  PartsReader(const FunctionTable& functions, std::size_t threads, Diagnostics& diagnostics);

  // False where a location is not worth it or cannot be read so, and has to be read
  // as a whole: the sink may hold some of it then. Throws what EventReader does.
  bool read(EventReader& reader, std::uint64_t location, CleanEvents<ProfileSink>& events);

 private:
  const FunctionTable& functions_;
  const std::size_t threads_;
  Diagnostics& diagnostics_;
  std::atomic<std::ptrdiff_t> parts_to_begin_;
};

}  // namespace tracefold
