#include "otf2/event_writer.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t short_record = 254;  // bytes; longer ones need nine bytes of length
constexpr std::size_t last_event_at = 10;  // bytes from the beginning of a chunk

Error write_error(const std::filesystem::path& path) {
  if (errno == ENOSPC)
    return Error(ErrorKind::output, "no space left on the device")
        .hint("free some space, or choose another `output`");
  return Error(ErrorKind::output, std::string("cannot be written: ") + std::strerror(errno))
      .in(path.string());
}

int create(const std::filesystem::path& path) {
  const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (handle < 0)
    throw write_error(path);
  return handle;
}

// Linux 6.14 can write without keeping the bytes in memory. Then a large output neither
// replaces what others use in memory nor waits for fresh pages. Older systems and some file
// systems refuse it. glibc of Debian 12 has no name for it.
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
      throw write_error(path);
    done += static_cast<std::size_t>(n);
  }
}

void close_checked(int handle, const std::filesystem::path& path) {
  if (::close(handle) != 0 && errno != EINTR)
    throw write_error(path);
}

// The bytes of the length of a record that has at most `bound` bytes.
constexpr std::size_t length_bytes(std::size_t bound) {
  return bound <= short_record ? 1 : 9;
}

// The most bytes that a field takes.
constexpr std::size_t max_bytes(const Field& field) {
  const bool is_plain = field.width == 1 || field.role == FieldRole::time_stamp;
  return is_plain ? field.width : field.width + 1u;
}

// The most bytes that the fields of an event take, by kind.
struct FieldBytes {
  std::size_t plain = 0;        // of those that are no lists
  std::size_t per_element = 0;  // of all lists together, which have equal lengths
  std::size_t lists = 0;
};

constexpr FieldBytes max_bytes_of_row(const EventRow& row) {
  FieldBytes bytes;

  for (const auto& field : row.shape())
    if (field.role == FieldRole::list || field.role == FieldRole::ref_list) {
      ++bytes.lists;
      bytes.per_element += max_bytes(field);
    } else {
      bytes.plain += max_bytes(field);
    }

  return bytes;
}

constexpr auto field_bytes = [] {
  std::array<FieldBytes, event_kinds> bytes;
  for (std::size_t k = 0; k < event_kinds; ++k)
    bytes[k] = max_bytes_of_row(event_table[k]);
  return bytes;
}();

std::size_t max_bytes_of_fields(const Event& event) {
  const auto& bytes = field_bytes[static_cast<std::size_t>(event.kind)];
  return bytes.lists ? bytes.plain + bytes.per_element * (event.list.size() / bytes.lists)
                     : bytes.plain;
}

// The most bytes that the attributes take in their list.
std::size_t max_bytes_of_attributes(std::size_t count) {
  return wire::longest_count + wire::longest_attribute * count;
}

// The most bytes that the record of an event takes, without time stamp and attributes.
std::size_t max_bytes_of_record(const Event& event) {
  const auto fields = max_bytes_of_fields(event);
  return 1 + (wire::is_bare(event.kind) ? 0 : length_bytes(fields)) + fields;
}

// Leaves room for the length of a record that has at most `bound` bytes and returns its place.
std::uint8_t* begin_length(ByteWriter& out, std::size_t bound) {
  auto* const begin = out.at;
  out.at += length_bytes(bound);
  return begin;
}

void end_length(const ByteWriter& out, std::uint8_t* begin, std::size_t bound) {
  if (bound <= short_record) {
    *begin = static_cast<std::uint8_t>(out.at - begin - 1);
  } else {
    const auto length = static_cast<std::uint64_t>(out.at - begin - 9);
    *begin = wire::long_record;
    std::memcpy(begin + 1, &length, sizeof length);
  }
}

template <EventKind Kind, std::size_t I>
[[gnu::always_inline]] inline void put_field(ByteWriter& out, const Event& event) {
  constexpr auto row = get_row(Kind);
  constexpr Field field = row.fields[I];

  if constexpr (field.role == FieldRole::time_stamp) {
    out.fixed(event.fields[I], 8);
  } else if constexpr (field.role == FieldRole::ref_list) {
    for (auto id : event.list)
      out.field(id, field.width);
  } else if constexpr (field.role == FieldRole::list) {
    // Lists of values stand one behind the other in the event. In the file they are interleaved.
    constexpr std::size_t lists = row.size - I;
    if constexpr (row.fields[I - 1].role == FieldRole::count)
      for (std::size_t k = 0, n = event.list.size() / lists; k < n; ++k)
        for (std::size_t l = 0; l < lists; ++l)
          out.field(event.list[l * n + k], row.fields[I + l].width);
  } else {
    out.field(event.fields[I], field.width);
  }
}

template <EventKind Kind, std::size_t... I>
[[gnu::always_inline]] inline void put_fields(ByteWriter& out, const Event& event,
                                              std::index_sequence<I...>) {
  (put_field<Kind, I>(out, event), ...);
}

}  // namespace

