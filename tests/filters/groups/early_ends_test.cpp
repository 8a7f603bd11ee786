#include "filters/groups/early_ends.hpp"

#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace tracefold::early_ends_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Calls = std::vector<std::pair<std::string, std::string>>;
const Calls steps{{"", "main"}, {"main", "step"}};

// The processes whose records end early, of a run from 0 to 1000.
std::vector<std::size_t> find(testing::PlanBuilder& builder, const std::vector<RecordEnd>& ends) {
  auto plan = builder.plan();
  plan.trace.run = TimeSpan{0, 1000};
  mark_early_ends(plan, ends);
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].ends_early) {
      EXPECT_EQ(*plan.processes[p].ends_early, ends[p].last_time);
      found.push_back(p);
    }
  return found;
}

TEST(EarlyEnds, AreThoseWithOpenCallsLongBeforeOthers) {
  testing::PlanBuilder builder;
  for (std::uint64_t rank = 0; rank < 5; ++rank)
    builder.rank(rank, steps);
  EXPECT_THAT(find(builder, {{1000, false}, {230, true}, {230, false}, {990, true}, {900, true}}),
              ElementsAre(1, 4))
      << "rank 2 left all calls, rank 3 goes on nearly as long as others";
}

TEST(EarlyEnds, AreNoneWhereAllWereKilledTogether) {
  testing::PlanBuilder builder;
  builder.rank(0, steps).rank(1, steps);
  EXPECT_THAT(find(builder, {{1000, true}, {995, true}}), IsEmpty());
}

TEST(EarlyEnds, AreOfThreadsOnlyIfOthersDoTheSameForLonger) {
  testing::PlanBuilder builder;
  builder.rank(0, steps);
  builder.thread(0, 1, {{"", "work"}, {"work", "solve"}});
  builder.thread(0, 2, {{"", "work"}});                            // its buffer was full
  builder.thread(0, 3, {{"", "progress"}, {"progress", "wait"}});  // waits until the program ends
  EXPECT_THAT(find(builder, {{1000, false}, {980, false}, {300, true}, {300, true}}),
              ElementsAre(2));
}

TEST(EarlyEnds, AreNotKnownWithoutTheTimesOfTheRun) {
  testing::PlanBuilder builder;
  builder.rank(0, steps).rank(1, steps);
  auto plan = builder.plan();
  mark_early_ends(plan, {{1000, false}, {230, true}});
  EXPECT_FALSE(plan.processes[1].ends_early.has_value());
}

}  // namespace tracefold::early_ends_test
