#include "pipeline/viewers/write_view.hpp"

#include "base/read_file.hpp"
#include "tests/support/every_record.hpp"
#include "tests/support/trace_builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tracefold::write_view_test {

namespace {

using enum EventKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestFolder;
using testing::TraceBuilder;

constexpr auto world = TraceBuilder::world;

// A format of words: one line for each thing.
class WordPart : public ViewPart {
 public:
  WordPart(const View& view, std::size_t thread) : view_(view) {
    put("thread {}: {}", thread, view.threads[thread].name);
  }

  void enter(std::uint64_t time, std::size_t function, std::size_t lane) override {
    put("{} enter {} [{}]{}", time, view_.functions[function].name,
        view_.functions[function].category, name_lane(lane));
  }
  void leave(std::uint64_t time, std::size_t function, std::size_t lane) override {
    put("{} leave {}{}", time, view_.functions[function].name, name_lane(lane));
  }
  void message(std::uint64_t time, const ViewMessage& message) override {
    put("{} {} {} in {}: {} bytes, tag {}, link {}", time,
        message.receives ? "receive from" : "send to",
        message.partner ? view_.processes[*message.partner].name : "nobody",
        message.communicator ? view_.communicators[*message.communicator] : "none", message.bytes,
        message.tag, message.link);
  }
  void collective(std::uint64_t time, const ViewCollective& collective) override {
    put("{} {} in {}, root {}: {} sent, {} received", time, collective.operation,
        view_.communicators[*collective.communicator],
        collective.root ? view_.processes[*collective.root].name : "none", collective.bytes_sent,
        collective.bytes_received);
  }
  void count(std::uint64_t time, std::size_t counter, const ViewValue& value) override {
    const auto& [name, unit, description, thread] = view_.counters[counter];
    std::visit(
        [&](auto number) { put("{} {} of thread {} = {} {}", time, name, thread, number, unit); },
        value);
  }

 private:
  static std::string name_lane(std::size_t lane) {
    return lane == 0 ? "" : fmt::format(" in lane {}", lane);
  }
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    bytes_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  const View& view_;
};

class WordWriter : public ViewWriter {
 public:
  explicit WordWriter(const View& view) : view_(view) {}

  std::string begin() const override {
    auto text = view_.title + "\n";
    for (const auto& node : view_.nodes)
      text += fmt::format("node {} in {}\n", node.name,
                          node.parent ? view_.nodes[*node.parent].name : "nothing");
    for (const auto& process : view_.processes)
      text += fmt::format("process {} on {}\n", process.name,
                          process.node ? view_.nodes[*process.node].name : "nothing");
    for (const auto& thread : view_.threads)
      text += fmt::format("thread {} of {}: {}\n", thread.name,
                          view_.processes[thread.process].name, thread.facts);
    return text;
  }
  std::unique_ptr<ViewPart> open(std::size_t thread) const override {
    return std::make_unique<WordPart>(view_, thread);
  }
  std::string end() const override {
    std::string text;
    for (const auto& marker : view_.markers)
      text += fmt::format("{} marker {} {} for {}, about {}\n", marker.time, marker.name,
                          marker.text, marker.duration, marker.about);
    for (const auto& [name, value] : view_.properties)
      text += fmt::format("{}: {}\n", name, value);
    return text;
  }

 private:
  const View& view_;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The lines of a trace.
std::vector<std::string> write_lines(TraceBuilder& trace, const RepresentativeNames& names = {}) {
  const TestFolder folder;
  const auto archive = trace.write(folder.path());
  std::filesystem::create_directory(folder.path() / "parts");
  Diagnostics diagnostics;
  const ViewFormat format{[](const View& view) { return std::make_unique<WordWriter>(view); }};
  write_view(archive, names, format, folder.path() / "parts", folder.path() / "file", {},
             diagnostics);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "parts"));

  return split(read_file(folder.path() / "file").value());
}

// The lines of one thread behind its heading, which is left out.
std::vector<std::string> find_thread(const std::vector<std::string>& lines, std::size_t thread) {
  std::vector<std::string> found;
  const auto heading = fmt::format("thread {}: ", thread);
  bool is_inside = false;
  for (const auto& line : lines) {
    if (line.starts_with(heading))
      is_inside = true;
    else if (is_inside && !std::isdigit(static_cast<unsigned char>(line[0])))
      break;
    else if (is_inside)
      found.push_back(line);
  }
  return found;
}

}  // namespace

