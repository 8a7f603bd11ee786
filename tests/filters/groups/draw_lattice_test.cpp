#include "filters/groups/draw_lattice.hpp"

#include "model/plan.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::draw_lattice_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Calls = std::vector<std::pair<std::string, std::string>>;

const Calls a{{"", "main"}, {"main", "f"}}, b{{"", "main"}, {"main", "g"}},
    both{{"", "main"}, {"main", "f"}, {"main", "g"}};

// Structural table I with pairs of our own: P2 and P4 are a group, P3 is the bottom.
Plan structural_table_1() {
  return testing::PlanBuilder().rank(0, a).rank(1, b).rank(2, both).rank(3, b).plan();
}

TEST(DrawLattice, HasEachSetAndEachPairOnce) {
  Diagnostics diagnostics;
  const auto drawing = draw_lattice(structural_table_1(), {}, {}, diagnostics);
  EXPECT_EQ(drawing.kind, "AOC-poset");
  EXPECT_EQ(drawing.processes, 4u);
  EXPECT_EQ(drawing.attributes, 3u);
  ASSERT_EQ(drawing.nodes.size(), 4u);
  EXPECT_THAT(drawing.nodes[0].attributes, ElementsAre("-> main"));
  EXPECT_THAT(drawing.nodes[0].processes, IsEmpty());
  EXPECT_EQ(drawing.nodes[0].reaching, 4u);
  EXPECT_THAT(drawing.nodes[1].processes, ElementsAre("rank 0"));
  EXPECT_EQ(drawing.nodes[1].count, 1u);
  EXPECT_EQ(drawing.nodes[1].reaching, 2u);
  EXPECT_THAT(drawing.nodes[2].processes, ElementsAre("rank 1,3"));
  EXPECT_THAT(drawing.nodes[2].members, ElementsAre(1, 3));
  EXPECT_THAT(drawing.nodes[2].attributes, ElementsAre("main -> g"));
  EXPECT_EQ(drawing.nodes[2].count, 2u);
  EXPECT_EQ(drawing.nodes[2].reaching, 3u);
  EXPECT_EQ(drawing.nodes[2].inherited, 1u);
  EXPECT_DOUBLE_EQ(drawing.share(drawing.nodes[2]), 1.0 / 3);
  EXPECT_THAT(drawing.nodes[3].processes, ElementsAre("rank 2"));
  EXPECT_THAT(drawing.nodes[3].attributes, IsEmpty());
  EXPECT_EQ(drawing.nodes[3].inherited, 3u);
  EXPECT_THAT(drawing.nodes[3].up, ElementsAre(1, 2));
  EXPECT_TRUE(diagnostics.notes().empty());
}

TEST(DrawLattice, ComparesFunctionsWhereAsked) {
  Diagnostics diagnostics;

  // The same functions, called by others.
  const auto plan = testing::PlanBuilder()
                        .rank(0, {{"", "main"}, {"main", "f"}, {"f", "g"}})
                        .rank(1, {{"", "main"}, {"main", "f"}, {"main", "g"}})
                        .plan();

  EXPECT_EQ(draw_lattice(plan, {}, {}, diagnostics).nodes.size(), 3u);
  const auto drawing = draw_lattice(plan, {.by = CompareBy::functions}, {}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 1u);
  EXPECT_THAT(drawing.nodes[0].attributes, ElementsAre("main", "f", "g"));
}

// Structural figures 8 to 10: a function that one process has inlined.
Plan structural_figure_8() {
  return testing::PlanBuilder().rank(0, {{"", "f"}, {"f", "g"}}).rank(1, {{"", "g"}}).plan();
}

TEST(DrawLattice, PutsWhoHasInlinedAboveWhoHasNotInClosedSets) {
  Diagnostics diagnostics;
  EXPECT_EQ(draw_lattice(structural_figure_8(), {}, {.full = true}, diagnostics).nodes.size(), 4u);

  const auto drawing =
      draw_lattice(structural_figure_8(), {}, {.full = true, .closed = true}, diagnostics);
  EXPECT_EQ(drawing.kind, "concept lattice of closed sets");
  EXPECT_TRUE(drawing.is_closed);
  EXPECT_EQ(drawing.attributes, 3u);
  ASSERT_EQ(drawing.nodes.size(), 2u);
  EXPECT_THAT(drawing.nodes[0].processes, ElementsAre("rank 1"));
  EXPECT_THAT(drawing.nodes[0].attributes, ElementsAre("-> g"));
  EXPECT_THAT(drawing.nodes[1].processes, ElementsAre("rank 0"));
  EXPECT_EQ(drawing.nodes[1].attributes.size(), 2u);
  EXPECT_THAT(drawing.nodes[1].up, ElementsAre(0));
}

