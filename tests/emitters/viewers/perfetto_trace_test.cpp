#include "emitters/viewers/perfetto_trace.hpp"

#include "tests/support/view_builder.hpp"

#include <gmock/gmock.h>
#include <protozero/pbf_reader.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::perfetto_trace_test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::make_small_view;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using testing::write_all;

void leave_empty(ViewPart&, std::size_t) {}

struct Track {
  std::string name, description, unit;
  std::uint64_t parent = 0;
  std::int32_t rank = 0, order = 0, merge = 0;
  bool is_counter = false;
};

struct Event {
  std::uint64_t time = 0, track = 0, flow = 0;
  std::int32_t type = 0;
  std::string name, category;
  std::map<std::string, std::string> arguments;
  std::optional<std::int64_t> whole;
  std::optional<double> real;
};

// Reads a file as Perfetto does: what is interned, and the track that events have without one, are
// of a sequence of packets.
class Reader {
 public:
  explicit Reader(const std::string& file) {
    for (protozero::pbf_reader message(file); message.next();)
      read_packet(message.get_message());
  }

  std::map<std::uint64_t, Track> tracks;
  std::vector<Event> events;
  std::map<std::string, std::string> attributes;
  std::size_t cleared = 0;

 private:
  using Texts = std::map<std::uint64_t, std::string>;
  struct Sequence {
    Texts categories, names, argument_names, texts;
    std::uint64_t track = 0;
    bool is_cleared = false;
  };

  void read_packet(protozero::pbf_reader packet) {
    std::uint64_t time = 0;
    std::uint32_t sequence = 0, flags = 0;
    std::optional<protozero::pbf_reader> event, interned, defaults, track, trace;
    while (packet.next())
      switch (packet.tag()) {
        case 8: time = packet.get_uint64(); break;
        case 10: sequence = packet.get_uint32(); break;
        case 11: event = packet.get_message(); break;
        case 12: interned = packet.get_message(); break;
        case 13: flags = packet.get_uint32(); break;
        case 59: defaults = packet.get_message(); break;
        case 60: track = packet.get_message(); break;
        case 126: trace = packet.get_message(); break;
        default: packet.skip();
      }
    auto& state = sequences_[sequence];
    if (flags & 1) {
      state = {};
      state.is_cleared = true;
      ++cleared;
    }
    EXPECT_TRUE(!(flags & 2) || state.is_cleared);
    if (interned)
      read_interned(*interned, state);
    if (defaults)
      while (defaults->next(11))
        for (auto inner = defaults->get_message(); inner.next(11);)
          state.track = inner.get_uint64();
    if (track)
      read_track(*track);
    if (event)
      read_event(*event, time, state);
    if (trace)
      while (trace->next(1)) {
        std::string key, text;
        for (auto attribute = trace->get_message(); attribute.next();) {
          auto& part = attribute.tag() == 1 ? key : text;
          part = attribute.get_string();
        }
        attributes[key] = text;
      }
  }

  static void read_interned(protozero::pbf_reader interned, Sequence& state) {
    while (interned.next()) {
      auto& texts = interned.tag() == 1   ? state.categories
                    : interned.tag() == 2 ? state.names
                    : interned.tag() == 3 ? state.argument_names
                                          : state.texts;
      std::uint64_t id = 0;
      std::string text;
      for (auto entry = interned.get_message(); entry.next();)
        if (entry.tag() == 1)
          id = entry.get_uint64();
        else
          text = entry.get_string();
      EXPECT_TRUE(texts.emplace(id, text).second) << text;
    }
  }

  void read_track(protozero::pbf_reader message) {
    Track track;
    std::uint64_t id = 0;
    while (message.next())
      switch (message.tag()) {
        case 1: id = message.get_uint64(); break;
        case 2: track.name = message.get_string(); break;
        case 5: track.parent = message.get_uint64(); break;
        case 8:
          track.is_counter = true;
          for (auto counter = message.get_message(); counter.next(6);)
            track.unit = counter.get_string();
          break;
        case 11: track.order = message.get_enum(); break;
        case 12: track.rank = message.get_int32(); break;
        case 14: track.description = message.get_string(); break;
        case 15: track.merge = message.get_enum(); break;
        default: ADD_FAILURE() << message.tag(); message.skip();
      }
    EXPECT_TRUE(tracks.emplace(id, track).second) << id;
  }

