#include "otf2/event_writer.hpp"

#include "base/error.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/library_writer.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace tracefold::event_writer_test {

namespace fs = std::filesystem;
using testing::TestFolder;
using Events = std::vector<Event>;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_the_bytes_of_the_library(const std::map<std::uint64_t, Events>& events) {
  TestFolder folder;
  const auto ours = folder.path() / "ours", theirs = folder.path() / "theirs";
  fs::create_directory(ours), fs::create_directory(theirs);
  testing::write_events_by_library(events, wire::smallest_chunk, theirs);

  for (const auto& [id, list] : events) {
    EventWriter writer(ours, id, wire::smallest_chunk);

    for (const auto& e : list) {
      if (e.kind == EventKind::Enter)
        writer.enter(e.time, e.region(), e.attributes);
      else if (e.kind == EventKind::Leave)
        writer.leave(e.time, e.region(), e.attributes);
      else
        writer.write(e);
    }

    EXPECT_EQ(writer.close(), list.size());
    const auto name = std::to_string(id) + ".evt";
    const auto a = bytes_of(ours / name), b = bytes_of(theirs / "traces" / name);
    EXPECT_EQ(a.size(), b.size()) << name;
    EXPECT_TRUE(a == b) << name << " differs at byte "
                        << std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  }
}

Event call(EventKind kind, std::uint64_t time, std::uint64_t region) {
  Event e;
  e.kind = kind;
  e.time = time;
  e.fields[0] = region;
  return e;
}

// Each kind of event, without the numbers that the two write apart.
std::map<std::uint64_t, Events> every_kind() {
  auto events = testing::every_record().events;
  for (auto& [id, list] : events)
    for (auto& e : list)
      if (e.kind == EventKind::ProgramEnd || e.kind == EventKind::ParameterInt ||
          e.kind == EventKind::IoSeek)
        for (auto& v : e.fields)
          if (v == ~std::uint64_t{0})
            v = 5;

  return events;
}

TEST(EventWriter, WritesEveryKindOfEventAsLibotf2Does) {
  expect_the_bytes_of_the_library(every_kind());
}

TEST(EventWriter, EndsChunksWhereLibotf2Does) {
  std::map<std::uint64_t, Events> events;
  const auto kinds = every_kind().at(testing::master_0);
  std::uint64_t time = 0;

  for (std::uint64_t i = 0; i < 60'000; ++i) {
    events[1].push_back(
        call(i % 2 ? EventKind::Leave : EventKind::Enter, time += i % 3, i * 7919 % 70'000));
    auto event = kinds[i % kinds.size()];
    event.time = time;
    events[2].push_back(event);
  }

  events[2].back().kind = EventKind::MpiCollectiveBegin;
  events[3] = {call(EventKind::Enter, 0, 0), call(EventKind::Enter, 1, 0xffffffff),
               call(EventKind::Leave, 1, 255), call(EventKind::Leave, ~std::uint64_t{0}, 256)};
  events[4] = {};
  expect_the_bytes_of_the_library(events);
}

// libotf2 stamps each event at time 0, and does not come to an end when it reads a chunk that
// begins so. We write one stamp, and read both.
TEST(EventWriter, WritesOneStampWhereTheClockStandsAtZero) {
  std::map<std::uint64_t, Events> events;
  for (std::uint64_t i = 0; i < 60'000; ++i)
    events[1].push_back(call(i % 2 ? EventKind::Leave : EventKind::Enter, 0, i * 7919 % 70'000));

  TestFolder theirs, ours;
  testing::write_events_by_library(events, wire::smallest_chunk, theirs.path());
  EventWriter writer(ours.path(), 1, wire::smallest_chunk);
  for (const auto& e : events[1])
    writer.write(e);
  writer.close();

  const auto few = fs::file_size(ours.path() / "1.evt");
  const auto many = fs::file_size(theirs.path() / "traces" / "1.evt");
  EXPECT_LT(few, many - 9 * 59'000);
}

// A file system in memory refuses to write past it.
TEST(EventWriter, WritesWholeChunksAlikeInMemoryAndOnDisk) {
  if (!fs::is_directory("/dev/shm"))
    GTEST_SKIP() << "no file system in memory";

  const auto written_to = [](const fs::path& folder) {
    EventWriter writer(folder, 1, wire::smallest_chunk);
    for (std::uint64_t time = 1; time <= 60'000; ++time)
      writer.enter(time, time, {});
    writer.close();
    return bytes_of(folder / "1.evt");
  };

  TestFolder disk;
  std::string name = "/dev/shm/tracefold-events-XXXXXX";
  ASSERT_TRUE(::mkdtemp(name.data()));
  const auto a = written_to(disk.path()), b = written_to(name);
  fs::remove_all(name);
  EXPECT_GT(a.size(), 2 * wire::smallest_chunk);
  EXPECT_TRUE(a == b);
}

TEST(EventWriter, WritesLongRecordsAsLibotf2Does) {
  Event begin;
  begin.kind = EventKind::ProgramBegin;
  begin.fields = {1, 300, 0};
  for (std::uint64_t i = 0; i < 300; ++i)
    begin.list.push_back(i * 1000);
  for (std::uint64_t i = 0; i < 40; ++i)
    begin.attributes.push_back({i, 1 + i % 25, i});

  expect_the_bytes_of_the_library({{7, {begin}}});
}

TEST(EventWriter, SaysHowLargeAChunkARecordNeeds) {
  TestFolder folder;
  Event begin;
  begin.kind = EventKind::ProgramBegin;
  begin.list.assign(100'000, 0x12345678);
  begin.fields = {1, begin.list.size(), 0};
  EventWriter writer(folder.path(), 1, wire::smallest_chunk);

  try {
    writer.write(begin);
    FAIL() << "it fits";
  } catch (const RecordTooLarge& record) {
    EXPECT_GT(record.bytes, wire::smallest_chunk);
    EventWriter larger(folder.path(), 2, std::bit_ceil(record.bytes));
    larger.write(begin);
    EXPECT_EQ(larger.close(), 1u);
  }
}

TEST(EventWriter, KnowsBeforehandHowLargeAChunkARecordNeeds) {
  TestFolder folder;
  Event begin;
  begin.kind = EventKind::ProgramBegin;
  begin.list.assign(100'000, 0x12345678);
  begin.fields = {1, begin.list.size(), 0};
  begin.attributes.push_back({1, 4, 0x123456789abcdef0});

  const auto bytes = EventWriter::chunk_size_for(encoded_size(begin));
  EventWriter exact(folder.path(), 1, bytes);
  EXPECT_NO_THROW(exact.write(begin));
  EventWriter smaller(folder.path(), 2, bytes - 1);
  EXPECT_THROW(smaller.write(begin), RecordTooLarge);
}

TEST(EventWriter, RefusesWhatCannotBeMade) {
  TestFolder folder;
  EXPECT_THROW(EventWriter("/proc/nothing", 1, wire::smallest_chunk), Error);
  EventWriter(folder.path(), 1, wire::smallest_chunk).close();
  EXPECT_THROW(EventWriter(folder.path(), 1, wire::smallest_chunk), Error);
}

}  // namespace tracefold::event_writer_test
