// Writes the event file of one location. wire.hpp describes the bytes, which are those that
// libotf2 would write, except for a signed -1: it takes one byte here and nine there.
//
// One thread at a time; any number of locations may be written in parallel. What the system
// refuses is thrown as Error(output).
#pragma once

#include "otf2/bytes.hpp"
#include "otf2/event.hpp"
#include "otf2/wire.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace tracefold {

// Thrown where a record does not fit into a chunk.
struct RecordTooLarge {
  std::size_t bytes;  // that chunks need at least
};

// The most bytes that something takes in an event file: a list of attributes; an event with its
// time stamp and attributes; an Enter or Leave with its time stamp and attributes.
std::size_t encoded_size(std::span<const Attribute> attributes);
std::size_t encoded_size(const Event& event);
std::size_t encoded_size_of_call(std::span<const Attribute> attributes);

class EventWriter {
 public:
  // Whether the system keeps written bytes in memory; `off` where it can do without.
  enum class Caching { on, off };

  // Makes FOLDER/ID.evt. `chunk_size` in bytes, as the anchor will say.
  EventWriter(const std::filesystem::path& folder, std::uint64_t id, std::uint64_t chunk_size);
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  ~EventWriter();

  // The least size of chunks, in bytes, that hold an event of this encoded_size(): there is a
  // header before it, and a mark behind it.
  static constexpr std::size_t chunk_size_for(std::size_t encoded_size) {
    return wire::header_size + encoded_size + 1;
  }

  // The times of events must not step back.
  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    call(EventKind::Enter, time, region, attributes);
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    call(EventKind::Leave, time, region, attributes);
  }
  void write(const Event& event);
  // Writes what is buffered and returns the number of records.
  std::uint64_t close();

 private:
  [[gnu::always_inline]] void call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
    auto out = begin_record(time, 1 + wire::longest_region, attributes);
    out.byte(wire::record_type(kind));
    out.number(static_cast<std::uint32_t>(region), 4);
    at_ = out.at;
  }
  // Makes room for a record of at most `size` bytes, and writes the time stamp and the attribute
  // list that stand before it. Behind the last record of a chunk there has to be room for a mark.
  [[gnu::always_inline]] ByteWriter begin_record(std::uint64_t time, std::size_t size,
                                                 std::span<const Attribute> attributes) {
    if (!attributes.empty()) [[unlikely]]
      size += encoded_size(attributes);
    if (static_cast<std::size_t>(end_ - at_) < wire::longest_stamp + size + 1) [[unlikely]]
      new_chunk(size, time);

    ByteWriter out{at_};
    out.time_stamp(time, time != time_);
    time_ = time;
    if (!attributes.empty()) [[unlikely]]
      out = put_attributes(out, attributes);

    ++records_;

    return out;
  }
  static ByteWriter put_attributes(ByteWriter out, std::span<const Attribute> attributes);
  void begin_chunk();
  void new_chunk(std::size_t size, std::uint64_t time);
  void write_out(std::size_t size, Caching caching);

  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t chunk_size_;  // bytes
  std::unique_ptr<std::uint8_t[]> chunk_;
  std::uint8_t* at_ = nullptr;  // where the next record begins in the chunk
  std::uint8_t* end_ = nullptr;
  std::uint64_t records_ = 0;
  std::uint64_t time_ = 0;  // of the last record, ticks
};

// Makes FOLDER/ID.def without any definition, since readers complain about missing files.
void write_empty_local_definitions(const std::filesystem::path& folder, std::uint64_t id);
// True where a file is as the function above makes it.
bool has_no_local_definitions(const std::filesystem::path& file);

}  // namespace tracefold
