// Reads the events of locations and passes them to an event sink (event.hpp).
//
// Two readers do this alike: our decoder of event files, and libotf2 where the decoder does
// not know the files or where the user asks for it. libotf2 reaches the sink by virtual calls
// (event_receiver.hpp).
#pragma once

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "otf2/archive.hpp"
#include "otf2/event_decoder.hpp"
#include "otf2/event_receiver.hpp"
#include "otf2/read_options.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

class LibraryReader;

// Reads a batch of locations in one thread, fastest in the order of the batch. At most two
// event files are open: the one that is read, and the next of the batch, which the system is
// asked to fetch.
class EventReader {
 public:
  EventReader(const Archive& archive, std::span<const std::uint64_t> batch,
              const ReadOptions& options, Diagnostics& diagnostics);
  ~EventReader();

  // Passes all events of a location of the batch to the sink. False where the file ends early
  // or is damaged and ReadOptions::partial allows that. Throws Error(input), and whatever the
  // sink throws.
  template <EventSink Sink>
  bool read(std::uint64_t location, Sink& sink) {
    records_ = 0;

    switch (open(location)) {
      case Source::missing: return false;
      case Source::empty: return true;
      case Source::library:
        if (SinkReceiver receiver(sink); is_safe_for_library())
          return read_by_library(location, receiver);
        break;
      case Source::chunks: break;
    }

    DecodeState state;
    const auto end = read_chunks(state, sink);
    records_ = state.records;

    return end == ChunkEnd::file || report_damage(location);
  }

  // Passes the events of one chunk to the sink. Chunks are read in their order, `state` is new for
  // the first one. None where the location has to be read as a whole. Throws Error(input), also
  // where the file ends early or is damaged.
  template <EventSink Sink>
  std::optional<ChunkEnd> read_chunk(std::uint64_t location, std::size_t chunk, DecodeState& state,
                                     Sink& sink) {
    if (open(location) != Source::chunks)
      return std::nullopt;

    check_stop();
    const auto end = chunk < file_->chunks()
                         ? decode_chunk(file_->read(chunk, buffer_), local_, state, sink)
                         : ChunkEnd::damage;
    if (end == ChunkEnd::damage)
      report_damage(location);

    return end;
  }

  // Reads a location in parts of some chunks each, in parallel. make_sink(k) returns a
  // reference to the sink of part k; join(k) is called for the parts in their order once all
  // of them are read. False where join() returns false, or where the location has to be read
  // as a whole.
  template <class MakeSink, class Join>
  bool read_parts(std::uint64_t location, std::size_t chunks_per_part, MakeSink&& make_sink,
                  Join&& join);

  // The number of chunks of a location's file, or 0 where our decoder cannot read the file.
  std::size_t count_chunks(std::uint64_t location) {
    return open(location) == Source::chunks ? file_->chunks() : 0;
  }

  // The number of records of the location that was read last, of all kinds.
  std::uint64_t records() const { return records_; }

 private:
  template <EventSink Sink>
  ChunkEnd read_chunks(DecodeState& state, Sink& sink) {
    for (std::size_t k = 0; k < file_->chunks(); ++k) {
      check_stop();
      const auto end = decode_chunk(file_->read(k, buffer_), local_, state, sink);
      if (end != ChunkEnd::chunk)
        return end;
    }

    return ChunkEnd::damage;
  }

  // What the events of a location are read from.
  enum class Source { missing, empty, library, chunks };

  // Opens the files of a location unless they are open already.
  Source open(std::uint64_t location) {
    if (opened_ != location) {
      source_ = open_files(location);
      opened_ = location;
    }

    return source_;
  }
  Source open_files(std::uint64_t location);
  Source report_missing(std::uint64_t location);
  void open_local_definitions(std::uint64_t location);
  std::uint64_t event_chunk() const {
    return archive_.event_chunk() ? archive_.event_chunk() : wire::smallest_chunk;
  }
  bool is_plain() const { return archive_.event_chunk() != 0; }
  bool uses_decoder() const { return options_.reader == ReaderKind::own && is_plain(); }
  // The library may crash on a damaged file or never end, so our decoder reads it first where
  // it can.
  bool is_safe_for_library();
  bool read_by_library(std::uint64_t location, EventReceiver& receiver);
  void fetch_next(std::uint64_t location);
  // Throws Error(input), or warns and returns false where a part of the file is enough.
  bool report_damage(std::uint64_t location);

  const Archive& archive_;
  std::vector<std::uint64_t> batch_;
  const ReadOptions options_;
  Diagnostics& diagnostics_;
  std::optional<ChunkFile> file_;        // of the location that is read
  std::optional<std::uint64_t> opened_;  // that location
  std::optional<ChunkFile> next_file_;   // of the location that will be read next
  std::uint64_t next_location_ = 0;
  Source source_ = Source::missing;
  ChunkBuffer buffer_;
  LocalDefinitions local_;
  std::unique_ptr<LibraryReader> library_;  // null until a location needs it
  std::uint64_t records_ = 0;
};

// The parts are decoded as if each began with a new location. That is right for a part if the
// part before it leaves nothing that changes how the events are decoded: its first chunk has
// to begin with a time stamp, in the clock interval that the part before has reached or a
// later one, and no attribute list may be pending.
template <class MakeSink, class Join>
bool EventReader::read_parts(std::uint64_t location, std::size_t chunks_per_part,
                             MakeSink&& make_sink, Join&& join) {
  if (open(location) != Source::chunks)
    return false;

  struct Part {
    ChunkEnd end = ChunkEnd::damage;
    bool begins_with_stamp = false;
    std::size_t first_interval = 0;  // the clock interval of that stamp
    DecodeState state;
  };

  std::vector<Part> parts((file_->chunks() + chunks_per_part - 1) / chunks_per_part);

  for_each_index_isolated(parts.size(), [&](std::size_t k) {
    auto& part = parts[k];
    auto& sink = make_sink(k);
    ChunkBuffer buffer;
    const auto first = k * chunks_per_part;
    const auto last = std::min(file_->chunks(), first + chunks_per_part);

    for (auto c = first; c < last; ++c) {
      check_stop();
      const auto chunk = file_->read(c, buffer);

      if (c == first) {
        const auto stamp = find_first_stamp(chunk);
        part.begins_with_stamp = stamp.has_value();
        ClockCorrection clock(local_.clock, 0);
        if (stamp)
          clock(*stamp);
        part.first_interval = clock.interval();
      }

      part.end = decode_chunk(chunk, local_, part.state, sink);
      if (part.end != ChunkEnd::chunk)
        break;
    }
  });

  records_ = 0;
  std::size_t interval = 0;

  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto& part = parts[k];
    const auto expected_end = k + 1 < parts.size() ? ChunkEnd::chunk : ChunkEnd::file;
    const bool fits_the_part_before = part.begins_with_stamp && interval <= part.first_interval &&
                                      (k == 0 || parts[k - 1].state.event.attributes.empty());
    if (!fits_the_part_before || part.end != expected_end || !join(k))
      return false;

    interval = part.state.interval;
    records_ += part.state.records;
  }

  return true;
}

}  // namespace tracefold
