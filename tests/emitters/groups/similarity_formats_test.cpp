#include "emitters/groups/similarity_formats.hpp"

#include "emitters/tables.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold {
namespace {

using ::testing::HasSubstr;

TEST(SimilarityFormats, HoldTheMatrix) {
  SimilarityTable table{"similarity",
                        "pairs",
                        {{{"MPI 0"}, 1, 3}, {{"MPI 1-3", "OMP 1,2/1"}, 5, 2}},
                        {{1, 0.125}, {0.125, 1}}};

  EXPECT_EQ(to_csv(table),
            "group,processes,members,similarity 0,similarity 1\r\n0,1,MPI 0,1,0.125\r\n1,5,\"MPI "
            "1-3, OMP 1,2/1\",0.125,1\r\n");
  EXPECT_EQ(nlohmann::json::parse(to_json(table))["values"][0][1], 0.125);
  EXPECT_THAT(to_table(table), HasSubstr("0.12"));
}

TEST(SimilarityFormats, RoundNothingBelowOneToOne) {
  EXPECT_EQ(show_similarity(1), "1.00");
  EXPECT_EQ(show_similarity(0.1 + 0.2 + 0.7), "1.00");
  EXPECT_EQ(show_similarity(1.0 - 1.0 / 1'000'000), "0.99");
  EXPECT_EQ(show_similarity(0.996), "0.99");
  EXPECT_EQ(show_similarity(0.985), "0.98");
  EXPECT_EQ(show_similarity(0), "0.00");

  const SimilarityTable table{
      "subsumption", "pairs", {{{"MPI 0"}, 1, 300}, {{"MPI 1"}, 1, 299}}, {{1, 1}, {0.997, 1}}};
  EXPECT_THAT(to_table(table), HasSubstr("0  1.00  1.00"));
  EXPECT_THAT(to_table(table), HasSubstr("1  0.99  1.00"));

  Plan plan;
  plan.trace.ticks_per_second = 1;
  plan.processes.resize(2);
  EXPECT_THAT(to_table(plan, {{0, ProcessPair{0, 1, 0.997, 0}, std::nullopt}}), HasSubstr("0.99"));
}

}  // namespace
}  // namespace tracefold
