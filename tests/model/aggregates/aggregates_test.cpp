#include "model/aggregates/aggregates.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

namespace tracefold::aggregates_test {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t much = 0xfffffffffffffff0;

// main calls step, and step calls MPI_Send; process 9 does not send. The columns are execution
// time, MPI point-to-point time, MPI late-sender time, visits, bytes sent and a counter.
Aggregates make_example() {
  Aggregates out;
  out.functions = {
      {"main", "", "main.c", 7}, {"step", "_Z4step", "", 0}, {"MPI_Send", "", "", 0, 4}};
  out.time_metrics = {Metric::execution_time, Metric::execution_time,
                      Metric::mpi_point_to_point_time};
  out.locations = {4, 9};
  out.profiles.paths = {{no_path, 0}, {0, 1}, {1, 2}};
  out.profiles.columns = {{Metric::execution_time, Metric::mpi_point_to_point_time,
                           Metric::mpi_late_sender_time, Metric::visits, Metric::bytes_sent},
                          {{"joules", 1000}}};
  out.profiles.shapes = {{{0, 1, 2}, {no_path, 0, 1}}, {{0, 1}, {no_path, 0}}};
  out.profiles.processes = {{0, {5, 0, 0, 1, 0, 2, 60, 0, 0, 3, 8, much, 30, 30, 4, 3, 800, 0}},
                            {1, {6, 0, 0, 1, 0, 0, 61, 0, 0, 3, 0, 0}}};

  return out;
}

TEST(Aggregates, HaveTheSameFrameAfterJson) {
  const auto made = make_example();
  const auto text = frame_to_json(made);
  const auto read = frame_from_json(text);
  EXPECT_EQ(read.functions, made.functions);
  EXPECT_EQ(read.time_metrics, made.time_metrics);
  EXPECT_EQ(read.profiles.paths, made.profiles.paths);
  EXPECT_EQ(read.profiles.shapes, made.profiles.shapes);
  EXPECT_EQ(read.profiles.columns.counters, made.profiles.columns.counters);
  EXPECT_TRUE(read.profiles.processes.empty()) << "which are no part of a frame";
  EXPECT_EQ(frame_to_json(read), text);
}

TEST(Aggregates, CountInWholeUnitsWhereNothingElseIsSaid) {
  auto text = frame_to_json(make_example());
  text.erase("steps_per_unit");
  EXPECT_THAT(frame_from_json(text).profiles.columns.counters, ElementsAre(Counter{"joules", 1}));
}

TEST(Aggregates, FindTheirLocations) {
  const auto made = make_example();
  EXPECT_EQ(made.find(9), 1u);
  EXPECT_FALSE(made.find(5));
  EXPECT_FALSE(made.find(10));
}

TEST(Aggregates, OfADroppedCallCountForTheCallAroundIt) {
  const auto pruned = drop_paths(make_example(), {false, true, false});
  EXPECT_THAT(pruned.profiles.paths, ElementsAre(CallPath{no_path, 0}, CallPath{0, 1}));
  EXPECT_EQ(pruned.functions[1].name, "MPI_Send");
  // Bytes and counters of step are main's now, its visits are nobody's.
  EXPECT_THAT(pruned.profiles.processes[0].values,
              ElementsAre(65, 0, 0, 1, 8, much + 2, 30, 30, 4, 3, 800, 0));
  EXPECT_THAT(pruned.profiles.processes[1].values, ElementsAre(67, 0, 0, 1, 0, 0));
}

TEST(Aggregates, OfADroppedOutermostCallCountOutsideOfCalls) {
  auto made = make_example();
  made.profiles.processes[1].outside = {0, 0, 0, 0, 1, 5};
  const auto pruned =
      drop_paths(make_aggregates(made.functions, made.time_metrics, made.locations, made.profiles),
                 {true, true, false});
  EXPECT_THAT(pruned.profiles.processes[0].outside, ElementsAre(0, 0, 0, 0, 8, much + 2))
      << "of main and step, without times and visits";
  EXPECT_THAT(pruned.profiles.processes[1].outside, ElementsAre(0, 0, 0, 0, 1, 5));
}

TEST(Aggregates, OfADroppedMpiCallAreNoMpiTime) {
  const auto pruned = drop_paths(make_example(), {false, false, true});
  EXPECT_THAT(pruned.profiles.processes[0].values,
              ElementsAre(5, 0, 0, 1, 0, 2, 90, 0, 0, 3, 808, much));
  EXPECT_EQ(pruned.profiles.processes[1].shape, pruned.profiles.processes[0].shape);
}

TEST(Aggregates, OfADroppedOutermostCallAreNobodys) {
  const auto pruned = drop_paths(make_example(), {true, false, false});
  EXPECT_THAT(pruned.profiles.paths, ElementsAre(CallPath{no_path, 0}, CallPath{0, 1}));
  EXPECT_THAT(pruned.profiles.processes[1].values, ElementsAre(61, 0, 0, 3, 0, 0));
}

TEST(Aggregates, OfSomeLocationsNameOnlyWhatTheseCall) {
  const auto kept = keep_locations(make_example(), {3, 9, 11});
  EXPECT_THAT(kept.locations, ElementsAre(9));
  EXPECT_EQ(kept.functions.size(), 2u);
  EXPECT_EQ(kept.profiles.paths.size(), 2u);
  EXPECT_THAT(kept.profiles.processes[0].values, ElementsAre(6, 0, 0, 1, 0, 0, 61, 0, 0, 3, 0, 0));
}

TEST(Aggregates, AreRefusedWhereTheyDoNotFitTogether) {
  const std::vector<std::pair<std::function<void(Json&)>, std::string>> lies{
      {[](Json& in) { in["metrics"][0] = "luck"; }, "not known"},
      {[](Json& in) { std::swap(in["metrics"][0], in["metrics"][1]); }, "another order"},
      {[](Json& in) { in["metrics"].erase(0); }, "lack execution time"},
      {[](Json& in) { in["metrics"].erase(1); }, "lack the metric"},
      {[](Json& in) { in["functions"][2]["time"] = "visits"; }, "no time"},
      {[](Json& in) { in["paths"].push_back(0u); }, "half a call path"},
      {[](Json& in) { in["paths"][1] = 3u; }, "function 3 of 3"},
      {[](Json& in) { in["paths"][2] = 1u; }, "before its caller"},
      {[](Json& in) { in["paths"][4] = 0u, in["paths"][5] = 1u; }, "twice"},
      {[](Json& in) { in["shapes"][0] = "0-3"; }, "too many"},
      {[](Json& in) { in["shapes"][0] = "0-1,3"; }, "call path 3 of 3"},
      {[](Json& in) { in["shapes"][0] = "0,2"; }, "without its caller"},
      {[](Json& in) { in["processes"].push_back(Json::object()); }, "values of processes"},
      {[](Json& in) { in["counters"].push_back("joules"); }, "steps of other counters"},
      {[](Json& in) { in["steps_per_unit"].push_back(1u); }, "steps of other counters"},
      {[](Json& in) { in["steps_per_unit"] = Json::array(); }, "steps of other counters"},
      {[](Json& in) { in["steps_per_unit"][0] = 0u; }, "without steps"},
      {[](Json& in) { in["steps_per_unit"][0] = -1; }, ""},
      {[](Json& in) { in["steps_per_unit"][0] = 2.5; }, ""},
      {[](Json& in) { in["steps_per_unit"][0] = "1"; }, ""},
      {[](Json& in) { in["steps_per_unit"] = nullptr; }, ""},
  };

  for (const auto& [lie, words] : lies) {
    auto in = frame_to_json(make_example());
    lie(in);
    try {
      frame_from_json(in);
      ADD_FAILURE() << "was read: " << in;
    } catch (const Error& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(words));
    } catch (const Json::exception&) {
      EXPECT_EQ(words, "") << in;
    }
  }
}

// What a file cannot hold is what no reader takes.
TEST(Aggregates, ListAsManyCallPathsAsAReaderTakes) {
  const auto made = make_example();
  EXPECT_EQ(count_listed_paths(made), 5u);
  EXPECT_NO_THROW(frame_from_json(frame_to_json(made), 5));
  EXPECT_THROW(frame_from_json(frame_to_json(made), 4), Error);
}

}  // namespace tracefold::aggregates_test
