// Writes the event file of one location, as model/wire.hpp describes it: in
// the bytes that libotf2 would write, but for a signed -1, which takes one here
// and nine there.
//
// One thread at a time; any number of locations side by side. What the system
// refuses is thrown as Error(output).
#pragma once

#include "model/event.hpp"
#include "model/wire.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace tracefold {

// Thrown where a record does not fit into a chunk: larger chunks are needed.
struct RecordTooLarge {
  std::size_t bytes;  // that the chunk should have at least
};

class EventWriter {
 public:
  enum class Caching { on, off };  // of written bytes, by the system; off: where it can

  // Makes FOLDER/ID.evt. `chunk_size` in bytes, as the anchor will say.
  EventWriter(const std::filesystem::path& folder, std::uint64_t id, std::uint64_t chunk_size);
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  ~EventWriter();

  // Times may not step back.
  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Enter, time, region, attributes);
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(EventKind::Leave, time, region, attributes);
  }
  void write(const Event& event);
  // Writes what is buffered and returns the number of records.
  std::uint64_t close();

 private:
  static constexpr std::size_t slack = 16;         // bytes that a number may be stored beyond the end
  static constexpr std::size_t largest_region = 5;  // bytes

  [[gnu::always_inline]] void call(EventKind kind, std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    begin_record(time, 1 + largest_region, attributes);
    *at_++ = wire::type_of(kind);
    put_number(static_cast<std::uint32_t>(region), 4);
  }
  // Makes room for a record of up to `size` bytes and writes what stands before it.
  [[gnu::always_inline]] void begin_record(std::uint64_t time, std::size_t size, std::span<const Attribute> attributes) {
    if (!attributes.empty()) [[unlikely]] size += size_of(attributes);
    if (static_cast<std::size_t>(end_ - at_) < size + 10) [[unlikely]] new_chunk(size, time);  // a time stamp, and a mark behind all
    if (time != time_ || time == 0) [[likely]] put_time(time);
    if (!attributes.empty()) [[unlikely]] put_attributes(attributes);
    ++records_;
  }
  [[gnu::always_inline]] void put_time(std::uint64_t time) {
    *at_++ = wire::time_stamp;
    put_fixed(time, 8);
    time_ = time;
  }
  [[gnu::always_inline]] void put_fixed(std::uint64_t value, unsigned width) {
    if constexpr (std::endian::native == std::endian::big) value <<= 64 - 8 * width;
    std::memcpy(at_, &value, sizeof value);
    at_ += width;
  }
  // A compressed number of at most `widest` bytes, 4 or 8.
  [[gnu::always_inline]] void put_number(std::uint64_t value, unsigned widest) {
    if (value == (widest == 4 ? 0xffffffffu : ~std::uint64_t{0})) [[unlikely]] {
      *at_++ = wire::all_bits;
      return;
    }
    const auto width = static_cast<unsigned>(std::bit_width(value) + 7) / 8;
    *at_++ = static_cast<std::uint8_t>(width);
    if constexpr (std::endian::native == std::endian::big) {
      if (width > 0) put_fixed(value, width);
    } else {
      put_fixed(value, width);
    }
  }
  void put_value(std::uint64_t value, unsigned width);
  template <EventKind Kind, std::size_t I>
  void put_field(const Event& event);
  template <EventKind Kind, std::size_t... I>
  void put_fields(const Event& event, std::index_sequence<I...>);

  static std::size_t size_of(std::span<const Attribute> attributes);
  void put_attributes(std::span<const Attribute> attributes);
  std::uint8_t* begin_length(std::size_t bound);
  void end_length(std::uint8_t* begin, std::size_t bound);
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
