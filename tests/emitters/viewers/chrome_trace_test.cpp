#include "emitters/viewers/chrome_trace.hpp"

#include "tests/support/view_builder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tracefold::chrome_trace_test {

namespace {

using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::make_small_view;
using testing::write_all;

void leave_empty(ViewPart&, std::size_t) {}

// What the only thread that does anything has in the file, without line ends.
std::vector<std::string> write_events(const View& view, auto&& fill) {
  const auto writer = make_chrome_trace(view);
  const auto part = writer->open(1);
  fill(*part);

  std::vector<std::string> events;
  const auto parsed = Json::parse("[0" + part->bytes() + "]");
  for (const auto& line : parsed)
    if (line.is_object())
      events.push_back(line.dump());
  return events;
}

std::vector<Json> find_events(const std::string& file, const std::string& phase) {
  std::vector<Json> found;
  const auto document = Json::parse(file);
  for (const auto& event : document["traceEvents"])
    if (event["ph"] == phase)
      found.push_back(event);
  return found;
}

}  // namespace

TEST(ChromeTrace, NamesAndOrdersProcessesAndThreads) {
  const auto view = make_small_view();
  const auto file = write_all(*make_chrome_trace(view), view, leave_empty);

  std::vector<std::string> names;
  for (const auto& event : find_events(file, "M")) {
    const auto thread = event.contains("tid") ? "/" + std::to_string(int{event["tid"]}) : "";
    const auto& arguments = event["args"];
    for (const auto& [argument, value] : arguments.items())
      names.push_back(std::to_string(int{event["pid"]}) + thread + " " +
                      std::string(event["name"]) + " " + argument + "=" + value.dump());
  }
  EXPECT_THAT(
      names,
      ElementsAre("1 process_name name=\"MPI Rank 0\"", "1 process_sort_index sort_index=0",
                  "2 process_name name=\"11× MPI Rank 1\"", "2 process_sort_index sort_index=1",
                  "2 process_labels labels=\"stands for 11 processes: 1-11 (group 1)\"",
                  "1/1 thread_name name=\"Master thread\"", "1/1 thread_sort_index sort_index=0",
                  "2/2 thread_name facts=\"stands for 11 processes: 1-11 (group 1)\"",
                  "2/2 thread_name name=\"Master thread\"", "2/2 thread_sort_index sort_index=1",
                  "2/3 thread_name name=\"OMP thread 1\"", "2/3 thread_sort_index sort_index=2"));
}

TEST(ChromeTrace, HasCallsAsPairsOfTheSameNameAtExactTimes) {
  const auto view = make_small_view();
  const auto writer = make_chrome_trace(view);
  const auto part = writer->open(2);
  part->enter(1'234'567'890'123, 0, 0);
  part->leave(1'234'567'891'000, 0, 0);

  EXPECT_EQ(part->bytes(),
            ",\n{\"ph\":\"B\",\"pid\":2,\"tid\":3,\"ts\":1234567890.123,\"name\":\"main\",\"cat\":"
            "\"USER\"}"
            ",\n{\"ph\":\"E\",\"pid\":2,\"tid\":3,\"ts\":1234567891,\"name\":\"main\"}");
}

TEST(ChromeTrace, HasAThreadForEachLane) {
  const auto view = make_small_view();
  const auto writer = make_chrome_trace(view);
  const auto part = writer->open(2);
  part->enter(0, 0, 1);
  part->leave(1000, 0, 1);

  EXPECT_THAT(part->bytes(), HasSubstr("\"tid\":6,\"args\":{\"name\":\"OMP thread 1 (2)\"}}"));
  EXPECT_THAT(part->bytes(), HasSubstr("{\"ph\":\"E\",\"pid\":2,\"tid\":6,\"ts\":1,"));
}

