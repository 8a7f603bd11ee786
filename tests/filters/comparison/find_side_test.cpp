#include "filters/comparison/find_side.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <string>

namespace tracefold::find_side_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Four ranks with one location each, 10 to 13; rank 0 is a group of its own.
Plan make_plan() {
  Plan plan;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    Process process;
    process.id = 10 + rank;
    process.rank = rank;
    plan.processes.push_back(process);
  }
  plan.groups.emplace();
  plan.groups->push_back({{0}, {}, {}, {}});
  plan.groups->push_back({{1, 2, 3}, {}, {}, {}});
  plan.groups->at(1).name = "all ranks but 0";
  return plan;
}

std::string find_problem(const std::string& list) {
  try {
    find_side(make_plan(), list);
  } catch (const Error& problem) {
    return problem.kind() == ErrorKind::usage ? problem.what() : "another kind";
  }
  return "none";
}

}  // namespace

TEST(FindSide, AGroupHasItsName) {
  const auto side = find_side(make_plan(), "group:1");
  EXPECT_THAT(side.members, ElementsAre(1, 2, 3));
  EXPECT_EQ(side.group.name, "all ranks but 0");
  EXPECT_EQ(side.group.number, 1);
  EXPECT_EQ(side.group.processes, 3);
}

TEST(FindSide, RanksAndLocationsMayBeMixed) {
  const auto side = find_side(make_plan(), "rank:2-3,location:11");
  EXPECT_THAT(side.members, ElementsAre(1, 2, 3));
  EXPECT_EQ(side.group.name, "ranks 2-3, rank 1");
}

TEST(FindSide, PlainNumbersAreLocations) {
  EXPECT_THAT(find_side(make_plan(), "12").members, ElementsAre(2));
}

TEST(FindSide, RefusesWhatIsNotThere) {
  EXPECT_THAT(find_problem("group:2"), HasSubstr("no group 2"));
  EXPECT_THAT(find_problem("rank:7"), HasSubstr("no rank 7"));
  EXPECT_THAT(find_problem("99"), HasSubstr("no process is in '99'"));
  EXPECT_THAT(find_problem("node:1"), HasSubstr("node"));
}

}  // namespace tracefold::find_side_test
