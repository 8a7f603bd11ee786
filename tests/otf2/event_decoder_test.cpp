#include "otf2/event_decoder.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tracefold {
namespace {

struct CountSink {
  std::size_t events = 0;
  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++events; }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++events; }
  void other(const Event&) { ++events; }
  void unknown(std::uint64_t) { ++events; }
};

// Decodes a file of these records; the second is the number of events that came.
std::pair<ChunkEnd, std::size_t> decoded(const std::vector<std::uint8_t>& records) {
  std::vector<std::uint8_t> bytes(wire::header_size, 0);
  bytes[0] = wire::chunk_header;
  bytes[1] = wire::little_endian;
  bytes.insert(bytes.end(), records.begin(), records.end());
  bytes.insert(bytes.end(), {wire::file_end, wire::buffer_end});
  const auto size = bytes.size();
  bytes.resize(size + ChunkBuffer::slack);
  CountSink sink;
  DecodeState state;
  const auto end =
      decode_chunk(Chunk{std::span(bytes).first(size), false}, LocalDefinitions{}, state, sink);

  return {end, sink.events};
}

constexpr std::uint8_t metric = wire::record_type(EventKind::Metric),
                       enter = wire::record_type(EventKind::Enter);

TEST(EventDecoder, ReadsARecordThatHoldsMoreThanItsFields) {
  EXPECT_EQ(decoded({metric, 9, 1, 4, 2, 3, 0, 3, 1, 5, 99, enter, 0}),
            std::pair(ChunkEnd::file, std::size_t{2}));
}

TEST(EventDecoder, ReadsTwoTimeStampsOfZeroAtTheBeginningOfAChunk) {
  constexpr auto stamp = wire::time_stamp;
  const auto two_stamps = [](std::uint8_t first, std::uint8_t second) {
    return std::vector<std::uint8_t>{stamp, 0, 0, 0, 0, 0, 0, 0,      first, stamp,
                                     0,     0, 0, 0, 0, 0, 0, second, enter, 0};
  };
  EXPECT_EQ(decoded(two_stamps(0, 0)), std::pair(ChunkEnd::file, std::size_t{1}));
  EXPECT_NE(decoded(two_stamps(0, 1)), std::pair(ChunkEnd::file, std::size_t{1}));
  EXPECT_NE(decoded(two_stamps(1, 0)), std::pair(ChunkEnd::file, std::size_t{1}));
}

TEST(EventDecoder, RefusesFieldsBehindTheEndOfTheirRecord) {
  EXPECT_EQ(decoded({metric, 5, 1, 4, 2, 3, 0, 3, 1, 5, enter, 0}),
            std::pair(ChunkEnd::damage, std::size_t{0}));
  EXPECT_EQ(decoded({wire::attribute_list, 4, 1, 1, 0, 3, 1, 1, enter, 0}),
            std::pair(ChunkEnd::damage, std::size_t{0}));
}

}  // namespace
}  // namespace tracefold