  void read_event(protozero::pbf_reader message, std::uint64_t time, const Sequence& state) {
    Event event;
    event.time = time;
    event.track = state.track;
    while (message.next())
      switch (message.tag()) {
        case 3: event.category = state.categories.at(message.get_uint64()); break;
        case 4: read_argument(message.get_message(), event, state); break;
        case 9: event.type = message.get_enum(); break;
        case 10: event.name = state.names.at(message.get_uint64()); break;
        case 11: event.track = message.get_uint64(); break;
        case 22: event.category = message.get_string(); break;
        case 23: event.name = message.get_string(); break;
        case 30: event.whole = message.get_int64(); break;
        case 44: event.real = message.get_double(); break;
        case 47: event.flow = message.get_fixed64(); break;
        default: ADD_FAILURE() << message.tag(); message.skip();
      }
    events.push_back(event);
  }

  static void read_argument(protozero::pbf_reader message, Event& event, const Sequence& state) {
    std::string name, value;
    while (message.next())
      switch (message.tag()) {
        case 1: name = state.argument_names.at(message.get_uint64()); break;
        case 3: value = std::to_string(message.get_uint64()); break;
        case 6: value = message.get_string(); break;
        case 10: name = message.get_string(); break;
        case 17: value = state.texts.at(message.get_uint64()); break;
        default: ADD_FAILURE() << message.tag(); message.skip();
      }
    event.arguments[name] = value;
  }

  std::map<std::uint32_t, Sequence> sequences_;
};

constexpr std::int32_t begins = 1, ends = 2, instant = 3, counts = 4;

// The names from the root down to a track.
std::string find_way(const Reader& file, std::uint64_t id) {
  const auto& track = file.tracks.at(id);
  return (track.parent ? find_way(file, track.parent) + " > " : "") + track.name;
}

std::vector<std::string> list_ways(const Reader& file) {
  std::vector<std::string> ways;
  for (const auto& [id, track] : file.tracks)
    ways.push_back(find_way(file, id));
  return ways;
}

Reader read(const View& view, auto&& fill) {
  return Reader(write_all(*make_perfetto_trace(view), view, fill));
}

}  // namespace

TEST(PerfettoTrace, NestsTracksWithoutLevelsOfOneTrack) {
  const auto file = read(make_small_view(), leave_empty);

  EXPECT_THAT(
      list_ways(file),
      UnorderedElementsAre("3 processes for 12", "3 processes for 12 > markers",
                           "3 processes for 12 > MPI Rank 0", "3 processes for 12 > 11× MPI Rank 1",
                           "3 processes for 12 > 11× MPI Rank 1 > Master thread",
                           "3 processes for 12 > 11× MPI Rank 1 > OMP thread 1",
                           "3 processes for 12 > MPI Rank 0 > cycles",
                           "3 processes for 12 > 11× MPI Rank 1 > OMP thread 1 > energy"));
}

TEST(PerfettoTrace, HasNodesWhereProcessesAreOnSeveral) {
  auto view = make_small_view();
  view.counters.clear();
  view.markers.clear();
  view.nodes.push_back({"node 2", 0});
  view.nodes.push_back({"node without processes", 0});
  view.processes[1].node = 2;
  const auto file = read(view, leave_empty);

  EXPECT_THAT(list_ways(file),
              UnorderedElementsAre("3 processes for 12", "3 processes for 12 > node 1",
                                   "3 processes for 12 > node 2",
                                   "3 processes for 12 > node 1 > MPI Rank 0",
                                   "3 processes for 12 > node 2 > 11× MPI Rank 1",
                                   "3 processes for 12 > node 2 > 11× MPI Rank 1 > Master thread",
                                   "3 processes for 12 > node 2 > 11× MPI Rank 1 > OMP thread 1"));
}

TEST(PerfettoTrace, KeepsNodesThatOnlySomeProcessesHave) {
  auto view = make_small_view();
  view.processes[1].node = std::nullopt;
  EXPECT_THAT(list_ways(read(view, leave_empty)),
              Contains("3 processes for 12 > machine > node 1 > MPI Rank 0"));

  view.processes[1].node = 0;  // and not below it
  EXPECT_THAT(list_ways(read(view, leave_empty)),
              Contains("3 processes for 12 > node 1 > MPI Rank 0"));
}

TEST(PerfettoTrace, KeepsTheOrderAndMergesNoTracks) {
  const auto file = read(make_small_view(), leave_empty);

  std::map<std::uint64_t, std::map<std::int32_t, std::string>> children;
  for (const auto& [id, track] : file.tracks) {
    EXPECT_EQ(track.order, 3);
    EXPECT_EQ(track.merge, 2);
    EXPECT_TRUE(children[track.parent].emplace(track.rank, track.name).second) << track.name;
  }
  std::vector<std::string> below_root;
  for (const auto& [rank, name] : children[1])
    below_root.push_back(name);
  EXPECT_THAT(below_root, ElementsAre("markers", "MPI Rank 0", "11× MPI Rank 1"));
}

