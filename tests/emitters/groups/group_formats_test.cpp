#include "emitters/groups/group_formats.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::group_formats_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Ranks 0 to 3 with a thread each more: rank 0, the other ranks, and all threads. The second rank
// stands for three, of which one is a rank that stood for two before.
Plan make_grouped_plan() {
  Plan plan;
  for (std::uint64_t p = 0; p < 8; ++p) {
    auto& process = plan.processes.emplace_back();
    process.id = 100 + p;
    process.rank = p % 4;
    process.thread = p / 4;
    process.name = "Master thread";
  }
  plan.processes[3].weight = 2;
  plan.groups.emplace(3);
  plan.groups->at(0).members = {0};
  plan.groups->at(1).members = {1, 2, 3};
  plan.groups->at(1).name = "all ranks, but 0";
  plan.groups->at(2).members = {4, 5, 6, 7};
  return plan;
}

Plan make_selected_plan() {
  auto plan = make_grouped_plan();
  plan.representatives = {{0, 0, {0}, "only member"},
                          {1, 2, {1, 2, 3}, "medoid of exclusive times"},
                          {2, 5, {4, 5, 6, 7}, "medoid of exclusive times"}};
  return plan;
}

// With one space between the words of a line.
std::string join_spaces(const std::string& text) {
  std::string joined;
  for (const char c : text)
    if (c != ' ' || !joined.ends_with(' '))
      joined += c;
  return joined;
}

TEST(GroupTable, NamesGroupsAndListsRanksAndThreads) {
  const auto table = join_spaces(to_group_table(make_grouped_plan()));
  EXPECT_THAT(table, HasSubstr("group processes pairs name ranks\n"));
  EXPECT_THAT(table, HasSubstr("\n 0 1 0 like rank 0 0\n"));
  EXPECT_THAT(table, HasSubstr("\n 1 4 0 all ranks, but 0 1-3\n"));
  EXPECT_THAT(table, HasSubstr("\n 2 4 0 like rank 0 thread 1 0-3 thread 1\n"));
}

TEST(GroupTable, HasWhoIsKeptOnceTheyAreChosen) {
  EXPECT_THAT(to_group_table(make_grouped_plan()), Not(HasSubstr(" kept\n")));
  const auto table = join_spaces(to_group_table(make_selected_plan()));
  EXPECT_THAT(table, HasSubstr(" name ranks kept\n"));
  EXPECT_THAT(table, HasSubstr(" all ranks, but 0 1-3 2\n"));
  EXPECT_THAT(table, HasSubstr(" like rank 0 thread 1 0-3 thread 1 1 thread 1\n"));
}

TEST(GroupTable, SaysWhyWhereAGroupKeepsSeveral) {
  auto plan = make_selected_plan();
  EXPECT_THAT(to_group_table(plan), Not(HasSubstr("medoid")));
  plan.representatives->at(1).members = {1, 2};
  plan.representatives->insert(plan.representatives->begin() + 2, {1, 3, {3}, "most time"});
  const auto text = to_group_table(plan);
  EXPECT_THAT(text, HasSubstr("medoid of exclusive times"));
  EXPECT_THAT(text, HasSubstr("most time"));
  EXPECT_THAT(text, HasSubstr("rank 1 thread 1"));
}

TEST(GroupTable, MakesNamesPrintable) {
  auto plan = make_grouped_plan();
  plan.groups->at(1).name = "calls \x1b[31m";
  EXPECT_THAT(to_group_table(plan), HasSubstr("calls ?[31m"));
}

TEST(ShortGroupTable, HasTheGroupsWithMostProcessesInTheirOrder) {
  const auto table = join_spaces(to_short_group_table(make_selected_plan(), 2, {}, 0));
  EXPECT_THAT(table, HasSubstr("\n 4 all ranks, but 0 1-3 2\n 4 like rank 0 thread 1 "));
  EXPECT_THAT(table, Not(HasSubstr("like rank 0 0")));
  EXPECT_THAT(table, HasSubstr("and 1 group more"));
}

TEST(ShortGroupTable, HasNoLineMoreWhereAllGroupsAreThere) {
  EXPECT_THAT(to_short_group_table(make_selected_plan(), 3, {}, 0), Not(HasSubstr("more")));
}

TEST(GroupCsv, HasIdsRanksAndNames) {
  EXPECT_EQ(to_group_csv(make_selected_plan()),
            "group,processes,pairs,representative,name,members,ranks,group_name\r\n"
            "0,1,0,100,Master thread,100,0,\r\n"
            "1,4,0,102,Master thread,101-103,1-3,\"all ranks, but 0\"\r\n"
            "2,4,0,105,Master thread,104-107,0-3,\r\n");
}

}  // namespace tracefold::group_formats_test