TEST(DrawLattice, JoinsProcessesWithTheSameClosedSet) {
  Diagnostics diagnostics;
  const auto plan = testing::PlanBuilder()
                        .rank(0, {{"", "f"}, {"f", "g"}, {"g", "h"}})
                        .rank(1, {{"", "f"}, {"f", "g"}, {"f", "h"}, {"g", "h"}})
                        .plan();
  const auto drawing = draw_lattice(plan, {}, {.closed = true}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 1u);
  EXPECT_THAT(drawing.nodes[0].processes, ElementsAre("rank 0-1"));
  EXPECT_EQ(drawing.nodes[0].count, 2u);
}

TEST(DrawLattice, TellsNoCallsOfClosedSetsThatFollowFromOthers) {
  Diagnostics diagnostics;
  const auto plan = testing::PlanBuilder()
                        .rank(0, {{"", "worker"}})
                        .rank(1, {{"", "main"}, {"main", "solve"}, {"solve", "f"}, {"", "worker"}})
                        .plan();
  const auto drawing = draw_lattice(plan, {}, {.closed = true}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 2u);
  EXPECT_EQ(drawing.nodes[1].attributes.size(), 6u);
  EXPECT_THAT(drawing.nodes[1].entries, ElementsAre("-> main"));
}

TEST(DrawLattice, RefusesClosedSetsOfFunctions) {
  Diagnostics diagnostics;
  EXPECT_THROW(draw_lattice(structural_figure_8(), {.by = CompareBy::functions}, {.closed = true},
                            diagnostics),
               Error);
}

TEST(DrawLattice, TellsWhichCallsLeadToTheOthersOfANode) {
  Diagnostics diagnostics;
  const auto plan =
      testing::PlanBuilder()
          .rank(0, {{"", "main"}})
          .rank(1, {{"", "main"}, {"main", "write"}, {"write", "open"}, {"open", "read"}})
          .plan();
  const auto drawing = draw_lattice(plan, {}, {}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 2u);
  EXPECT_EQ(drawing.nodes[1].attributes.size(), 3u);
  EXPECT_THAT(drawing.nodes[1].entries, ElementsAre("main -> write"));
}

TEST(DrawLattice, KnowsWhetherAllProcessesAreRanks) {
  Diagnostics diagnostics;
  EXPECT_TRUE(draw_lattice(structural_figure_8(), {}, {}, diagnostics).has_only_ranks);
  const auto plan = testing::PlanBuilder().rank(0, a).thread(0, 1, b).plan();
  EXPECT_FALSE(draw_lattice(plan, {}, {}, diagnostics).has_only_ranks);
}

TEST(DrawLattice, CountsProcessesThatAnEarlierReductionFolded) {
  Diagnostics diagnostics;
  Process folded;
  folded.weight = 12;
  const auto drawing = draw_lattice(testing::PlanBuilder().process(folded, a).rank(1, a).plan(), {},
                                    {}, diagnostics);
  EXPECT_EQ(drawing.processes, 13u);
  EXPECT_EQ(drawing.nodes.at(0).count, 13u);
}

// Sets without each one of n pairs: 2 to the n concepts.
Plan explosive(int n) {
  testing::PlanBuilder builder;
  for (int i = 0; i < n; ++i) {
    Calls calls;
    for (int k = 0; k < n; ++k)
      if (k != i)
        calls.emplace_back("f" + std::to_string(k), "g");
    builder.rank(static_cast<std::uint64_t>(i), calls);
  }

  return builder.plan();
}

TEST(DrawLattice, DrawsThePosetWhereTheLatticeIsTooLarge) {
  Diagnostics diagnostics;
  const auto drawing =
      draw_lattice(explosive(20), {}, {.full = true, .max_nodes = 1000}, diagnostics);
  EXPECT_EQ(drawing.kind, "AOC-poset");
  EXPECT_EQ(drawing.nodes.size(), 40u);
  EXPECT_THAT(diagnostics.notes(), ElementsAre(HasSubstr("more than 1000 nodes")));
}

