// Reads the events of locations for an event sink (event.hpp).
//
// Two readers do this with the same result: our decoder, and libotf2 where the decoder cannot read
// the files or the user asks for it. libotf2 reaches the sink by virtual calls
// (event_receiver.hpp).
#pragma once

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/packed_values.hpp"
#include "otf2/archive.hpp"
#include "otf2/archive_parts.hpp"
#include "otf2/event_decoder.hpp"
#include "otf2/event_receiver.hpp"
#include "otf2/read_options.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

class LibraryReader;

// The chunks from `first` to before `last` of a location's file.
struct ChunkRange {
  std::size_t first = 0, last = 0;

  std::size_t size() const { return last - first; }
};

// The state before and after neighbouring chunks that were decoded as if a location began with
// them. It tells whether two such stretches fit together, and whether they are a whole location.
struct ReadStretch {
  bool begins_with_stamp = false;
  std::size_t first_interval = 0;  // the clock interval of that stamp
  std::size_t last_interval = 0;   // that at the end
  bool leaves_attributes = false;  // an attribute list whose event is behind the stretch
  ChunkEnd end = ChunkEnd::damage;
  std::uint64_t records = 0;

  // Appends the stretch that follows. False where `next` should have been decoded after this one.
  bool append(const ReadStretch& next);
  bool is_whole() const { return begins_with_stamp && end == ChunkEnd::file; }
};
auto list_members(Like<ReadStretch> auto& read) {
  return std::tie(read.begins_with_stamp, read.first_interval, read.last_interval,
                  read.leaves_attributes, read.end, read.records);
}

// Reads a batch of locations in one thread; in the order of the batch this is fastest. At most two
// event files are open: the one that is read, and the next one of the batch, which the system loads
// meanwhile.
class EventReader {
 public:
  EventReader(const Archive& archive, std::span<const std::uint64_t> batch,
              const ReadOptions& options, Diagnostics& diagnostics);
  ~EventReader();

  // Reads all events of a location of the batch. False where the file is damaged or ends early and
  // ReadOptions::partial allows that. Throws Error(input), and what the sink throws.
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

  // Reads the events of one chunk. Read chunks in their order, with a new `state` for the first
  // one. None where the location can only be read as a whole. Throws Error(input), also where the
  // file is damaged or ends early.
  template <EventSink Sink>
  std::optional<ChunkEnd> read_chunk(std::uint64_t location, std::size_t chunk, DecodeState& state,
                                     Sink& sink) {
    if (open(location) != Source::chunks)
      return std::nullopt;

    check_stop();
    const auto end = chunk < file_->chunks()
                         ? decode(chunk, file_->read(chunk, buffer_), state, sink)
                         : ChunkEnd::damage;
    if (end == ChunkEnd::damage)
      report_damage(location);

    return end;
  }

  // Reads some chunks of a location in parallel, in parts of `chunks_per_part`. make_sink(k)
  // returns a reference to the sink of part k; join(k) is called for each part in their order,
  // after all are read. None where join() returns false, or where the location can only be read as
  // a whole.
  template <class MakeSink, class Join>
  std::optional<ReadStretch> read_parts(std::uint64_t location, ChunkRange chunks,
                                        std::size_t chunks_per_part, MakeSink&& make_sink,
                                        Join&& join);

  // The number of chunks of a location's file, or 0 where our decoder cannot read the file.
  std::size_t count_chunks(std::uint64_t location) {
    return open(location) == Source::chunks ? file_->chunks() : 0;
  }

  // How many records the location has that was read last.
  std::uint64_t records() const { return records_; }

 private:
  // A file that goes on behind its end is damaged.
  template <EventSink Sink>
  ChunkEnd decode(std::size_t k, const Chunk& chunk, DecodeState& state, Sink& sink) const {
    const auto end = decode_chunk(chunk, local_, state, sink);
    return end == ChunkEnd::file && k + 1 < file_->chunks() ? ChunkEnd::damage : end;
  }

  template <EventSink Sink>
  ChunkEnd read_chunks(DecodeState& state, Sink& sink) {
    for (std::size_t k = 0; k < file_->chunks(); ++k) {
      check_stop();
      const auto end = decode(k, file_->read(k, buffer_), state, sink);
      if (end != ChunkEnd::chunk)
        return end;
    }

    return ChunkEnd::damage;
  }

  // Where the events of a location come from.
  enum class Source { missing, empty, library, chunks };

  // Opens the files of a location, unless they are already open.
  Source open(std::uint64_t location) {
    if (opened_ != location) {
      source_ = open_files(location);
      opened_ = location;
    }

    return source_;
  }
  Source open_files(std::uint64_t location);
  Source report_missing(std::uint64_t location);
  void open_local_definitions(const LocationFiles& files);
  std::optional<ChunkFile> open_events(const LocationFiles& files) const {
    return ChunkFile::open(files.events,
                           files.event_chunk ? files.event_chunk : wire::smallest_chunk);
  }
  bool is_plain() const { return archive_.event_chunk() != 0; }
  bool uses_decoder() const { return options_.reader == ReaderKind::own && is_plain(); }
  // Whether libotf2 can read the file. It may crash on a damaged file or never return, so our
  // decoder reads the file first where it can.
  bool is_safe_for_library();
  bool read_by_library(std::uint64_t location, EventReceiver& receiver);
  void fetch_next(std::uint64_t location);
  // Throws Error(input), or warns and returns false where ReadOptions::partial is set.
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

// Each part is decoded as if a location began with it. The result is right if the part before it
// leaves no state behind: its first chunk begins with a time stamp, in the clock interval that the
// part before has reached or a later one, and no attribute list waits for its event.
template <class MakeSink, class Join>
std::optional<ReadStretch> EventReader::read_parts(std::uint64_t location, ChunkRange chunks,
                                                   std::size_t chunks_per_part,
                                                   MakeSink&& make_sink, Join&& join) {
  if (open(location) != Source::chunks || chunks.size() == 0)
    return std::nullopt;

  std::vector<ReadStretch> parts((chunks.size() + chunks_per_part - 1) / chunks_per_part);

  for_each_index_isolated(parts.size(), [&](std::size_t k) {
    auto& part = parts[k];
    auto& sink = make_sink(k);
    ChunkBuffer buffer;
    DecodeState state;
    const auto first = chunks.first + k * chunks_per_part;
    const auto last = std::min(chunks.last, first + chunks_per_part);

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

      part.end = decode(c, chunk, state, sink);
      if (part.end != ChunkEnd::chunk)
        break;
    }

    part.last_interval = state.interval;
    part.leaves_attributes = !state.event.attributes.empty();
    part.records = state.records;
  });

  auto& all = parts.front();
  for (std::size_t k = 0; k < parts.size(); ++k)
    if ((k > 0 && !all.append(parts[k])) || !join(k))
      return std::nullopt;

  records_ = all.records;
  return all;
}

}  // namespace tracefold
