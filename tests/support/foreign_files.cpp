#include "tests/support/foreign_files.hpp"

#include "otf2/wire.hpp"

#include <fstream>
#include <string>

namespace tracefold::testing {

namespace {

constexpr std::size_t chunk_size = wire::smallest_chunk;  // what write_archive's anchor says

class Bytes {
 public:
  explicit Bytes(bool big) : big_(big) {}

  void u8(std::uint64_t v) { bytes_.push_back(static_cast<char>(v)); }
  void fixed(std::uint64_t v, unsigned width) {
    for (unsigned k = 0; k < width; ++k)
      u8(v >> 8 * (big_ ? width - 1 - k : k));
  }
  void number(std::uint64_t v, unsigned widest) {
    if (v == (widest == 4 ? 0xffffffffu : ~std::uint64_t{0}))
      return u8(wire::all_bits);
    unsigned width = 0;
    while (width < 8 && v >> 8 * width)
      ++width;
    u8(width);
    fixed(v, width);
  }
  void header() {
    u8(wire::chunk_header), u8(big_ ? wire::big_endian : wire::little_endian), fixed(1, 8),
        fixed(0, 8);
  }
  void record(std::uint8_t type, const Bytes& content) {
    u8(type);
    if (content.bytes_.size() < 255)
      u8(content.bytes_.size());
    else
      u8(wire::long_record), fixed(content.bytes_.size(), 8);
    add(content);
  }
  void add(const Bytes& more) { bytes_ += more.bytes_; }
  void pad() { bytes_.resize((bytes_.size() / chunk_size + 1) * chunk_size, wire::chunk_end); }
  std::size_t left() const { return chunk_size - bytes_.size() % chunk_size; }
  std::size_t size() const { return bytes_.size(); }
  Bytes none() const { return Bytes(big_); }
  void write(const std::filesystem::path& file) const {
    std::ofstream(file, std::ios::binary)
        .write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  }

 private:
  std::string bytes_;
  bool big_;
};

void put(Bytes& out, std::uint64_t value, unsigned width) {
  width == 1 ? out.u8(value) : out.number(value, width);
}

void put_fields(Bytes& out, const Event& event) {
  const auto shape = get_row(event.kind).shape();
  std::size_t length = 0;

  for (std::size_t i = 0; i < shape.size(); ++i) {
    switch (shape[i].role) {
      case FieldRole::time_stamp: out.fixed(event.fields[i], 8); break;
      case FieldRole::list:
        for (std::size_t k = 0; k < length; ++k)
          for (std::size_t l = i; l < shape.size(); ++l)
            put(out, event.list[(l - i) * length + k], shape[l].width);
        return;
      case FieldRole::ref_list:
        for (auto id : event.list)
          put(out, id, shape[i].width);
        return;
      case FieldRole::count: length = event.fields[i]; [[fallthrough]];
      default: put(out, event.fields[i], shape[i].width);
    }
  }
}

void put_event(Bytes& out, const Event& event) {
  if (!event.attributes.empty()) {
    auto list = out.none();
    list.number(event.attributes.size(), 4);
    for (const auto& a : event.attributes) {
      const auto shape = wire::value_encoding(a.type);
      list.number(a.id, 4);
      list.u8(a.type);
      shape.compressed ? list.number(a.value, shape.width) : list.fixed(a.value, shape.width);
    }

    out.record(wire::attribute_list, list);
  }

  auto fields = out.none();
  put_fields(fields, event);
  if (wire::is_bare(event.kind))
    out.u8(wire::record_type(event.kind)), out.add(fields);
  else
    out.record(wire::record_type(event.kind), fields);
}

void write_events(const std::filesystem::path& file, const std::vector<Event>& events, bool big) {
  Bytes out(big);
  out.header();
  std::uint64_t time = ~std::uint64_t{0};

  for (const auto& event : events) {
    auto record = out.none();
    put_event(record, event);
    if (record.size() + 10 > out.left()) {
      out.pad();
      out.header();
      time = ~event.time;
    }

    if (event.time != time)
      out.u8(wire::time_stamp), out.fixed(time = event.time, 8);

    out.add(record);
  }

  out.u8(wire::file_end);
  out.u8(wire::buffer_end);
  out.write(file);
}

void write_empty_local_definitions(const std::filesystem::path& file, bool big) {
  Bytes out(big);
  out.header();

  const auto map = [&](Ref kind, bool sparse, const std::vector<std::uint64_t>& numbers) {
    auto record = out.none();
    record.u8(static_cast<std::uint64_t>(kind));
    record.number(numbers.size() / (sparse ? 2 : 1), 8);
    record.u8(sparse);
    for (auto n : numbers)
      record.number(n, 8);
    out.record(wire::mapping_table, record);
  };

  const auto offset = [&](std::uint64_t time, std::int64_t ticks) {
    auto record = out.none();
    record.fixed(time, 8);
    record.number(static_cast<std::uint64_t>(ticks), 8);
    record.fixed(0, 8);
    out.record(wire::clock_offset, record);
  };

  std::vector<std::uint64_t> dense(300);  // long enough for a long record
  for (std::size_t i = 0; i < dense.size(); ++i)
    dense[i] = i * i % 311;

  map(Ref::string, false, dense);
  map(Ref::region, true, {2, 7, 7, 2, 3, 0xffffffffu});
  map(Ref::comm, true, {0, 5, 1, 0, 1'000'000, 1});
  map(Ref::attribute, false, {0, 2, 1});
  offset(0, -3);
  offset(1000, 17);
  offset(5000, -1'000);
  out.u8(wire::file_end);
  out.u8(wire::buffer_end);
  out.write(file);
}

}  // namespace

void make_foreign(const std::filesystem::path& folder,
                  const std::map<std::uint64_t, std::vector<Event>>& events, bool big_endian) {
  for (const auto& [id, list] : events) {
    write_events(folder / "traces" / (std::to_string(id) + ".evt"), list, big_endian);
    write_empty_local_definitions(folder / "traces" / (std::to_string(id) + ".def"), big_endian);
  }
}

}  // namespace tracefold::testing