TEST(WriteView, HasTheCallsOfEachLocation) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(5, "main").add_region(6, "solve");
  trace.record(0, Enter, 10, {5}).record(0, Enter, 20, {6}).record(0, Leave, 30, {6});
  trace.record(0, Leave, 40, {5}).record(1, Enter, 15, {5}).record(1, Leave, 16, {5});
  const auto lines = write_lines(trace);

  EXPECT_EQ(lines[0], "2 processes");
  EXPECT_THAT(lines, Contains("node node in nothing"));
  EXPECT_THAT(lines, Contains("process group 1 on node"));
  EXPECT_THAT(lines, Contains("thread location 1 of group 1: "));
  EXPECT_THAT(find_thread(lines, 0),
              ElementsAre("10 enter main [unknown]", "20 enter solve [unknown]", "30 leave solve",
                          "40 leave main"));
  EXPECT_THAT(find_thread(lines, 1), ElementsAre("15 enter main [unknown]", "16 leave main"));
}

TEST(WriteView, LetsCallsNestThatOverlap) {
  TraceBuilder trace;
  trace.add_mpi_processes(1).add_region(5, "main").add_region(6, "solve");
  trace.record(0, Enter, 10, {5}).record(0, Enter, 20, {6}).record(0, Leave, 30, {5});
  trace.record(0, Leave, 40, {6});

  EXPECT_THAT(find_thread(write_lines(trace), 0),
              ElementsAre("10 enter main [unknown]", "20 enter solve [unknown]", "30 leave solve",
                          "40 leave main"));
}

TEST(WriteView, HasMessagesWithTheirLinks) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.record(0, MpiSend, 10, {1, world, 7, 100}).record(0, MpiIsend, 11, {1, world, 7, 50, 3});
  trace.record(0, MpiIsendComplete, 12, {3}).record(0, MpiSend, 13, {9, world, 7, 1});
  trace.record(1, MpiIrecvRequest, 1, {4}).record(1, MpiRecv, 20, {0, world, 7, 50});
  trace.record(1, MpiIrecv, 21, {0, world, 7, 100, 4});
  const auto lines = write_lines(trace);

  EXPECT_THAT(find_thread(lines, 0),
              ElementsAre("10 send to group 1 in comm: 100 bytes, tag 7, link 1",
                          "11 send to group 1 in comm: 50 bytes, tag 7, link 2",
                          "13 send to nobody in comm: 1 bytes, tag 7, link 0"));
  EXPECT_THAT(find_thread(lines, 1),
              ElementsAre("20 receive from group 0 in comm: 50 bytes, tag 7, link 2",
                          "21 receive from group 0 in comm: 100 bytes, tag 7, link 1"));
  EXPECT_THAT(lines, Contains("ends of messages without an arrow: 1"));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("records that are not shown"))));
}

TEST(WriteView, HasCollectivesWhereTheyEnd) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.record(1, MpiCollectiveBegin, 10);
  trace.record(1, MpiCollectiveEnd, 20, {otf2_value::collective_bcast, world, 0, 0, 8});
  trace.record(1, MpiCollectiveBegin, 30);
  trace.record(1, MpiCollectiveEnd, 40,
               {otf2_value::collective_allreduce, world, otf2_value::root_none, 8, 16});

  EXPECT_THAT(find_thread(write_lines(trace), 1),
              ElementsAre("20 bcast in comm, root group 0: 0 sent, 8 received",
                          "40 allreduce in comm, root none: 8 sent, 16 received"));
}

