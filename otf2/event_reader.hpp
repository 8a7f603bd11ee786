// Reads the events of locations and feeds them to a pass.
//
// Events reach a pass through one interface, the event sink: a class with
//   void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute>);
//   void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute>);
//   void other(Event&);                 // any other kind; may be changed by the sink
//   void unknown(std::uint64_t time);   // a kind that this version of OTF2 adds
// called in the order of the location's records, times in ticks and corrected
// by the clock offsets, ids global. Exceptions may leave a sink. Two readers
// feed it alike: our decoder of event files, and libotf2 where the decoder
// does not know the files or where it is asked for.
#pragma once

#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "otf2/event_decoder.hpp"
#include "otf2/library_reader.hpp"
#include "otf2/read_options.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// Reads a batch of locations, preferably in its order, in one thread. At most
// two event files are open: one that is read, and the next of the batch, which
// the system is asked to fetch.
class EventReader {
 public:
  EventReader(const Archive& archive, std::span<const std::uint64_t> batch,
              const ReadOptions& options, Diagnostics& diagnostics);

  // Feeds all events of a location of the batch to the sink. False where the
  // file ends early or is damaged and a part is enough. Throws Error(input),
  // and whatever the sink throws.
  template <class Sink>
  bool read(std::uint64_t location, Sink& sink) {
    records_ = 0;

    switch (source_of(location)) {
      case Source::missing: return false;
      case Source::empty: return true;
      case Source::library:
        if (is_safe_for_library())
          return library().read(location, sink, records_) || damaged(location);
        break;
      case Source::chunks: break;
    }

    DecodeState state;
    const auto end = read_chunks(state, sink);
    records_ = state.records;

    return end == ChunkEnd::file || damaged(location);
  }
  // Reads a location in parts of some chunks each, side by side: `part(k)` makes
  // the sink of the k-th, `join(k)` takes what it holds, in their order. False
  // where `join` does, or where the location has to be read as a whole.
  template <class Part, class Join>
  bool read_parts(std::uint64_t location, std::size_t chunks_of_a_part, Part&& part, Join&& join);
  // Chunks of a location's file that our decoder can read, else 0.
  std::size_t chunks_of(std::uint64_t location) {
    return source_of(location) == Source::chunks ? file_->chunks() : 0;
  }
  // Of the location that was read last, of all kinds.
  std::uint64_t records() const { return records_; }

 private:
  template <class Sink>
  ChunkEnd read_chunks(DecodeState& state, Sink& sink) {
    for (std::size_t k = 0; k < file_->chunks(); ++k) {
      check_stop();
      const auto end = decode_chunk(file_->read(k, buffer_), local_, state, sink);
      if (end != ChunkEnd::chunk)
        return end;
    }

    return ChunkEnd::damage;
  }

  enum class Source { missing, empty, library, chunks };
  Source open(std::uint64_t location);
  Source source_of(std::uint64_t location) {
    if (opened_ != location)
      source_ = open(location), opened_ = location;
    return source_;
  }
  Source missing(std::uint64_t location);
  void read_local_definitions_of(std::uint64_t location);
  std::uint64_t event_chunk() const {
    return archive_.event_chunk() ? archive_.event_chunk() : wire::smallest_chunk;
  }
  bool is_plain() const { return archive_.event_chunk() != 0; }
  bool uses_decoder() const { return options_.reader == ReaderKind::own && is_plain(); }
  // The library may crash on a damaged file or go on for ever: our decoder looks at it first, where
  // it can.
  bool is_safe_for_library();
  void fetch_next(std::uint64_t location);
  LibraryReader& library();
  bool damaged(std::uint64_t location);

  const Archive& archive_;
  std::vector<std::uint64_t> batch_;
  const ReadOptions options_;
  Diagnostics& diagnostics_;
  std::optional<ChunkFile> file_, ahead_;
  std::uint64_t ahead_location_ = 0;
  std::optional<std::uint64_t> opened_;  // the location of file_
  Source source_ = Source::missing;
  ChunkBuffer buffer_;
  LocalDefinitions local_;
  std::optional<LibraryReader> library_;
  std::uint64_t records_ = 0;
};

template <class Part, class Join>
bool EventReader::read_parts(std::uint64_t location, std::size_t chunks_of_a_part, Part&& part,
                             Join&& join) {
  if (source_of(location) != Source::chunks)
    return false;

  struct Read {
    ChunkEnd end = ChunkEnd::damage;
    bool stamped = false;  // the first chunk begins with a time stamp
    std::size_t interval = 0;
    DecodeState state;
  };

  std::vector<Read> parts((file_->chunks() + chunks_of_a_part - 1) / chunks_of_a_part);

  for_each_index_isolated(parts.size(), [&](std::size_t k) {
    auto& read = parts[k];
    auto& sink = part(k);
    ChunkBuffer buffer;
    const auto first = k * chunks_of_a_part,
               last = std::min(file_->chunks(), first + chunks_of_a_part);

    for (auto c = first; c < last; ++c) {
      check_stop();
      const auto chunk = file_->read(c, buffer);
      if (c == first) {
        const auto stamp = first_stamp(chunk);
        read.stamped = stamp.has_value();
        ClockCorrection clock(local_.clock, 0);
        if (stamp)
          clock(*stamp);
        read.interval = clock.interval();
      }

      read.end = decode_chunk(chunk, local_, read.state, sink);
      if (read.end != ChunkEnd::chunk)
        break;
    }
  });

  records_ = 0;
  std::size_t interval = 0;

  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto& read = parts[k];
    const bool follows = read.stamped && interval <= read.interval &&
                         (k == 0 || parts[k - 1].state.event.attributes.empty());
    if (!follows || read.end != (k + 1 < parts.size() ? ChunkEnd::chunk : ChunkEnd::file) ||
        !join(k))
      return false;

    interval = read.state.interval;
    records_ += read.state.records;
  }

  return true;
}

}  // namespace tracefold