// All that parts the processes are calls of g.
TEST(DrawLattice, ProposesWhatToLeaveOutOfALatticeThatIsTooLarge) {
  Diagnostics diagnostics;
  draw_lattice(explosive(20), {}, {.full = true, .max_nodes = 1000}, diagnostics);
  EXPECT_THAT(diagnostics.notes(), ElementsAre(HasSubstr("(`ignore` 'g' leaves 1 node)")));
}

// Sets without each one of n functions; names are no patterns.
TEST(DrawLattice, ProposesTheFunctionsThatPartTheSetsMost) {
  Diagnostics diagnostics;
  testing::PlanBuilder builder;
  for (int i = 0; i < 10; ++i) {
    Calls calls{{"", "main"}};
    for (int k = 0; k < 10; ++k)
      if (k != i)
        calls.emplace_back("main", "f*" + std::to_string(k));
    builder.rank(static_cast<std::uint64_t>(i), calls);
  }
  const auto plan = builder.plan();
  draw_lattice(plan, {}, {.full = true, .max_nodes = 300}, diagnostics);
  EXPECT_THAT(diagnostics.notes(),
              ElementsAre(HasSubstr("`ignore` 'f\\*1' `ignore` 'f\\*2' leaves 256 nodes")));

  Diagnostics again;
  draw_lattice(plan, {}, {.full = true, .max_nodes = 2}, again);
  EXPECT_THAT(again.notes(), ElementsAre(Not(HasSubstr("ignore"))));
}

TEST(DrawLattice, FallsBackOnFunctionsWhereAsked) {
  Diagnostics diagnostics;
  const auto drawing =
      draw_lattice(explosive(20), {},
                   {.full = true, .max_nodes = 1000, .on_limit = OnLimit::functions}, diagnostics);
  EXPECT_EQ(drawing.kind, "concept lattice");
  EXPECT_EQ(drawing.attribute, "functions");
  EXPECT_EQ(drawing.nodes.size(), 1u);  // all call g
}

TEST(DrawLattice, FailsAtTheLimitWhereAsked) {
  Diagnostics diagnostics;
  EXPECT_THROW(
      draw_lattice(explosive(20), {}, {.full = true, .max_nodes = 1000, .on_limit = OnLimit::fail},
                   diagnostics),
      Error);
  EXPECT_NO_THROW(draw_lattice(
      explosive(8), {}, {.full = true, .max_nodes = 1000, .on_limit = OnLimit::fail}, diagnostics));
}

TEST(DrawLattice, DrawsProcessesWithoutCalls) {
  Diagnostics diagnostics;
  const auto drawing = draw_lattice(testing::PlanBuilder().rank(0, {}).plan(), {}, {}, diagnostics);
  ASSERT_EQ(drawing.nodes.size(), 1u);
  EXPECT_EQ(drawing.nodes[0].count, 1u);
  EXPECT_DOUBLE_EQ(drawing.share(drawing.nodes[0]), 0);
}

TEST(DrawLattice, IsEmptyWithoutProcesses) {
  Diagnostics diagnostics;
  EXPECT_THAT(draw_lattice(Plan(), {}, {}, diagnostics).nodes, IsEmpty());
  EXPECT_THAT(make_named_context(Plan(), {}).objects, IsEmpty());
}

TEST(NamedContext, HoldsTheContext) {
  const auto context = make_named_context(structural_table_1(), {});
  EXPECT_THAT(context.objects, ElementsAre("rank 0", "rank 1,3", "rank 2"));
  EXPECT_THAT(context.attributes, ElementsAre("main -> f", "main -> g", "-> main"));
  EXPECT_TRUE(context.incidence[0][0]);
  EXPECT_FALSE(context.incidence[0][1]);
}

TEST(NamedContext, CallsNoTwoAttributesAlike) {
  auto plan = testing::PlanBuilder().rank(0, {{"", "a"}, {"", "b"}, {"", "c"}, {"", "d"}}).plan();
  plan.functions[1].name = plan.functions[3].name = "a";
  plan.functions[2].name = "a #2";
  EXPECT_THAT(make_named_context(plan, {.by = CompareBy::functions}).attributes,
              ElementsAre("a", "a #3", "a #2", "a #4"));
}

}  // namespace tracefold::draw_lattice_test