TEST(WriteView, HasMetricsWithTheirUnits) {
  constexpr std::uint64_t negative = ~std::uint64_t{4};
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  const auto member = [&](std::uint64_t id, const char* name, const char* unit, std::uint64_t type,
                          std::uint64_t exponent) {
    trace.define(DefinitionKind::MetricMember,
                 {id, trace.string(name), trace.string(""), 0, 0, type, otf2_value::base_decimal,
                  exponent, trace.string(unit)});
  };
  member(0, "count", "#", otf2_value::type_uint64, 0);
  member(1, "energy", "J", otf2_value::type_double, static_cast<std::uint64_t>(-3));
  member(2, "change", "", otf2_value::type_int64, 0);
  trace.define(DefinitionKind::MetricClass, {7, 3, 0, 1, 0}, {0, 1, 2});
  const auto energy = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  const auto types = {otf2_value::type_uint64, otf2_value::type_double, otf2_value::type_int64};
  const auto record = [&](std::uint64_t time, double joule) {
    std::vector<std::uint64_t> list(types);
    list.insert(list.end(), {~std::uint64_t{0}, energy(joule), negative});
    trace.record(1, Metric, time, {7, 3}, list);
  };
  record(10, 0.5);
  record(20, std::numeric_limits<double>::infinity());
  const auto lines = write_lines(trace);

  EXPECT_THAT(
      find_thread(lines, 1),
      ElementsAre("10 count of thread 1 = 18446744073709551615 ",
                  "10 energy of thread 1 = 0.5 10^-3 J", "10 change of thread 1 = -5 ",
                  "20 count of thread 1 = 18446744073709551615 ", "20 change of thread 1 = -5 "));
  EXPECT_THAT(lines,
              Contains("values of metrics that are infinite or no numbers, and not shown: 1"));
}

TEST(WriteView, SaysWhatItLeavesOut) {
  TraceBuilder trace;
  trace.add_mpi_processes(1);
  trace.record(0, OmpFork, 5, {4}).record(0, OmpJoin, 6).record(0, OmpFork, 7, {4});
  EXPECT_THAT(write_lines(trace), Contains("records that are not shown: 2 OmpFork, 1 OmpJoin"));
}

TEST(WriteView, SaysWhatProcessesStandFor) {
  TraceBuilder trace;
  trace.add_mpi_processes(3);
  const auto property = [&](std::uint64_t location, const char* name, std::uint64_t type,
                            std::uint64_t value) {
    trace.define(DefinitionKind::LocationProperty, {location, trace.string(name), type, value});
  };
  property(0, "tracefold::source", otf2_value::type_uint64, 40);
  property(0, "tracefold::count", otf2_value::type_uint64, 12);
  property(0, "tracefold::group", otf2_value::type_uint32, 3);
  property(0, "tracefold::members", otf2_value::type_string, trace.string("0-11"));
  property(1, "tracefold::count", otf2_value::type_uint64, 1);
  property(2, "tracefold::halo", otf2_value::type_uint64, 5);
  const auto lines = write_lines(trace);

  EXPECT_EQ(lines[0], "2 processes for 13, 1 partner");
  EXPECT_THAT(lines,
              Contains("thread location 0 of group 0: stands for 12 processes: 0-11 (group 3)"));
  EXPECT_THAT(lines, Contains("thread location 1 of group 1: stands for itself only"));
  EXPECT_THAT(lines, Contains("thread location 2 of group 2: a partner of kept processes, with "
                              "nothing but what it exchanges with them"));

  const auto named = write_lines(trace, {{{40, "rank 0-2 thread 0-3"}}, {"a", "b", "c", "inside"}});
  EXPECT_THAT(named, Contains("thread location 0 of group 0: stands for 12 processes: rank 0-2 "
                              "thread 0-3 (group 3: inside)"));
}

TEST(WriteView, HasMarkersByTime) {
  TraceBuilder trace;
  trace.add_mpi_processes(1);
  trace.content().marker_kinds = {{4, "group", "iteration", 0}};
  trace.content().markers = {{30, 5, 4, 0, 0, "later"}, {20, 0, 4, 1, 0, "earlier"}};
  const auto lines = write_lines(trace);

  EXPECT_THAT(lines, Contains("20 marker iteration earlier for 0, about location 0"));
  EXPECT_THAT(lines, Contains("30 marker iteration later for 5, about "));
}

TEST(WriteView, DoesNotDependOnHowLongPartsAre) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(5, "main");
  for (std::uint64_t k = 0; k < 20'000; ++k)
    trace.record(0, Enter, 10 * k, {5}).record(0, Leave, 10 * k + 5, {5});
  const auto lines = find_thread(write_lines(trace), 0);

  ASSERT_EQ(lines.size(), 40'000u);
  EXPECT_EQ(lines[39'998], "199990 enter main [unknown]");
  EXPECT_EQ(lines[39'999], "199995 leave main");
}

}  // namespace tracefold::write_view_test
