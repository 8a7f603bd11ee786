#include "filters/groups/unite_runs.hpp"

#include "filters/groups/compare_groups.hpp"
#include "filters/groups/draw_lattice.hpp"
#include "filters/groups/group.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace tracefold::unite_runs_test {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Calls = std::vector<std::pair<std::string, std::string>>;

const Calls work{{"", "main"}, {"main", "solve"}},
    write{{"", "main"}, {"main", "solve"}, {"main", "write"}},
    forward{{"", "main"}, {"main", "solve"}, {"solve", "MPI_Send"}};

Plan make_plan(const std::vector<Calls>& ranks) {
  testing::PlanBuilder builder;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    builder.rank(r, ranks[r]);
  return builder.plan();
}

// Rank 0 writes; of four ranks, two forward, which nobody does where there are two. Functions are
// in another order in the second run.
UnitedRuns make_runs() {
  return unite_runs({make_plan({write, work}), make_plan({forward, work, write, forward})},
                    {"small", "large"});
}

TEST(UniteRuns, PutsProcessesWithEqualCallsIntoOneGroup) {
  auto runs = make_runs();
  group(runs.all, 1);
  const auto table = compare_groups(runs, {}, GroupMeasure::similarity);
  ASSERT_EQ(table.groups.size(), 3u);
  EXPECT_EQ(table.runs[1].name, "large");
  EXPECT_EQ(table.runs[1].processes, 4u);
  EXPECT_THAT(table.groups[0].of_runs, ElementsAre(1, 1));
  EXPECT_THAT(table.groups[0].places, ElementsAre("A: 0", "B: 2"));
  EXPECT_THAT(table.groups[1].of_runs, ElementsAre(1, 1));
  EXPECT_THAT(table.groups[2].of_runs, ElementsAre(0, 2));
  EXPECT_THAT(table.groups[2].places, ElementsAre("B: 0,3"));
  EXPECT_DOUBLE_EQ(table.values[0][1], 2.0 / 3);
  EXPECT_DOUBLE_EQ(table.values[0][2], 2.0 / 4);
}

TEST(UniteRuns, ShowsInTheLatticeWhatExistsOnlyAtScale) {
  Diagnostics diagnostics;
  const auto drawing = draw_lattice(make_runs(), {}, {}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 3u);
  const auto& all = drawing.nodes[0];
  EXPECT_THAT(all.attributes, UnorderedElementsAre("-> main", "main -> solve"));
  EXPECT_THAT(all.of_runs, ElementsAre(1, 1));
  EXPECT_THAT(all.reaching_of_runs, ElementsAre(2, 4));
  for (const auto& node : drawing.nodes)
    if (node.attributes == std::vector<std::string>{"solve -> MPI_Send"}) {
      EXPECT_THAT(node.reaching_of_runs, ElementsAre(0, 2));
      EXPECT_THAT(node.processes, ElementsAre("B: 0,3"));
    }
}

TEST(UniteRuns, MatchesFunctionsWhateverCompilersCallThem) {
  auto runs = unite_runs({make_plan({{{"", "main"}, {"main", "solve_"}}}),
                          make_plan({{{"", "main"}, {"main", "_Z5solvei"}}})},
                         {"a", "b"});
  EXPECT_EQ(runs.all.functions.size(), 2u);
  group(runs.all, 1);
  EXPECT_EQ(runs.all.groups->size(), 1u);
}

TEST(UniteRuns, CombinesThreadsOfOneRunOnly) {
  const auto plan = [](const Calls& of_thread) {
    return testing::PlanBuilder().rank(0, work).thread(0, 1, of_thread).plan();
  };
  auto runs = unite_runs({plan(write), plan(forward)}, {"a", "b"});
  group(runs.all, 1, {.combine = {"thread"}});
  EXPECT_EQ(runs.all.groups->size(), 2u) << "rank 0 of a is not rank 0 of b";
}

TEST(UniteRuns, NamesObjectsOfAContextByRun) {
  const auto context = make_named_context(make_runs(), {});
  EXPECT_THAT(context.objects, UnorderedElementsAre("A: 0, B: 2", "A: 1, B: 1", "B: 0,3"));
}

}  // namespace tracefold::unite_runs_test
