#include "model/iterations/kept_folds.hpp"

#include "base/error.hpp"
#include "base/number_list.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

namespace tracefold::kept_folds_test {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The first, the fourth and the last of six iterations stay.
const LoopFold fold{{0, 3, 5}, {0, 0, 1, 1, 1, 2}};

Loop make_loop() {
  Loop loop;
  std::uint64_t time = 100;
  for (std::uint32_t order : {0, 2, 1, 3, 4, 5}) {
    loop.add({time, time + 10}, order);
    time += 10;
  }
  loop.end_order = 7;

  return loop;
}

KeptSeries make_series() {
  return make_kept_series(make_loop(), false, fold);
}

KeptFolds make_folds() {
  return {{fold}, {{4, {make_series()}}, {9, {make_series()}}}};
}

TEST(KeptFolds, AreTheSameAfterJson) {
  EXPECT_EQ(kept_folds_from_json(kept_folds_to_json(make_folds())), make_folds());
  EXPECT_EQ(kept_folds_from_json(kept_folds_to_json({})), KeptFolds());
}

TEST(KeptSeries, BeginWithTheCallsThatAreLeft) {
  const auto series = make_series();
  EXPECT_THAT(series.iterations,
              ElementsAre(Interval{100, 110}, Interval{130, 140}, Interval{150, 160}));
  // What was called before at the same time is in folded iterations.
  EXPECT_THAT(series.begin_orders, ElementsAre(0, 0, 0));
  EXPECT_THAT(series.end_orders, ElementsAre(2, 4, 7));
}

TEST(KeptSeries, BeginBehindAStandInThatTakesNoTime) {
  Loop loop;
  loop.add({100, 110}, 0);
  loop.add({110, 110}, 2);
  loop.add({110, 120}, 3);
  const auto series = make_kept_series(loop, false, {{0, 2}, {0, 0, 1}});
  EXPECT_THAT(series.begin_orders, ElementsAre(0, 3)) << "two calls of the first one, the stand-in";

  // Three calls of the folded one are gone, but for the stand-in.
  loop.orders[2] = 6;
  EXPECT_THAT(make_kept_series(loop, false, {{0, 2}, {0, 0, 1}}).begin_orders, ElementsAre(0, 3));
}

// The iterations are calls of a region between other calls.
TEST(KeptSeries, OfSingleCallsLeaveWhatIsBetweenThemOutside) {
  Loop loop;
  loop.source = LoopSource::asked;
  loop.add({100, 110}, 2);
  loop.add({200, 210}, 2);
  loop.add({300, 310}, 2);
  const LoopFold folded{{0, 2}, {0, 0, 1}};
  const auto series = make_kept_series(loop, false, folded);
  EXPECT_THAT(series.begin_orders, ElementsAre(2, 2)) << "calls around it are left";

  std::vector<std::optional<std::size_t>> kept_at;
  EXPECT_THAT(make_kept_loop(series, folded, kept_at).iterations,
              ElementsAre(Interval{100, 110}, Interval{300, 310}));
  EXPECT_THAT(kept_at, ElementsAre(0, 1));
}

TEST(KeptSeries, AreALoopInWhichOneIterationStandsForThoseThatAreFolded) {
  std::vector<std::optional<std::size_t>> kept_at;
  const auto loop = make_kept_loop(make_series(), fold, kept_at);
  EXPECT_THAT(loop.iterations,
              ElementsAre(Interval{100, 110}, Interval{110, 130}, Interval{130, 140},
                          Interval{140, 150}, Interval{150, 160}));
  EXPECT_THAT(kept_at, ElementsAre(0, std::nullopt, 1, std::nullopt, 2));
  EXPECT_EQ(loop.begin_order(1), 2u);
  EXPECT_EQ(loop.begin_order(2), 0u);
  EXPECT_EQ(loop.end_order, 7u);
}

TEST(KeptFolds, AreRefusedWhereTheyDoNotFit) {
  const std::vector<std::pair<std::function<void(Json&)>, std::string>> lies{
      {[](Json& in) { in["source"] = "luck"; }, "no way that is known"},
      {[](Json& in) { in["begins"] = "100 30"; }, "other iterations"},
      {[](Json& in) { in["lengths"] = "10*4"; }, "more values"},
      {[](Json& in) { in["begins"] = "100 5 20"; }, "follow on each other"},
      {[](Json& in) { in["begins"] = "100 18446744073709551615 20"; }, "follow on each other"},
      {[](Json& in) { in["orders"] = ""; }, "other iterations"}};

  for (const auto& [lie, words] : lies) {
    auto in = kept_folds_to_json(make_folds());
    lie(in["processes"][0]["series"][0]);
    try {
      kept_folds_from_json(in);
      ADD_FAILURE() << "was read: " << in;
    } catch (const Error& problem) {
      EXPECT_THAT(problem.what(), HasSubstr(words));
    }
  }
}

TEST(KeptFolds, HaveOneSeriesOfEachLoopForEachProcess) {
  auto in = kept_folds_to_json(make_folds());
  in["processes"][1]["series"].push_back(in["processes"][1]["series"][0]);
  EXPECT_THROW(kept_folds_from_json(in), Error);
  in = kept_folds_to_json(make_folds());
  in["processes"][1]["id"] = "4";
  EXPECT_THROW(kept_folds_from_json(in), Error);
}

TEST(KeptFolds, HaveKeptIterationsThatStandForThemselves) {
  for (const auto* text :
       {R"({"kept": "0,3", "kept_of": "0 0 1"})", R"({"kept": "", "kept_of": ""})",
        R"({"kept": "0,1", "kept_of": "0*2"})", R"({"kept": "0", "kept_of": "0 1"})"})
    EXPECT_THROW(
        kept_folds_from_json({{"loops", {Json::parse(text)}}, {"processes", Json::array()}}), Error)
        << text;
}

TEST(NumberList, WritesEqualNumbersOnce) {
  const std::vector<std::uint64_t> numbers{3, 1, 1, 1, ~std::uint64_t{0}};
  EXPECT_EQ(write_numbers(numbers), "3 1*3 18446744073709551615");
  EXPECT_EQ(parse_numbers("3 1*3 18446744073709551615", 5), numbers);
  EXPECT_THAT(parse_numbers("", 5), IsEmpty());
}

TEST(NumberList, RefusesWhatIsNoListOrTooLong) {
  for (const auto* text : {"1 ", " 1", "1  2", "1,2", "-1", "1*", "1*-1", "x",
                           "18446744073709551616", "1 2 3", "1*3", "1*18446744073709551615"})
    EXPECT_THROW(parse_numbers(text, 2), Error) << text;
}

}  // namespace tracefold::kept_folds_test
