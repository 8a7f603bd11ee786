// Writes the event file of one location. wire.hpp describes the bytes. They are those of libotf2,
// but for a signed -1, which takes one byte here and nine there.
//
// One thread for each writer; any number of locations may be written in parallel. Throws
// Error(output).
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
  std::size_t bytes;  // the chunk size that is necessary
};

// The largest number of bytes in an event file: for a list of attributes; for an event with its
// time stamp and attributes; for an Enter or Leave with both.
std::size_t encoded_size(std::span<const Attribute> attributes);
std::size_t encoded_size(const Event& event);
std::size_t encoded_size_of_call(std::span<const Attribute> attributes);

class EventWriter {
 public:
  // Whether the system should cache the written bytes; `off` is used where it can.
  enum class Caching { on, off };

  // Makes FOLDER/ID.evt. `chunk_size` is in bytes, and the anchor must state it.
  EventWriter(const std::filesystem::path& folder, std::uint64_t id, std::uint64_t chunk_size);
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  ~EventWriter();

  // The smallest chunk size, in bytes, for an event of this encoded_size(), with the header before
  // it and the mark after it.
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
  // Flushes, and returns the number of records.
  std::uint64_t close();

 private:
  [[gnu::always_inline]] void call(EventKind kind, std::uint64_t time, std::uint64_t region,
                                   std::span<const Attribute> attributes) {
    auto out = begin_record(time, 1 + wire::longest_region, attributes);
    out.byte(wire::record_type(kind));
    out.number(static_cast<std::uint32_t>(region), 4);
    at_ = out.at;
  }
  // Makes room for a record of at most `size` bytes, and writes its time stamp and attribute list.
  // The chunk keeps room for the mark at its end.
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

// Makes FOLDER/ID.def without definitions, since readers complain where it is missing.
void write_empty_local_definitions(const std::filesystem::path& folder, std::uint64_t id);
// Whether a file is equal to what the function above writes.
bool has_no_local_definitions(const std::filesystem::path& file);

}  // namespace tracefold
