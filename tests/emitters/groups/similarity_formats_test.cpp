#include "emitters/groups/similarity_formats.hpp"

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

}  // namespace
}  // namespace tracefold
