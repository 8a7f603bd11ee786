#include "filters/report/rank_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace tracefold::rank_matrix_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace {

RunFacts make_facts(std::uint64_t ranks) {
  RunFacts facts;
  facts.ticks_per_second = 1000;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    Process process;
    process.id = rank;
    process.rank = rank;
    facts.processes.push_back(process);
  }
  facts.pairs.emplace();
  return facts;
}

Report make_report(std::vector<std::uint32_t> group_of) {
  Report report;
  report.group_of = std::move(group_of);
  return report;
}

TEST(RankMatrix, HasARowForEachRank) {
  auto facts = make_facts(3);
  facts.pairs->push_back({0, 2, 5, 700, 2000, 1000});
  const auto matrix = sum_rank_matrix(facts, make_report({0, 1, 1}), true);
  ASSERT_TRUE(matrix);
  EXPECT_THAT(matrix->names, ElementsAre("rank 0", "rank 1", "rank 2"));
  EXPECT_THAT(matrix->group_of_row, ElementsAre(0, 1, 1));
  ASSERT_EQ(matrix->metrics.size(), 3);
  EXPECT_THAT(matrix->metrics[0].values, ElementsAre(0, 0, 5, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(matrix->metrics[1].values[2], 700);
  EXPECT_EQ(matrix->metrics[2].values[2], 3);
  ASSERT_EQ(matrix->largest.size(), 1);
  EXPECT_EQ(matrix->largest[0].to, "rank 2");
  EXPECT_EQ(matrix->largest[0].waiting, 3);
}

TEST(RankMatrix, PutsNeighboursIntoARowWhereThereAreManyRanks) {
  auto facts = make_facts(600);
  facts.pairs->push_back({0, 599, 5, 700, 0, 0});
  facts.pairs->push_back({2, 598, 1, 1, 0, 0});
  const auto matrix = sum_rank_matrix(facts, make_report(std::vector<std::uint32_t>(600)), true);
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->names.size(), 200);
  EXPECT_EQ(matrix->names.front(), "ranks 0-2");
  EXPECT_EQ(matrix->metrics[0].values[199], 6);
  EXPECT_EQ(matrix->group_of_row.size(), 200);
}

TEST(RankMatrix, HasNoGroupsWhereARowIsOfSeveral) {
  auto facts = make_facts(600);
  std::vector<std::uint32_t> groups(600);
  groups[1] = 1;
  facts.pairs->push_back({0, 1, 1, 1, 0, 0});
  EXPECT_THAT(sum_rank_matrix(facts, make_report(groups), true)->group_of_row, IsEmpty());
}

TEST(RankMatrix, LeavesOutWaitingThatIsNotKnown) {
  auto facts = make_facts(2);
  facts.pairs->push_back({0, 1, 5, 700, 0, 0});
  const auto matrix = sum_rank_matrix(facts, make_report({0, 0}), false);
  EXPECT_EQ(matrix->metrics.size(), 2);
  EXPECT_FALSE(matrix->largest.at(0).waiting);
  facts.pairs.reset();
  EXPECT_FALSE(sum_rank_matrix(facts, make_report({0, 0}), false));
}

TEST(RankMatrix, TakesNoMemoryForRanksThatAreNotThere) {
  auto facts = make_facts(2);
  for (const auto rank : {std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    facts.processes[1].rank = rank;
    EXPECT_FALSE(sum_rank_matrix(facts, make_report({0, 0}), true));
  }
}

}  // namespace

}  // namespace tracefold::rank_matrix_test
