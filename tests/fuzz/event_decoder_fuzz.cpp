// Fuzzing of the decoder: any bytes as a local definition file and an event
// file, whose chunks are far smaller than OTF2's.
#include "otf2/event_decoder.hpp"
#include "tests/fuzz/memory_file.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace tracefold;

// Uses what it is given, so that the sanitizers see undefined values.
struct Sink {
  std::uint64_t sum = 0, records = 0;
  void enter(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(time, region, attributes);
  }
  void leave(std::uint64_t time, std::uint64_t region, std::span<const Attribute> attributes) {
    call(time, region, attributes);
  }
  void other(Event& event) {
    call(event.time, static_cast<std::uint64_t>(event.kind), event.attributes);
    for (std::size_t i = 0; i < get_row(event.kind).size; ++i)
      sum += event.fields[i];
    for (auto v : event.list)
      sum += v;
  }
  void unknown(std::uint64_t time) { call(time, 0, {}); }
  void call(std::uint64_t time, std::uint64_t id, std::span<const Attribute> attributes) {
    ++records;
    sum += time + id;
    for (const auto& a : attributes)
      sum += a.id + a.type + a.value;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile definition_memory, event_memory;
  static ChunkBuffer buffer;
  if (size < 2)
    return 0;

  const std::uint64_t chunk_size = 32 + data[0] * 64;
  const auto split = std::min<std::size_t>(size - 2, data[1] * std::size_t{4});
  const std::span<const std::uint8_t> rest(data + 2, size - 2);

  LocalDefinitions local;
  if (read_local_definitions(definition_memory.holding(rest.first(split), chunk_size), buffer,
                             local) == LocalFile::damaged)
    local.clear();

  const auto events = event_memory.holding(rest.subspan(split), chunk_size);
  DecodeState state;
  Sink sink;
  for (std::size_t k = 0; k < events.chunks(); ++k)
    if (decode_chunk(events.read(k, buffer), local, state, sink) != ChunkEnd::chunk)
      break;

  if (sink.records > size)
    std::abort();  // a record takes a byte at least

  return 0;
}