TEST(PerfettoTrace, SaysWhatTracksStandFor) {
  const auto file = read(make_small_view(), leave_empty);
  std::map<std::string, std::string> descriptions;
  for (const auto& [id, track] : file.tracks)
    if (!track.description.empty())
      descriptions[find_way(file, id)] = track.description;

  EXPECT_THAT(
      descriptions,
      UnorderedElementsAre(
          Pair("3 processes for 12", "TRACEFOLD::VERSION: 1\nmachine: a \"big\" one\n"),
          Pair("3 processes for 12 > MPI Rank 0", "Master thread"),
          Pair("3 processes for 12 > 11× MPI Rank 1 > Master thread",
               "stands for 11 processes: 1-11 (group 1)"),
          Pair("3 processes for 12 > 11× MPI Rank 1 > OMP thread 1 > energy", "of the node")));
  EXPECT_EQ(file.attributes.at("machine"), "a \"big\" one");
}

TEST(PerfettoTrace, HasCallsAsSlicesOfTheirThread) {
  auto view = make_small_view();
  view.markers.clear();
  const auto file = read(view, [](ViewPart& part, std::size_t thread) {
    if (thread == 0)
      return;
    part.enter(1'234'567'890'123, 0, 0);
    part.enter(1'234'567'890'124, 1, 0);
    part.leave(1'234'567'890'125, 1, 0);
    part.enter(1'234'567'890'125, 1, 0);
    part.leave(1'234'567'890'125, 1, 0);
    part.leave(1'234'567'890'126, 0, 0);
  });

  EXPECT_EQ(file.cleared, 3u);  // each thread has a sequence of its own
  std::map<std::string, std::vector<std::string>> of_threads;
  for (const auto& event : file.events)
    of_threads[find_way(file, event.track)].push_back(
        std::to_string(event.type) + " " + std::to_string(event.time - 1'234'567'890'000) + " " +
        event.name + " " + event.category);
  const auto calls = ElementsAre("1 123 main USER", "1 124 MPI_Send MPI", "2 125  ",
                                 "1 125 MPI_Send MPI", "2 125  ", "2 126  ");
  EXPECT_THAT(of_threads, UnorderedElementsAre(
                              Pair("3 processes for 12 > 11× MPI Rank 1 > Master thread", calls),
                              Pair("3 processes for 12 > 11× MPI Rank 1 > OMP thread 1", calls)));
}

TEST(PerfettoTrace, HasATrackForEachLane) {
  auto view = make_small_view();
  view.markers.clear();
  const auto file = read(view, [](ViewPart& part, std::size_t thread) {
    if (thread != 1)
      return;
    part.enter(100, 0, 0);
    part.enter(150, 1, 1);
    part.leave(300, 0, 0);
    part.leave(800, 1, 1);
  });

  std::map<std::string, std::vector<std::uint64_t>> times;
  for (const auto& event : file.events)
    times[find_way(file, event.track)].push_back(event.time);
  const std::string thread = "3 processes for 12 > 11× MPI Rank 1 > Master thread";
  EXPECT_THAT(times,
              UnorderedElementsAre(Pair(thread, ElementsAre(100u, 300u)),
                                   Pair(thread + " > Master thread (2)", ElementsAre(150u, 800u))));
}

TEST(PerfettoTrace, ConnectsBothEndsOfAMessage) {
  auto view = make_small_view();
  view.markers.clear();
  const auto file = read(view, [](ViewPart& part, std::size_t thread) {
    if (thread == 0)
      part.message(10, {false, 1, 0, 100, 7, 5});
    if (thread == 1)
      part.message(20, {true, 0, 0, 100, 7, 5});
    if (thread == 2)
      part.message(30, {true, std::nullopt, std::nullopt, 1, 2, 0});
  });

  ASSERT_EQ(file.events.size(), 3u);
  const auto& [send, receive, lonely] = std::tie(file.events[0], file.events[1], file.events[2]);
  EXPECT_EQ(send.type, instant);
  EXPECT_EQ(send.name, "send");
  EXPECT_EQ(receive.name, "receive");
  EXPECT_EQ(receive.category, "message");
  EXPECT_EQ(send.flow, 5u);
  EXPECT_EQ(receive.flow, 5u);
  EXPECT_EQ(lonely.flow, 0u);
  EXPECT_THAT(send.arguments,
              UnorderedElementsAre(Pair("partner", "11× MPI Rank 1"), Pair("bytes", "100"),
                                   Pair("communicator", "MPI_COMM_WORLD"), Pair("tag", "7")));
  EXPECT_EQ(receive.arguments.at("partner"), "MPI Rank 0");
  EXPECT_THAT(lonely.arguments, UnorderedElementsAre(Pair("bytes", "1"), Pair("tag", "2")));
}

