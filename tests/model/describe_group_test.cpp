#include "model/describe_group.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/plan.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tracefold::describe_group_test {

namespace {

// Ranks 0 to 2, of which the last has a second thread, in two groups; and a location without rank.
Plan make_plan() {
  Plan plan;
  for (std::uint64_t rank = 0; rank < 5; ++rank) {
    auto& process = plan.processes.emplace_back();
    process.id = rank * 10;
    process.rank = rank;
  }
  plan.processes[3].rank = 2;
  plan.processes[3].thread = 1;
  plan.processes[4].rank.reset();
  plan.processes[4].location_group = 9;
  plan.groups = {{{1, 2}, {0}, {}}, {{0, 3}, {0}, {}}, {{4}, {0}, {}}};
  return plan;
}

}  // namespace

TEST(DescribeGroup, ShowsTheName) {
  auto plan = make_plan();
  (*plan.groups)[1].name = "inside of the grid";
  EXPECT_EQ(describe_group(plan, 1), "inside of the grid");
}

TEST(DescribeGroup, ComparesWithTheFirstMemberWhereThereIsNoName) {
  const auto plan = make_plan();
  EXPECT_EQ(describe_group(plan, 0), "like rank 1");
  EXPECT_EQ(describe_group(plan, 2), "like process 9");
}

TEST(DescribeGroup, IsTheSameWhicheverMembersAreKept) {
  auto plan = make_plan();
  plan.representatives = {{0, 2, {1, 2}, ""}, {1, 3, {0, 3}, ""}};
  EXPECT_EQ(describe_group(plan, 0), "like rank 1");
  EXPECT_EQ(describe_group(plan, 1), "like rank 0");
}

TEST(DescribeGroup, CanBePrintedWhateverThePlanSays) {
  auto plan = make_plan();
  (*plan.groups)[0].name = "a\x1b[2Jb\n\xff" + std::string(300, 'x');
  const auto shown = describe_group(plan, 0);
  EXPECT_TRUE(shown.starts_with("a?[2Jb?\xef\xbf\xbdxxx")) << shown;
  EXPECT_TRUE(shown.ends_with("xxx"));

  const auto label = label_group(plan, 0);
  EXPECT_TRUE(label.ends_with("x…"));
  EXPECT_EQ(measure_width(label), longest_group_label);
}

TEST(DescribeGroup, ShortensNamesOfFunctionsInLabelsOnly) {
  auto plan = make_plan();
  const std::string name =
      "calls void Solver<double, 3>::run(const Mesh&) const and clover_unpack_message_left_1234567 "
      "in main";
  (*plan.groups)[0].name = name;
  EXPECT_EQ(describe_group(plan, 0), name);
  EXPECT_EQ(label_group(plan, 0),
            "calls Solver<…>::run and clover_unpack_message_left_12… in main");
  (*plan.groups)[0].name = "lacks a";
  EXPECT_EQ(label_group(plan, 0), "lacks a");
  EXPECT_EQ(label_group(plan, 1), "like rank 0");
}

TEST(DescribeGroup, RefusesPlansWithVeryLongNames) {
  auto plan = make_plan();
  plan.trace.anchor = "/a/traces.otf2";
  plan.functions = {{"f", "", "", 0}};
  plan.intents = {{{0, {{virtual_root, 0}}, {}}, {0}}};
  for (auto& process : plan.processes)
    process.exclusive = {1};
  (*plan.groups)[0].name = std::string(most_group_name_bytes, 'x');
  EXPECT_EQ(plan_from_json(to_json(plan)).groups->front().name.size(), most_group_name_bytes);

  (*plan.groups)[0].name += 'x';
  try {
    plan_from_json(to_json(plan));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the name of group 0 of the plan takes 16385 bytes, and may take 16384");
  }
}

}  // namespace tracefold::describe_group_test
