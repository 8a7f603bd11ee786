#include "otf2/event_decoder.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tracefold::event_decoder_test {

struct CountSink {
  std::size_t events = 0;
  void enter(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++events; }
  void leave(std::uint64_t, std::uint64_t, std::span<const Attribute>) { ++events; }
  void other(const Event&) { ++events; }
  void unknown(std::uint64_t) { ++events; }
};

// Wants metrics alone.
struct MetricSink : CountSink {
  std::vector<EventKind> kinds;  // of other events
  std::size_t unknowns = 0;

  static bool wants(EventKind kind) { return kind == EventKind::Metric; }
  void other(const Event& event) { kinds.push_back(event.kind); }
  void unknown(std::uint64_t) { ++unknowns; }
};

// Decodes a file of these records into the sink.
template <EventSink Sink>
ChunkEnd decode_into(const std::vector<std::uint8_t>& records, Sink& sink,
                     wire::Mark byte_order = wire::little_endian) {
  std::vector<std::uint8_t> bytes(wire::header_size, 0);
  bytes[0] = wire::chunk_header;
  bytes[1] = byte_order;
  bytes.insert(bytes.end(), records.begin(), records.end());
  bytes.insert(bytes.end(), {wire::file_end, wire::buffer_end});
  const auto size = bytes.size();
  bytes.resize(size + ChunkBuffer::slack);
  const LocalDefinitions local;
  DecodeState state;

  return decode_chunk(Chunk{std::span(bytes).first(size), false}, local, state, sink);
}

// The second is the number of events that came.
std::pair<ChunkEnd, std::size_t> decoded(const std::vector<std::uint8_t>& records) {
  CountSink sink;
  const auto end = decode_into(records, sink);

  return {end, sink.events};
}

constexpr std::uint8_t metric = wire::record_type(EventKind::Metric),
                       enter = wire::record_type(EventKind::Enter),
                       flush = wire::record_type(EventKind::BufferFlush),
                       fork = wire::record_type(EventKind::ThreadFork),
                       complete = wire::record_type(EventKind::MpiIsendComplete);

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

TEST(EventDecoder, PassesOverRecordsThatASinkDoesNotWant) {
  for (const auto byte_order : {wire::little_endian, wire::big_endian}) {
    MetricSink sink;
    EXPECT_EQ(decode_into({fork, 3, 0, 1, 4, enter, 0, metric, 9, 1, 4, 2, 3, 0, 3, 1, 5, 99}, sink,
                          byte_order),
              ChunkEnd::file);
    EXPECT_EQ(sink.kinds, std::vector{EventKind::Metric});
    EXPECT_EQ(sink.unknowns, 1u);
    EXPECT_EQ(sink.events, 1u);
  }
}

TEST(EventDecoder, ReadsUnwantedRecordsThatHaveNoLengthOrMoveTheClock) {
  MetricSink sink;
  EXPECT_EQ(decode_into({complete, 1, 7, flush, 8, 1, 0, 0, 0, 0, 0, 0, 0}, sink), ChunkEnd::file);
  EXPECT_EQ(sink.kinds, (std::vector{EventKind::MpiIsendComplete, EventKind::BufferFlush}));
  EXPECT_EQ(sink.unknowns, 0u);
}

TEST(EventDecoder, ReadsNumbersInTheByteOrderOfTheFile) {
  struct TimeSink : CountSink {
    std::uint64_t time = 0, region = 0;
    void enter(std::uint64_t at, std::uint64_t of, std::span<const Attribute>) {
      time = at;
      region = of;
    }
  };
  const auto read = [](wire::Mark byte_order) {
    TimeSink sink;
    EXPECT_EQ(
        decode_into({wire::time_stamp, 0, 0, 0, 1, 2, 0, 0, 0, enter, 2, 3, 4}, sink, byte_order),
        ChunkEnd::file);
    return std::pair(sink.time, sink.region);
  };
  EXPECT_EQ(read(wire::little_endian), std::pair(std::uint64_t{0x201000000}, std::uint64_t{0x403}));
  EXPECT_EQ(read(wire::big_endian), std::pair(std::uint64_t{0x102000000}, std::uint64_t{0x304}));
}

}  // namespace tracefold::event_decoder_test
