#include "emitters/groups/similarity_formats.hpp"
#include "emitters/show_numbers.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::similarity_formats_test {

using ::testing::HasSubstr;

// A plan with so many groups of one process each, which are its ranks.
Plan make_grouped_plan(std::size_t groups) {
  Plan plan;
  plan.groups.emplace();
  for (std::size_t g = 0; g < groups; ++g) {
    auto& process = plan.processes.emplace_back();
    process.id = 10 + g;
    process.rank = static_cast<std::uint32_t>(g);
    plan.groups->emplace_back().members = {g};
  }

  return plan;
}

TEST(SimilarityFormats, HoldTheMatrix) {
  auto plan = make_grouped_plan(2);
  plan.groups->at(1).name = "all ranks, but 0";
  SimilarityTable table{"similarity", "pairs", {{1, 3}, {5, 2}}, {{1, 0.125}, {0.125, 1}}};

  EXPECT_EQ(to_csv(plan, table),
            "group,processes,pairs,group_name,members,ranks,similarity 0,similarity 1\r\n"
            "0,1,3,,10,0,1,0.125\r\n1,5,2,\"all ranks, but 0\",11,1,0.125,1\r\n");
  const auto json = nlohmann::json::parse(to_json(plan, table));
  EXPECT_EQ(json["values"][0][1], 0.125);
  EXPECT_EQ(json["groups"][1]["members"], "11");
  EXPECT_EQ(json["groups"][1]["ranks"], "1");
  EXPECT_EQ(json["groups"][0]["name"], "like rank 0");
  EXPECT_THAT(to_table(plan, table), HasSubstr("all ranks, but 0"));
  EXPECT_THAT(to_table(plan, table), HasSubstr("0.12"));
}

TEST(SimilarityFormats, TellWhichRunsHaveAGroup) {
  const SimilarityTable table{"similarity",
                              "pairs",
                              {{12, 3, {4, 8}, {"A: 0-3", "B: 0-7"}}, {8, 5, {0, 8}, {"B: 8-15"}}},
                              {{1, 0.5}, {0.5, 1}},
                              {{"small", 4}, {"large", 16}}};
  const auto text = to_table(table);
  EXPECT_THAT(text, HasSubstr("A: small, 4 processes\nB: large, 16 processes\n"
                              "groups: 1 in all runs, 1 only in B\n"));
  EXPECT_THAT(text, HasSubstr("    0  4  8               3  A: 0-3; B: 0-7\n"));
  EXPECT_THAT(text, HasSubstr("    1  0  8        B      5  B: 8-15\n"));
  EXPECT_EQ(to_csv(table),
            "group,processes,of_runs,only_in,pairs,who,similarity 0,similarity 1\r\n"
            "0,12,4 8,,3,A: 0-3; B: 0-7,1,0.5\r\n1,8,0 8,B,5,B: 8-15,0.5,1\r\n");
  const auto json = nlohmann::json::parse(to_json(table));
  EXPECT_EQ(json["runs"][1]["processes"], 16);
  EXPECT_EQ(json["groups"][1]["of_runs"], (std::vector<int>{0, 8}));
  EXPECT_EQ(json["groups"][0]["processes"][1], "B: 0-7");
}

TEST(SimilarityFormats, RoundNothingBelowOneToOne) {
  EXPECT_EQ(show_similarity(1), "1.00");
  EXPECT_EQ(show_similarity(0.1 + 0.2 + 0.7), "1.00");
  EXPECT_EQ(show_similarity(1.0 - 1.0 / 1'000'000), "0.99");
  EXPECT_EQ(show_similarity(0.996), "0.99");
  EXPECT_EQ(show_similarity(0.985), "0.98");
  EXPECT_EQ(show_similarity(0), "0.00");

  const SimilarityTable table{"subsumption", "pairs", {{1, 300}, {1, 299}}, {{1, 1}, {0.997, 1}}};
  auto plan = make_grouped_plan(2);
  EXPECT_THAT(to_table(plan, table), HasSubstr("0  1.00  1.00"));
  EXPECT_THAT(to_table(plan, table), HasSubstr("1  0.99  1.00"));

  plan.trace.ticks_per_second = 1;
  EXPECT_THAT(to_table(plan, {{0, ProcessPair{0, 1, 0.997, 0}, std::nullopt}}), HasSubstr("0.99"));
}

TEST(SimilarityFormats, SayHowLargeADifferenceMayBeThatIsNotKnown) {
  auto plan = make_grouped_plan(2);
  plan.trace.ticks_per_second = 1;
  ProcessPair pair{0, 1, 0.5, 3};
  pair.error = 2;
  EXPECT_THAT(to_table(plan, {{0, pair, std::nullopt}}), HasSubstr("3.00 s"));
  pair.error = 4;
  EXPECT_THAT(to_table(plan, {{0, pair, std::nullopt}}), HasSubstr("< 7.00 s"));
}

TEST(SimilarityFormats, NameTheGroupsOfPairs) {
  auto plan = make_grouped_plan(2);
  plan.trace.ticks_per_second = 1;
  plan.groups->at(0).name = "inside, \"and\" out";
  EXPECT_THAT(
      to_csv(plan, {{0, ProcessPair{0, 1, 0.5, 3}, std::nullopt}}),
      HasSubstr(
          "group_name,difference_error_seconds\r\n0,least similar,0.5,3,10,11,,,0,1,\"inside, "
          "\"\"and\"\" out\",0\r\n"));
}

}  // namespace tracefold::similarity_formats_test
