#include "model/location_list.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracefold::location_list_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Do>
std::string catch_error(const Do& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string catch_words(std::string_view list) {
  return catch_error([&] { parse_location_list(list); });
}

TEST(LocationList, HasIdsRanksAndGroups) {
  EXPECT_EQ(parse_location_list("0-6:2,9"), (LocationList{{0, 2, 4, 6, 9}, {}, {}}));
  EXPECT_EQ(parse_location_list("rank:0-2"), (LocationList{{}, {0, 1, 2}, {}}));
  EXPECT_EQ(parse_location_list("group:3"), (LocationList{{}, {}, {3}}));
  EXPECT_TRUE(parse_location_list("").empty());
}

TEST(LocationList, CarriesAWordOnUntilTheNext) {
  EXPECT_EQ(parse_location_list("4,rank:7,0-6:3,group:1,0,location:2,9"),
            (LocationList{{2, 4, 9}, {0, 3, 6, 7}, {0, 1}}));
}

TEST(LocationList, NamesThePartThatIsWrong) {
  EXPECT_THAT(catch_words("rank:0,rnak:3-5"), HasSubstr("'rnak' in 'rnak:3-5'"));
  EXPECT_THAT(catch_words("rank:0,5-3,8"), HasSubstr("'5-3'"));
  EXPECT_THAT(catch_words("0,rank:,8"), HasSubstr("'rank:' has no numbers"));
  EXPECT_THAT(catch_words("rank:0,two"), HasSubstr("'two'"));
  EXPECT_THAT(catch_words("1,,2"), HasSubstr("empty"));
  EXPECT_THAT(catch_words("rank:-1"), HasSubstr("'-1'"));
}

// Two ranks with a thread each more, a stream that the second rank created, and a process that is
// in no rank; two groups.
Plan make_plan() {
  Plan plan;
  const auto add = [&](std::uint64_t id, std::uint64_t owner, std::optional<std::uint64_t> rank) {
    auto& process = plan.processes.emplace_back();
    process.id = id;
    process.location_group = owner;
    process.rank = rank;
  };
  add(10, 0, 0);
  add(11, 0, 0);
  add(20, 1, 1);
  add(21, 1, 1);
  add(30, 2, {});
  plan.processes.back().creator = 1;
  add(40, 3, {});
  plan.groups.emplace(2);
  plan.groups->at(0).members = {0, 2};
  plan.groups->at(1).members = {1, 3, 4, 5};
  return plan;
}

std::vector<std::uint64_t> find(std::string_view list) {
  return find_listed(parse_location_list(list), make_plan());
}

TEST(LocationList, MeansAllLocationsOfARank) {
  EXPECT_THAT(find("rank:0"), ElementsAre(10, 11));
  EXPECT_THAT(find("rank:1"), ElementsAre(20, 21, 30));
  EXPECT_THAT(find("rank:1,location:40,21"), ElementsAre(20, 21, 30, 40));
}

TEST(LocationList, MeansAllMembersOfAGroup) {
  EXPECT_THAT(find("group:1"), ElementsAre(11, 21, 30, 40));
  EXPECT_THAT(find("group:0,location:40"), ElementsAre(10, 20, 40));
}

TEST(LocationList, LeavesIdsToWhoUsesThem) {
  EXPECT_THAT(find("77"), ElementsAre(77));
}

TEST(LocationList, RefusesRanksAndGroupsThatAreNotThere) {
  EXPECT_THAT(catch_error([] { find("rank:0-3"); }), HasSubstr("there is no rank 2-3"));
  EXPECT_THAT(catch_error([] { find("group:2"); }), HasSubstr("there is no group 2"));
}

TEST(LocationList, RefusesGroupsBeforeThereAreAny) {
  const auto list = parse_location_list("group:1");
  auto plan = make_plan();
  EXPECT_THAT(catch_error([&] { find_listed(list, plan.processes); }),
              HasSubstr("there are no groups yet"));
  plan.groups.reset();
  EXPECT_THAT(catch_error([&] { find_listed(list, plan); }), HasSubstr("there are no groups yet"));
}

}  // namespace tracefold::location_list_test
