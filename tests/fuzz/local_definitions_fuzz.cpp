// Fuzzing of local definition files: as any bytes, and as tables and clock offsets
// that the bytes are taken for, which come back from a file made of them.
#include "otf2/local_definitions.hpp"
#include "tests/fuzz/memory_file.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace {

using namespace tracefold;
using Bytes = std::span<const std::uint8_t>;

void demand(bool holds) {
  if (!holds)
    std::abort();
}

const fuzz::MemoryFile& memory() {
  static const fuzz::MemoryFile file;
  return file;
}

ChunkBuffer& buffer() {
  static ChunkBuffer one;
  return one;
}

// Uses what was read, so that the sanitizers see undefined values.
void use(const LocalDefinitions& local) {
  for (const auto& map : local.maps)
    for (std::uint64_t id :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 16, ~std::uint64_t{0}})
      demand(map.is_set() || map.of(id) == id);

  ClockCorrection clock(local.clock, 0);
  std::uint64_t sum = 0;
  for (std::uint64_t time = 0; time < 64; ++time)
    sum += clock(time << time);

  [[maybe_unused]] static volatile std::uint64_t seen;
  seen = sum;
  for (std::size_t k = 0; k < local.clock.size(); ++k) {
    demand(local.clock[k].begin < local.clock[k].end);
    demand(k == 0 || local.clock[k - 1].end == local.clock[k].begin);
  }
}

void read_any(Bytes bytes, std::uint64_t chunk_size) {
  LocalDefinitions local;
  if (read_local_definitions(memory().holding(bytes, chunk_size), buffer(), local) !=
      LocalFile::damaged)
    use(local);
}

// Takes numbers off the input, as long as it lasts.
class Input {
 public:
  explicit Input(Bytes rest) : rest_(rest) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty())
      return 0;
    const auto first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned left = byte() % 9; left > 0; --left)
      n = n << 8 | byte();
    return n;
  }

 private:
  Bytes rest_;
};

// A local definition file of one chunk, little endian.
class File {
 public:
  File() : bytes_(wire::header_size) {
    bytes_[0] = wire::chunk_header;
    bytes_[1] = wire::little_endian;
  }
  void begin_record(std::uint8_t type) {
    bytes_.push_back(type);
    bytes_.push_back(wire::long_record);
    length_at_ = bytes_.size();
    fixed(0);
  }
  void end_record() {
    const auto length = bytes_.size() - length_at_ - 8;
    for (unsigned k = 0; k < 8; ++k)
      bytes_[length_at_ + k] = static_cast<std::uint8_t>(length >> 8 * k);
  }
  void byte(std::uint8_t b) { bytes_.push_back(b); }
  void fixed(std::uint64_t n) {
    for (unsigned k = 0; k < 8; ++k)
      bytes_.push_back(static_cast<std::uint8_t>(n >> 8 * k));
  }
  void number(std::uint64_t n) {
    if (n == ~std::uint64_t{0})
      return byte(wire::all_bits);
    const auto at = bytes_.size();
    byte(0);
    for (; n > 0; n >>= 8, ++bytes_[at])
      byte(static_cast<std::uint8_t>(n));
  }
  Bytes finished() {
    byte(wire::file_end);
    return bytes_;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t length_at_ = 0;
};

using Table = std::map<std::uint64_t, std::uint64_t>;

Table put_table(File& file, std::uint8_t kind, Input& in) {
  const bool sparse = in.byte() & 1;
  const std::size_t count = 1 + in.byte() % 32;
  Table table;
  file.begin_record(wire::mapping_table);
  file.byte(kind);
  file.number(count);
  file.byte(sparse);

  for (std::size_t i = 0; i < count; ++i) {
    const auto from = sparse ? in.number() : i, to = in.number();
    if (sparse)
      file.number(from);
    file.number(to);
    table[from] = to;
  }

  file.end_record();

  return table;
}

void read_made(Bytes bytes) {
  Input in(bytes);
  File file;
  std::array<std::optional<Table>, mapped_kinds> tables;
  std::vector<std::uint64_t> times;

  while (!in.empty()) {
    const auto kind = in.byte() % (mapped_kinds + 1);
    if (kind < mapped_kinds && !tables[kind])
      tables[kind] = put_table(file, static_cast<std::uint8_t>(kind), in);
    if (kind < mapped_kinds)
      continue;

    times.push_back((times.empty() ? 0 : times.back()) + 1 + in.byte());
    file.begin_record(wire::clock_offset);
    file.fixed(times.back());
    file.number(in.number());
    file.fixed(0);
    file.end_record();
  }

  LocalDefinitions local;
  const auto made = file.finished();
  demand(read_local_definitions(memory().holding(made, made.size()), buffer(), local) ==
         LocalFile::read);
  use(local);

  for (std::size_t kind = 0; kind < mapped_kinds; ++kind) {
    demand(local.maps[kind].is_set() == tables[kind].has_value());
    if (tables[kind])
      for (auto [from, to] : *tables[kind])
        demand(local.maps[kind].of(from) == to && local.global(static_cast<Ref>(kind), from) == to);
  }

  demand(local.clock.size() == (times.empty() ? 0 : times.size() - 1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1)
    return 0;

  const Bytes rest(data + 1, size - 1);
  if (data[0] == 0)
    read_made(rest);
  else
    read_any(rest, wire::header_size + data[0] * std::uint64_t{64});

  return 0;
}