EventWriter::EventWriter(const std::filesystem::path& folder, std::uint64_t id,
                         std::uint64_t chunk_size)
    : path_(folder / (std::to_string(id) + ".evt")),
      handle_(create(path_)),
      chunk_size_(chunk_size),
      chunk_(std::make_unique_for_overwrite<std::uint8_t[]>(chunk_size + ByteWriter::slack)),
      at_(chunk_.get() + chunk_size),  // full: the first event begins a chunk with its time
      end_(at_) {}

EventWriter::~EventWriter() {
  if (handle_ >= 0)
    ::close(handle_);
}

void EventWriter::begin_chunk() {
  ByteWriter out{chunk_.get()};
  out.byte(wire::chunk_header);
  out.byte(wire::native_order);
  out.fixed(records_ + 1, 8);
  out.fixed(0, 8);  // the last record, known at the end of the chunk
  at_ = out.at;
}

void EventWriter::new_chunk(std::size_t size, std::uint64_t time) {
  const auto needed = chunk_size_for(wire::longest_stamp + size);
  if (needed > chunk_size_)
    throw RecordTooLarge{needed};

  if (records_ > 0) {
    std::memset(at_, wire::chunk_end, static_cast<std::size_t>(end_ - at_));
    write_out(chunk_size_, Caching::off);
  }
  begin_chunk();
  ByteWriter out{at_};
  out.time_stamp(time, true);
  at_ = out.at;
  time_ = time;
}

void EventWriter::write_out(std::size_t size, Caching caching) {
  std::memcpy(chunk_.get() + last_event_at, &records_, sizeof records_);
  write_all(handle_, chunk_.get(), size, caching, path_);
}

std::uint64_t EventWriter::close() {
  if (records_ == 0)
    begin_chunk();
  else if (end_ - at_ < 2)
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

  const auto bound = max_bytes_of_attributes(attributes.size());
  return 1 + length_bytes(bound) + bound;
}

std::size_t encoded_size(const Event& event) {
  return wire::longest_stamp + encoded_size(event.attributes) + max_bytes_of_record(event);
}

std::size_t encoded_size_of_call(std::span<const Attribute> attributes) {
  return wire::longest_stamp + encoded_size(attributes) + 1 + wire::longest_region;
}

ByteWriter EventWriter::put_attributes(ByteWriter out, std::span<const Attribute> attributes) {
  out.byte(wire::attribute_list);
  const auto bound = max_bytes_of_attributes(attributes.size());
  auto* const length = begin_length(out, bound);
  out.number(attributes.size(), 4);

  for (const auto& a : attributes) {
    const auto shape = wire::value_encoding(a.type);
    out.number(static_cast<std::uint32_t>(a.id), 4);
    out.byte(static_cast<std::uint8_t>(a.type));
    if (shape.compressed)
      out.number(shape.width == 4 ? static_cast<std::uint32_t>(a.value) : a.value, shape.width);
    else
      out.fixed(a.value, shape.width);
  }

  end_length(out, length, bound);

  return out;
}

void EventWriter::write(const Event& event) {
  const bool is_bare = wire::is_bare(event.kind);
  const auto bound = max_bytes_of_fields(event);
  auto out =
      begin_record(event.time, 1 + (is_bare ? 0 : length_bytes(bound)) + bound, event.attributes);
  out.byte(wire::record_type(event.kind));
  auto* const length = is_bare ? nullptr : begin_length(out, bound);

  switch (event.kind) {
#define TRACEFOLD_CASE(name, ...)                                                           \
  case EventKind::name:                                                                     \
    put_fields<EventKind::name>(out, event,                                                 \
                                std::make_index_sequence<get_row(EventKind::name).size>()); \
    break;
    TRACEFOLD_EVENTS(TRACEFOLD_CASE)
#undef TRACEFOLD_CASE
  }

  if (length)
    end_length(out, length, bound);
  at_ = out.at;
}

namespace {

// A file of definitions without any.
std::array<std::uint8_t, wire::header_size + 2> make_empty_file() {
  std::array<std::uint8_t, wire::header_size + 2> bytes{};
  bytes[0] = wire::chunk_header;
  bytes[1] = wire::native_order;
  bytes[wire::native_order == wire::little_endian ? 2 : 9] = 1;  // the number of the first record
  bytes[wire::header_size] = wire::file_end;
  bytes[wire::header_size + 1] = wire::buffer_end;

  return bytes;
}

}  // namespace

void write_empty_local_definitions(const std::filesystem::path& folder, std::uint64_t id) {
  const auto bytes = make_empty_file();
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

bool has_no_local_definitions(const std::filesystem::path& file) {
  const auto expected = make_empty_file();
  std::array<char, expected.size() + 1> found{};
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return false;

  std::ifstream in(file, std::ios::binary);
  in.read(found.data(), found.size());
  if (in.bad() || !in.is_open())
    throw Error(ErrorKind::input, "cannot be read").in(file.string());

  return static_cast<std::size_t>(in.gcount()) == expected.size() &&
         std::memcmp(found.data(), expected.data(), expected.size()) == 0;
}

}  // namespace tracefold
