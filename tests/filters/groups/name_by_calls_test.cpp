#include "filters/groups/name_by_calls.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::name_by_calls_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::PlanBuilder;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// What only the first of two groups calls, in words.
std::string name_calls(const Pairs& own, const Pairs& others) {
  PlanBuilder builder;
  builder.function("MPI_Send", otf2_value::paradigm_mpi);
  builder.function("MPI_Recv", otf2_value::paradigm_mpi);
  auto plan = builder.rank(0, own).rank(1, others).rank(2, others).plan();
  group(plan, 1);
  return list_call_words(plan).front().calls;
}

}  // namespace

TEST(ListCallWords, NamesWhatOnlyOneGroupCalls) {
  EXPECT_EQ(name_calls({{"", "main"}, {"main", "write"}}, {{"", "main"}}), "calls write");
  EXPECT_EQ(name_calls({{"", "main"}}, {{"", "main"}, {"main", "write"}}), "");
}

TEST(ListCallWords, NamesWhatOnlyOneGroupLacks) {
  auto plan = PlanBuilder()
                  .rank(0, {{"", "main"}, {"main", "a"}, {"main", "b"}})
                  .rank(1, {{"", "main"}, {"main", "a"}})
                  .rank(2, {{"", "main"}, {"main", "b"}, {"main", "c"}})
                  .plan();
  group(plan, 1);
  const auto words = list_call_words(plan);
  EXPECT_EQ(words[0].calls, "");
  EXPECT_THAT(words[0].others, IsEmpty());
  EXPECT_EQ(words[1].calls, "");
  EXPECT_THAT(words[1].others, ElementsAre("lacks b", "lacks b in main"));
  EXPECT_EQ(words[2].calls, "calls c");
  EXPECT_THAT(words[2].others, ElementsAre("lacks a", "calls c in main", "lacks a in main"));
}

TEST(ListCallWords, NamesCallPairsWhereFunctionsAreTheSame) {
  auto plan = PlanBuilder()
                  .rank(0, {{"", "main"}, {"main", "a"}, {"main", "b"}, {"a", "send"}})
                  .rank(1, {{"", "main"}, {"main", "a"}, {"main", "b"}, {"b", "send"}})
                  .plan();
  group(plan, 1);
  EXPECT_THAT(list_call_words(plan)[0].others, ElementsAre("calls send in a", "lacks send in b"));
}

TEST(ListCallWords, NamesFunctionsOfTheProgramBeforeThoseOfMpi) {
  EXPECT_EQ(name_calls({{"", "main"}, {"main", "MPI_Send"}, {"main", "solve"}}, {{"", "main"}}),
            "calls solve and MPI_Send");
  EXPECT_EQ(name_calls({{"", "main"}, {"main", "MPI_Send"}, {"main", "MPI_Recv"}}, {{"", "main"}}),
            "calls MPI_Recv and MPI_Send");
}

TEST(ListCallWords, NamesTheTwoWithTheMostTime) {
  auto plan = PlanBuilder()
                  .rank(0, {{"", "a"}, {"", "b"}, {"", "c"}, {"", "main"}})
                  .rank(1, {{"", "main"}})
                  .plan();
  const auto& functions = plan.intents[plan.processes[0].intent].functions;
  for (std::size_t f = 0; f < functions.size(); ++f)
    plan.processes[0].exclusive[f] = plan.functions[functions[f]].name == "c"   ? 30
                                     : plan.functions[functions[f]].name == "b" ? 20
                                                                                : 10;
  group(plan, 1);
  EXPECT_EQ(list_call_words(plan)[0].calls, "calls c and b");
}

// Merged groups: some members call what others do not.
TEST(ListCallWords, NamesOnlyWhatAllMembersCall) {
  auto plan = PlanBuilder()
                  .rank(0, {{"", "main"}, {"main", "a"}})
                  .rank(1, {{"", "main"}, {"main", "a"}, {"main", "b"}})
                  .rank(2, {{"", "x"}, {"x", "y"}, {"y", "z"}, {"z", "x"}})
                  .plan();
  group(plan, 0.5);
  ASSERT_EQ(plan.groups->size(), 2u);
  const auto words = list_call_words(plan);
  EXPECT_EQ(words[0].calls, "calls a and main") << "b is called by one of two";
  EXPECT_THAT(words[1].others.front(), "lacks a and main");
}

TEST(ListCallWords, ComparesThreadsWithThreads) {
  auto plan = PlanBuilder()
                  .rank(0, {{"", "main"}, {"main", "send"}})
                  .rank(1, {{"", "main"}})
                  .rank(2, {{"", "main"}, {"main", "send"}, {"main", "more"}})
                  .thread(0, 1, {{"", "work"}})
                  .plan();
  group(plan, 1);
  const auto words = list_call_words(plan);
  EXPECT_THAT(words[1].others, ElementsAre("lacks send", "lacks send in main"));
  EXPECT_THAT(words[3].others, IsEmpty()) << "there are no other threads";
}

TEST(ListCallWords, LeavesOutWhatTheMeasurementMadeUp) {
  auto plan = PlanBuilder().rank(0, {{"", "main"}, {"", "THREADS"}}).rank(1, {{"", "main"}}).plan();
  for (auto& function : plan.functions)
    if (function.name == "THREADS")
      function.role = otf2_value::region_role_artificial;
  group(plan, 1);
  EXPECT_EQ(list_call_words(plan)[0].calls, "");
}

TEST(ListCallWords, NamesFunctionsWhole) {
  const std::string begin(40, 'f');
  EXPECT_EQ(name_calls({{"", begin + "a"}}, {{"", begin + "b"}}), "calls " + begin + "a");
  const auto longest = name_calls({{"", std::string(5000, 'x')}}, {{"", "main"}});
  EXPECT_EQ(longest, "calls " + std::string(1999, 'x') + "…");
}

}  // namespace tracefold::name_by_calls_test
