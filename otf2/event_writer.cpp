#include "otf2/event_writer.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint8_t byte_order =
    std::endian::native == std::endian::big ? wire::big_endian : wire::little_endian;
constexpr std::size_t short_record = 254;  // bytes that one byte of length can tell
constexpr std::size_t last_event_at = 10;  // in a chunk's header

Error refused(const std::filesystem::path& path) {
  if (errno == ENOSPC)
    return Error(ErrorKind::output, "no space left on the device")
        .hint("free some space, or choose another place with -o");
  return Error(ErrorKind::output, std::string("cannot be written: ") + std::strerror(errno))
      .in(path.string());
}

int create(const std::filesystem::path& path) {
  const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (handle < 0)
    throw refused(path);
  return handle;
}

// Linux 6.14 writes without leaving the bytes in memory, so that an output of any
// size neither pushes out what others use nor waits for fresh pages. Older systems
// and some file systems refuse it. glibc of Debian 12 has no name for it.
constexpr int dont_cache = 0x80;  // RWF_DONTCACHE of linux/fs.h

::ssize_t write_some(int handle, const std::uint8_t* bytes, std::size_t size,
                     EventWriter::Caching caching) {
  if (caching == EventWriter::Caching::off) {
    const ::iovec from{const_cast<std::uint8_t*>(bytes), size};
    const auto n = ::pwritev2(handle, &from, 1, -1, dont_cache);
    if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL))
      return n;
  }

  return ::write(handle, bytes, size);
}

void write_all(int handle, const std::uint8_t* bytes, std::size_t size,
               EventWriter::Caching caching, const std::filesystem::path& path) {
  for (std::size_t done = 0; done < size;) {
    const auto n = write_some(handle, bytes + done, size - done, caching);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      throw refused(path);
    done += static_cast<std::size_t>(n);
  }
}

void close_checked(int handle, const std::filesystem::path& path) {
  if (::close(handle) != 0 && errno != EINTR)
    throw refused(path);
}

constexpr std::size_t length_bytes(std::size_t bound) {
  return bound <= short_record ? 1 : 9;
}

constexpr std::size_t longest(unsigned width) {
  return width == 1 ? 1 : width + 1u;
}

// The most bytes that the fields of an event take.
std::size_t bound_of(const Event& event) {
  std::size_t bound = 0, lists = 0, each = 0;
  for (const auto& field : get_row(event.kind).shape()) {
    const bool is_list = field.role == FieldRole::list || field.role == FieldRole::ref_list;
    lists += is_list;
    (is_list ? each : bound) +=
        field.role == FieldRole::time_stamp ? field.width : longest(field.width);
  }

  return lists ? bound + each * (event.list.size() / lists) : bound;
}

// The place of the length of a record that has at most `bound` bytes.
std::uint8_t* begin_length(BytePen& pen, std::size_t bound) {
  auto* const begin = pen.at;
  pen.at += length_bytes(bound);
  return begin;
}

void end_length(const BytePen& pen, std::uint8_t* begin, std::size_t bound) {
  if (bound <= short_record) {
    *begin = static_cast<std::uint8_t>(pen.at - begin - 1);
  } else {
    const auto length = static_cast<std::uint64_t>(pen.at - begin - 9);
    *begin = wire::long_record;
    std::memcpy(begin + 1, &length, sizeof length);
  }
}

template <EventKind Kind, std::size_t I>
[[gnu::always_inline]] inline void put_field(BytePen& pen, const Event& event) {
  constexpr auto row = get_row(Kind);
  constexpr Field field = row.fields[I];

  if constexpr (field.role == FieldRole::time_stamp) {
    pen.fixed(event.fields[I], 8);
  } else if constexpr (field.role == FieldRole::ref_list) {
    for (auto id : event.list)
      pen.field(id, field.width);
  } else if constexpr (field.role == FieldRole::list) {
    // Lists of values stand one behind the other in the event and are interleaved in the file.
    constexpr std::size_t lists = row.size - I;
    if constexpr (row.fields[I - 1].role == FieldRole::count)
      for (std::size_t k = 0, n = event.list.size() / lists; k < n; ++k)
        for (std::size_t l = 0; l < lists; ++l)
          pen.field(event.list[l * n + k], row.fields[I + l].width);
  } else {
    pen.field(event.fields[I], field.width);
  }
}

template <EventKind Kind, std::size_t... I>
[[gnu::always_inline]] inline void put_fields(BytePen& pen, const Event& event,
                                              std::index_sequence<I...>) {
  (put_field<Kind, I>(pen, event), ...);
}

}  // namespace

EventWriter::EventWriter(const std::filesystem::path& folder, std::uint64_t id,
                         std::uint64_t chunk_size)
    : path_(folder / (std::to_string(id) + ".evt")),
      handle_(create(path_)),
      chunk_size_(chunk_size),
      chunk_(std::make_unique_for_overwrite<std::uint8_t[]>(chunk_size + BytePen::slack)),
      end_(chunk_.get() + chunk_size) {
  begin_chunk();
}

