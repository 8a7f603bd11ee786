#include "emitters/groups/lattice_files.hpp"

#include "emitters/groups/similarity_files.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LatticeDrawing hostile_drawing() {
  LatticeDrawing drawing;
  drawing.kind = "AOC-poset";
  drawing.attribute = "functions";
  drawing.processes = drawing.attributes = 2;
  drawing.nodes.push_back(
      {{"MPI 0\"];}\n<svg onload=x>"}, 1, 2, {"\x1b]0;title\x07", "\xff</data>"}, 0, "MPI", {}});
  drawing.nodes.push_back({{"MPI 1"}, 1, 1, {}, 2, "", {0}});

  return drawing;
}

TEST(LatticeFiles, KeepHostileNamesInsideOfTheirQuotes) {
  const auto dot = to_dot(hostile_drawing());
  EXPECT_THAT(dot, HasSubstr("label=\"MPI 0\\\"];}?<svg onload=x>\\n1 of 2 processes"));
  EXPECT_THAT(dot, Not(HasSubstr("\x1b")));
  const auto xml = to_graphml(hostile_drawing());
  EXPECT_THAT(xml, HasSubstr("MPI 0&quot;];}?&lt;svg onload=x&gt;"));
  EXPECT_THAT(xml, HasSubstr("\xef\xbf\xbd&lt;/data&gt;"));
  const auto json = nlohmann::json::parse(to_json(hostile_drawing()));
  EXPECT_EQ(json["nodes"][0]["processes"][0], "MPI 0\"];}\n<svg onload=x>");
  EXPECT_EQ(json["nodes"][1]["up"][0], 0);
}

TEST(LatticeFiles, ShortenLongLists) {
  auto drawing = hostile_drawing();
  drawing.nodes[0].processes.assign(30, "MPI 7");
  EXPECT_THAT(to_dot(drawing), HasSubstr("… and 22 more"));
}

TEST(SimilarityFiles, HoldTheMatrix) {
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