TEST(ChromeTrace, HasBothEndsOfAMessageAsFlow) {
  const auto view = make_small_view();
  ViewMessage send{false, 0, 0, 100, 7, 5}, receive{true, 0, std::nullopt, 80, 7, 5};
  const auto events = write_events(view, [&](ViewPart& part) {
    part.message(1'500, send);
    part.message(2'500, receive);
  });

  EXPECT_THAT(
      events,
      ElementsAre(
          R"({"args":{"bytes":100,"communicator":"MPI_COMM_WORLD","partner":"MPI Rank 0","tag":7},)"
          R"("cat":"message","name":"send","ph":"i","pid":2,"s":"t","tid":2,"ts":1.5})",
          R"({"cat":"message","id":5,"name":"message","ph":"s","pid":2,"tid":2,"ts":1.5})",
          R"({"args":{"bytes":80,"partner":"MPI Rank 0","tag":7},"cat":"message",)"
          R"("name":"receive","ph":"i","pid":2,"s":"t","tid":2,"ts":2.5})",
          R"({"bp":"e","cat":"message","id":5,"name":"message","ph":"f","pid":2,"tid":2,)"
          R"("ts":2.5})"));
}

TEST(ChromeTrace, HasNoFlowWhereTheOtherEndIsNotKnown) {
  const auto view = make_small_view();
  const auto events = write_events(view, [&](ViewPart& part) {
    part.message(1'500, {false, std::nullopt, 0, 100, 7, 0});
  });

  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(Json::parse(events[0])["args"],
            Json({{"bytes", 100}, {"communicator", "MPI_COMM_WORLD"}, {"tag", 7}}));
}

TEST(ChromeTrace, TellsWhatACollectiveDid) {
  const auto view = make_small_view();
  const auto events = write_events(view, [&](ViewPart& part) {
    part.collective(1'000, {"bcast", 0, 0, 8, 0});
  });

  EXPECT_THAT(events,
              ElementsAre(R"({"args":{"bytes received":0,"bytes sent":8,)"
                          R"("communicator":"MPI_COMM_WORLD","root":"MPI Rank 0"},)"
                          R"("cat":"collective","name":"bcast","ph":"i","pid":2,"s":"t","tid":2,)"
                          R"("ts":1})"));
}

TEST(ChromeTrace, TellsCountersOfSeveralThreadsApart) {
  const auto view = make_small_view();
  const auto writer = make_chrome_trace(view);
  const auto first = writer->open(0), last = writer->open(2);
  first->count(0, 0, std::uint64_t{18'446'744'073'709'551'615u});
  first->count(0, 0, std::int64_t{-5});
  last->count(0, 1, 0.25);

  EXPECT_THAT(first->bytes(),
              HasSubstr(R"("name":"cycles","args":{"value":18446744073709551615}})"));
  EXPECT_THAT(first->bytes(), HasSubstr(R"("args":{"value":-5}})"));
  EXPECT_THAT(last->bytes(),
              HasSubstr(R"x("name":"energy, OMP thread 1 (tid 3)","args":{"10^-3 J":0.25}})x"));
}

TEST(ChromeTrace, HasMarkersAsInstantEventsOfTheirScope) {
  const auto view = make_small_view();
  const auto markers = find_events(write_all(*make_chrome_trace(view), view, leave_empty), "i");

  std::vector<std::string> shown;
  for (const auto& marker : markers)
    shown.push_back(std::string(marker["s"]) + " " + marker["name"].dump() + " " +
                    marker["ts"].dump() + " " + marker["pid"].dump() + "/" + marker["tid"].dump() +
                    " " + marker["args"].dump());
  EXPECT_THAT(shown,
              ElementsAre(R"(g "iteration 0" 1 1/1 {"duration in ns":500})",
                          R"(t "look" 2 2/3 {"about":"OMP thread 1","duration in ns":0})",
                          R"(p "phase" 3.001 2/1 {"about":"11× MPI Rank 1","duration in ns":0})"));
}

TEST(ChromeTrace, SaysWhatWasFolded) {
  const auto view = make_small_view();
  const auto file = Json::parse(write_all(*make_chrome_trace(view), view, leave_empty));

  EXPECT_EQ(file["otherData"], Json({{"TRACEFOLD::VERSION", "1"}, {"machine", "a \"big\" one"}}));
  EXPECT_EQ(file["displayTimeUnit"], "ns");
}

TEST(ChromeTrace, EscapesNamesAndReplacesWhatIsNoUtf8) {
  auto view = make_small_view();
  view.functions[0].name = "a\"\\\n\x7f\xff≈";
  const auto writer = make_chrome_trace(view);
  const auto part = writer->open(0);
  part->enter(0, 0, 0);

  EXPECT_THAT(part->bytes(), HasSubstr("\"name\":\"a\\\"\\\\\\u000a\\u007f\xef\xbf\xbd≈\""));
}

TEST(ChromeTrace, IsValidWithoutAnything) {
  const View view;
  auto file = Json::parse(write_all(*make_chrome_trace(view), view, leave_empty));
  EXPECT_TRUE(file["traceEvents"].empty());

  View marked;
  marked.markers = {{0, 0, "a", "", {}, {}, ""}, {1, 0, "b", "", {}, {}, ""}};
  file = Json::parse(write_all(*make_chrome_trace(marked), marked, leave_empty));
  EXPECT_EQ(file["traceEvents"].size(), 2u);
}

TEST(ChromeTrace, SaysWhichNodeAProcessIsOnWhereThereAreSeveral) {
  auto view = make_small_view();
  view.nodes.push_back({"node 2", 0});
  view.processes[1].node = 2;
  const auto file = write_all(*make_chrome_trace(view), view, leave_empty);

  EXPECT_THAT(file, HasSubstr(R"("pid":1,"args":{"labels":"node 1"})"));
  EXPECT_THAT(file, HasSubstr(R"("pid":2,"args":{"labels":"node 2; stands for 11)"));
}

}  // namespace tracefold::chrome_trace_test
