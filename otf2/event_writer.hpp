// Writes the event file of one location, as model/wire.hpp describes it: in
// the bytes that libotf2 would write, but for a signed -1, which takes one here
// and nine there.
//
// One thread at a time; any number of locations side by side. What the system
// refuses is thrown as Error(output).
#pragma once

#include "otf2/byte_pen.hpp"
#include "otf2/event.hpp"
#include "otf2/wire.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace tracefold {

// Thrown where a record does not fit into a chunk: larger chunks are needed.
struct RecordTooLarge {
  std::size_t bytes;  // that the chunk should have at least
};

// The most bytes that something takes in an event file: a list of attributes; an event other than
// Enter and Leave, or one of these, with its time stamp and its attributes.
std::size_t encoded_size(std::span<const Attribute> attributes);
std::size_t encoded_size(const Event& event);
std::size_t encoded_size_of_call(std::span<const Attribute> attributes);

class EventWriter {
 public:
  enum class Caching { on, off };  // of written bytes, by the system; off: where it can

  // Makes FOLDER/ID.evt. `chunk_size` in bytes, as the anchor will say.
  EventWriter(const std::filesystem::path& folder, std::uint64_t id, std::uint64_t chunk_size);
  // The smallest chunk, in bytes, that holds a record of so many bytes.
  static constexpr std::size_t chunk_size_for(std::size_t record) {
    return wire::header_size + record + 1;  // and a mark behind all
  }
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  ~EventWriter();

  // Times may not step back.
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
    auto pen = begin_record(time, 1 + wire::longest_region, attributes);
    pen.byte(wire::record_type(kind));
    pen.number(static_cast<std::uint32_t>(region), 4);
    at_ = pen.at;
  }
  // Makes room for a record of up to `size` bytes and writes what stands before it.
  [[gnu::always_inline]] BytePen begin_record(std::uint64_t time, std::size_t size,
                                              std::span<const Attribute> attributes) {
    if (!attributes.empty()) [[unlikely]]
      size += encoded_size(attributes);
    if (static_cast<std::size_t>(end_ - at_) < size + wire::longest_stamp + 1) [[unlikely]]
      new_chunk(size, time);  // and a mark behind all

    BytePen pen{at_};
    pen.time_stamp(time, time != time_ || time == 0);
    time_ = time;
    if (!attributes.empty()) [[unlikely]]
      pen = put_attributes(pen, attributes);

    ++records_;

    return pen;
  }
  static BytePen put_attributes(BytePen pen, std::span<const Attribute> attributes);
  void begin_chunk();
  void new_chunk(std::size_t size, std::uint64_t time);
  void write_out(std::size_t size, Caching caching);

  std::filesystem::path path_;
  int handle_ = -1;
  std::uint64_t chunk_size_;
  std::unique_ptr<std::uint8_t[]> chunk_;
  std::uint8_t *at_ = nullptr, *end_ = nullptr;
  std::uint64_t records_ = 0, time_ = 0;
};

// Makes FOLDER/ID.def, empty: readers complain about missing ones.
void write_local_definitions(const std::filesystem::path& folder, std::uint64_t id);

}  // namespace tracefold
