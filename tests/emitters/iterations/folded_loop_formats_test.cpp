#include "emitters/iterations/folded_loop_formats.hpp"

#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tracefold::folded_loop_formats_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Three processes, of which the first has a loop of two iterations.
Plan make_plan(std::vector<std::uint32_t> kept) {
  Plan plan;
  plan.processes.resize(3);
  plan.functions.push_back({});
  plan.functions.back().name = "step";
  IterationSection section;
  auto& loop = section.loops.emplace_back();
  loop.choice.kept = std::move(kept);
  loop.choice.kept_of = {0, 0};
  section.processes.emplace_back().loops.loops.emplace_back();
  plan.iterations = std::make_shared<const IterationSection>(std::move(section));
  return plan;
}

TEST(FoldedTable, CountsProcessesThatStayWholeWhereOthersDoNot) {
  auto plan = make_plan({0});
  EXPECT_THAT(folded_table(plan), HasSubstr("2 of 3 kept processes stay whole: their loops, or "
                                            "numbers of iterations, are not those above\n"));
  plan.processes.resize(2);
  EXPECT_THAT(short_folded_table(plan, 4), HasSubstr("1 of 2 kept processes stays whole: its "));
}

TEST(FoldedTable, CountsNoneWhereNothingIsFolded) {
  EXPECT_THAT(folded_table(make_plan({0, 1})), Not(HasSubstr("whole")));
}

TEST(FoldedTable, TellsNoErrorOfWhatIsNotFolded) {
  EXPECT_THAT(short_folded_table(make_plan({0}), 4), HasSubstr("unknown"));
  auto plan = make_plan({0, 1});
  EXPECT_THAT(short_folded_table(plan, 4), AllOf(HasSubstr("0 %"), Not(HasSubstr("unknown"))));
}

TEST(FoldedTable, SaysWhichLoopItIs) {
  const auto table = folded_table(make_plan({0}));
  EXPECT_THAT(table, HasSubstr("which  where\n"));
  EXPECT_THAT(table, HasSubstr("0  from step\n"));
}

}  // namespace tracefold::folded_loop_formats_test
