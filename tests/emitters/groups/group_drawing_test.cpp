#include "emitters/groups/group_drawing.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <set>

namespace tracefold::group_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Ranks 0 to 5 on a grid of 2 × 3: groups {0}, {1, 2}, {3, 4, 5}.
Plan make_plan() {
  Plan plan;
  plan.trace.anchor = "/somewhere/app/traces.otf2";
  for (std::uint64_t rank = 0; rank < 6; ++rank) {
    auto& process = plan.processes.emplace_back();
    process.id = rank;
    process.rank = rank;
  }
  plan.groups.emplace(3);
  plan.groups->at(0).members = {0};
  plan.groups->at(1).members = {1, 2};
  plan.groups->at(2).members = {3, 4, 5};
  return plan;
}

ShownRows make_rows() {
  ShownRows rows;
  rows.axes = {{2}, {3}};
  for (std::uint64_t rank = 0; rank < 6; ++rank) {
    rows.members.push_back({rank});
    rows.places.push_back({rank / 3, rank % 3});
  }
  return rows;
}

// The colour of the place, which stands behind its name.
std::string find_colour(const std::string& svg, const std::string& place) {
  const auto begin = svg.find("fill=\"", svg.find("<title>" + place)) + 6;
  return svg.substr(begin, svg.find('"', begin) - begin);
}

std::set<std::string> list_colours(const std::string& svg) {
  std::set<std::string> colours;
  for (const char* place : {"(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)"})
    colours.insert(find_colour(svg, place));
  return colours;
}

TEST(GroupDrawing, ColoursPlacesByGroup) {
  const auto svg = to_svg(make_plan(), make_rows());
  EXPECT_THAT(svg, HasSubstr("Groups of app/traces.otf2"));
  EXPECT_THAT(svg, HasSubstr("6 processes in 3 groups on a grid of 2 × 3<"));
  EXPECT_THAT(svg, HasSubstr("<title>(0, 1): rank 1 in group 1<"));
  EXPECT_THAT(svg, HasSubstr(">group 2: 3 × like rank 3 (3-5)<"));
  EXPECT_EQ(find_colour(svg, "(0, 1)"), find_colour(svg, "(0, 2)"));
  EXPECT_EQ(find_colour(svg, "(1, 0)"), find_colour(svg, "(1, 2)"));
  EXPECT_EQ(list_colours(svg), (std::set<std::string>{"#0072b2", "#e69f00", "#009e73"}));
}

// Blue, and lighter than that.
TEST(GroupDrawing, ShadesSubClustersOfAMainCluster) {
  auto plan = make_plan();
  plan.comparison.by = CompareBy::signature;
  plan.groups->at(0).clusters = {0, 0};
  plan.groups->at(1).clusters = {1, 1};
  plan.groups->at(2).clusters = {0, 2};
  const auto svg = to_svg(plan, make_rows());
  EXPECT_EQ(find_colour(svg, "(0, 0)"), "#0072b2");
  EXPECT_EQ(find_colour(svg, "(0, 1)"), "#e69f00");
  EXPECT_EQ(find_colour(svg, "(1, 1)"), "#60a7cf");
  EXPECT_THAT(svg, HasSubstr("groups of one main cluster have one hue"));
}

TEST(GroupDrawing, ShadesWhatAThresholdMerged) {
  auto plan = make_plan();
  plan.groups->at(2).merged = {{3}, {4, 5}};
  const auto svg = to_svg(plan, make_rows());
  EXPECT_NE(find_colour(svg, "(1, 0)"), find_colour(svg, "(1, 1)"));
  EXPECT_EQ(find_colour(svg, "(1, 1)"), find_colour(svg, "(1, 2)"));
}

TEST(GroupDrawing, ShowsHolesAndPlacesOfSeveralGroups) {
  auto rows = make_rows();
  rows.places[5] = {1, 1};
  auto plan = make_plan();
  plan.groups->at(1).members = {1, 2, 5};
  plan.groups->at(2).members = {3, 4};
  const auto svg = to_svg(plan, rows);
  EXPECT_THAT(svg, HasSubstr("<title>(1, 2): no process<"));
  EXPECT_THAT(svg, HasSubstr("<title>(1, 1): rank 4 in group 2, rank 5 in group 1<"));
  EXPECT_THAT(svg, HasSubstr("a place is of its first process"));
  EXPECT_THAT(to_svg(make_plan(), make_rows()), Not(HasSubstr("first process")));
}

TEST(GroupDrawing, ListsTheLargestOfManyGroups) {
  Plan plan;
  ShownRows rows;
  rows.axes = {{50}};
  plan.groups.emplace();
  for (std::uint64_t rank = 0; rank < 50; ++rank) {
    auto& process = plan.processes.emplace_back();
    process.id = rank;
    process.rank = rank;
    rows.members.push_back({rank});
    rows.places.push_back({rank});
    if (rank < 40)
      plan.groups->emplace_back();
    plan.groups->at(std::min<std::size_t>(rank, 39)).members.push_back(rank);
  }
  const auto svg = to_svg(plan, rows);
  EXPECT_THAT(svg, HasSubstr("group 39: 11 ×"));
  EXPECT_THAT(svg, HasSubstr("and 16 groups more"));
}

}  // namespace tracefold::group_drawing_test
