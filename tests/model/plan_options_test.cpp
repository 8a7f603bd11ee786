#include "model/plan_options.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"

#include <gmock/gmock.h>

namespace tracefold::plan_options_test {

using Json = nlohmann::ordered_json;

TEST(PlanOptions, KnowTheirWords) {
  EXPECT_EQ(parse_compare_by("functions"), CompareBy::functions);
  EXPECT_EQ(parse_compare_by("signature"), CompareBy::signature);
  EXPECT_EQ(parse_level("main"), ClusterLevel::main);
  EXPECT_EQ(parse_peers("pattern"), ComparePeers::pattern);
  EXPECT_TRUE(parse_compare_bytes("5%"));
  EXPECT_FALSE(parse_keep_order("ignore"));
  EXPECT_EQ(parse_choice("medoid"), Choice::medoid);
  EXPECT_EQ(parse_per_group("auto"), auto_per_group);
  EXPECT_EQ(parse_per_group("4294967295"), 4294967295u);
  EXPECT_EQ(parse_time_features("ten"), TimeFeatures::ten);
  EXPECT_EQ(parse_time_features("all"), TimeFeatures::all);
}

TEST(PlanOptions, RefuseOtherWords) {
  EXPECT_THROW(parse_compare_by("pair"), Error);
  EXPECT_THROW(parse_choice("best"), Error);
  EXPECT_THROW(parse_time_features("10"), Error);
  EXPECT_THROW(parse_level("all"), Error);
  EXPECT_THROW(parse_peers("absolute"), Error);
  EXPECT_THROW(parse_compare_bytes("10%"), Error);
  EXPECT_THROW(parse_keep_order("on"), Error);
  for (auto word : {"", "0", "-1", "1x", " 1", "4294967296", "Auto"})
    EXPECT_THROW(parse_per_group(word), Error) << word;
}

TEST(PlanOptions, ComeBackFromJson) {
  for (auto by : {CompareBy::pairs, CompareBy::functions}) {
    const Comparison comparison{by, {"MPI_*"}, by == CompareBy::pairs, {"*/CUDA*", ""}, {}};
    EXPECT_EQ(Json(comparison).get<Comparison>(), comparison);
  }

  for (auto peers : {ComparePeers::relative, ComparePeers::pattern, ComparePeers::ignore})
    for (bool choice : {true, false}) {
      const auto level = choice ? ClusterLevel::main : ClusterLevel::sub;
      const Comparison comparison{
          CompareBy::signature, {"f"}, false, {}, {level, peers, choice, !choice}};
      EXPECT_EQ(Json(comparison).get<Comparison>(), comparison);
    }

  for (auto choice : {Choice::first, Choice::medoid, Choice::slowest}) {
    const Selection selection{
        choice, choice == Choice::first ? auto_per_group : 3, {0, 17, 0xffffffffffff}};
    EXPECT_EQ(Json(selection).get<Selection>(), selection);
    auto by_all = selection;
    by_all.features = TimeFeatures::all;
    by_all.rows = 12;
    EXPECT_EQ(Json(by_all).get<Selection>(), by_all);
    EXPECT_NE(Json(by_all), Json(selection));
  }
}

TEST(PlanOptions, ChangeOnlyWhatTheyName) {
  const Comparison signatures{CompareBy::signature, {}, false, {}, {.keep_order = false}};
  ComparisonOptions options;
  EXPECT_EQ(change_comparison(signatures, options), signatures);

  options.level = ClusterLevel::main;
  const auto changed = change_comparison(signatures, options);
  EXPECT_EQ(changed.signature.level, ClusterLevel::main);
  EXPECT_FALSE(changed.signature.keep_order);
  EXPECT_FALSE(options.change_nothing());
}

}  // namespace tracefold::plan_options_test