TEST(PerfettoTrace, TellsWhatACollectiveDid) {
  auto view = make_small_view();
  view.markers.clear();
  const auto file = read(view, [](ViewPart& part, std::size_t thread) {
    if (thread != 1)
      return;
    part.collective(10, {"allreduce", 0, std::nullopt, 8, 16});
    part.collective(11, {"bcast", 0, 0, 8, 0});
    part.collective(12, {"allreduce", 0, std::nullopt, 8, 16});
  });

  std::vector<std::string> names;
  for (const auto& event : file.events)
    names.push_back(event.name + " " + event.category);
  EXPECT_THAT(names,
              ElementsAre("allreduce collective", "bcast collective", "allreduce collective"));
  EXPECT_THAT(file.events[0].arguments,
              UnorderedElementsAre(Pair("communicator", "MPI_COMM_WORLD"), Pair("bytes sent", "8"),
                                   Pair("bytes received", "16")));
  EXPECT_EQ(file.events[1].arguments.at("root"), "MPI Rank 0");
}

TEST(PerfettoTrace, HasCountersWithTheirUnits) {
  auto view = make_small_view();
  view.markers.clear();
  const auto file = read(view, [](ViewPart& part, std::size_t thread) {
    if (thread == 0) {
      part.count(1, 0, std::uint64_t{9'223'372'036'854'775'807u});
      part.count(2, 0, std::uint64_t{18'446'744'073'709'551'615u});
      part.count(3, 0, std::int64_t{-5});
    }
    if (thread == 2)
      part.count(4, 1, 0.25);
  });

  ASSERT_EQ(file.events.size(), 4u);
  for (const auto& event : file.events) {
    EXPECT_EQ(event.type, counts);
    EXPECT_TRUE(file.tracks.at(event.track).is_counter);
  }
  EXPECT_EQ(file.events[0].whole, 9'223'372'036'854'775'807);
  EXPECT_EQ(file.events[1].real, 18'446'744'073'709'551'615.0);  // too large for its whole numbers
  EXPECT_EQ(file.events[2].whole, -5);
  EXPECT_EQ(file.events[3].real, 0.25);
  EXPECT_EQ(file.tracks.at(file.events[3].track).unit, "10^-3 J");
  EXPECT_EQ(file.tracks.at(file.events[0].track).unit, "");
}

TEST(PerfettoTrace, HasMarkersAsInstantEvents) {
  const auto file = read(make_small_view(), leave_empty);

  std::vector<std::string> shown;
  for (const auto& event : file.events) {
    EXPECT_EQ(event.type, instant);
    shown.push_back(find_way(file, event.track) + ": " + std::to_string(event.time) + " " +
                    event.name + " " + event.category + " " + event.arguments.at("duration in ns"));
  }
  EXPECT_THAT(shown,
              ElementsAre("3 processes for 12 > markers: 1000 iteration 0 iteration 500",
                          "3 processes for 12 > 11× MPI Rank 1 > OMP thread 1: 2000 look hint 0",
                          "3 processes for 12 > markers: 3001 phase phase 0"));
  EXPECT_EQ(file.events[2].arguments.at("about"), "11× MPI Rank 1");
}

TEST(PerfettoTrace, ReplacesWhatIsNoUtf8) {
  auto view = make_small_view();
  view.functions[0].name = "a\xff≈";
  const auto file = read(view, [](ViewPart& part, std::size_t) {
    part.enter(0, 0, 0);
    part.leave(0, 0, 0);
  });

  EXPECT_EQ(file.events[0].name, "a\xef\xbf\xbd≈");
  EXPECT_EQ(file.events[0].type, begins);
  EXPECT_EQ(file.events[1].type, ends);
}

TEST(PerfettoTrace, IsValidWithoutAnything) {
  const auto file = read(View(), leave_empty);
  EXPECT_TRUE(file.events.empty());
  EXPECT_EQ(file.tracks.size(), 1u);
}

}  // namespace tracefold::perfetto_trace_test