EventWriter::~EventWriter() {
  if (handle_ >= 0)
    ::close(handle_);
}

void EventWriter::begin_chunk() {
  BytePen pen{chunk_.get()};
  pen.byte(wire::chunk_header);
  pen.byte(byte_order);
  pen.fixed(records_ + 1, 8);
  pen.fixed(0, 8);  // the last record, known at the end of the chunk
  at_ = pen.at;
}

void EventWriter::new_chunk(std::size_t size, std::uint64_t time) {
  const auto needed = chunk_size_for(size + wire::longest_stamp);
  if (needed > chunk_size_)
    throw RecordTooLarge{needed};

  std::memset(at_, wire::chunk_end, static_cast<std::size_t>(end_ - at_));
  write_out(chunk_size_, Caching::off);
  begin_chunk();
  BytePen pen{at_};
  pen.time_stamp(time, true);
  at_ = pen.at;
  time_ = time;
}

void EventWriter::write_out(std::size_t size, Caching caching) {
  std::memcpy(chunk_.get() + last_event_at, &records_, sizeof records_);
  write_all(handle_, chunk_.get(), size, caching, path_);
}

std::uint64_t EventWriter::close() {
  if (end_ - at_ < 2)
    new_chunk(0, time_);
  *at_++ = wire::file_end;
  *at_++ = wire::buffer_end;
  write_out(static_cast<std::size_t>(at_ - chunk_.get()), Caching::on);
  close_checked(std::exchange(handle_, -1), path_);

  return records_;
}

std::size_t encoded_size(std::span<const Attribute> attributes) {
  if (attributes.empty())
    return 0;

  const auto bound = wire::longest_count + wire::longest_attribute * attributes.size();
  return 1 + length_bytes(bound) + bound;
}

BytePen EventWriter::put_attributes(BytePen pen, std::span<const Attribute> attributes) {
  pen.byte(wire::attribute_list);
  const auto bound = wire::longest_count + wire::longest_attribute * attributes.size();
  auto* const length = begin_length(pen, bound);
  pen.number(attributes.size(), 4);

  for (const auto& a : attributes) {
    const auto shape = wire::value_encoding(a.type);
    pen.number(static_cast<std::uint32_t>(a.id), 4);
    pen.byte(static_cast<std::uint8_t>(a.type));
    if (shape.compressed)
      pen.number(shape.width == 4 ? static_cast<std::uint32_t>(a.value) : a.value, shape.width);
    else
      pen.fixed(a.value, shape.width);
  }

  end_length(pen, length, bound);

  return pen;
}

std::size_t encoded_size(const Event& event) {
  const auto bound = bound_of(event);
  const auto length = wire::is_bare(event.kind) ? 0 : length_bytes(bound);
  return wire::longest_stamp + encoded_size(event.attributes) + 1 + length + bound;
}

std::size_t encoded_size_of_call(std::span<const Attribute> attributes) {
  return wire::longest_stamp + encoded_size(attributes) + 1 + wire::longest_region;
}

void EventWriter::write(const Event& event) {
  const bool bare = wire::is_bare(event.kind);
  const auto bound = bound_of(event);
  auto pen =
      begin_record(event.time, 1 + (bare ? 0 : length_bytes(bound)) + bound, event.attributes);
  pen.byte(wire::record_type(event.kind));
  auto* const length = bare ? nullptr : begin_length(pen, bound);
  switch (event.kind) {
#define TRACEFOLD_CASE(name, ...)                                                          \
  case EventKind::name:                                                                    \
    put_fields<EventKind::name>(pen, event,                                                \
                                std::make_index_sequence<get_row(EventKind::name).size>()); \
    break;
    TRACEFOLD_EVENTS(TRACEFOLD_CASE)
#undef TRACEFOLD_CASE
  }
  if (length)
    end_length(pen, length, bound);
  at_ = pen.at;
}

void write_local_definitions(const std::filesystem::path& folder, std::uint64_t id) {
  std::array<std::uint8_t, wire::header_size + 2> bytes{};
  bytes[0] = wire::chunk_header;
  bytes[1] = byte_order;
  bytes[byte_order == wire::little_endian ? 2 : 9] = 1;  // the first record would be number 1
  bytes[wire::header_size] = wire::file_end;
  bytes[wire::header_size + 1] = wire::buffer_end;
  const auto path = folder / (std::to_string(id) + ".def");
  const int handle = create(path);

  try {
    write_all(handle, bytes.data(), bytes.size(), EventWriter::Caching::on, path);
  } catch (...) {
    ::close(handle);
    throw;
  }

  close_checked(handle, path);
}

}  // namespace tracefold
