#include "filters/iterations/choose_loops.hpp"

#include "filters/iterations/align_loops.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::choose_loops_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// `n` iterations of `ticks` each, one after the other.
Loop loop(FunctionIndex function, std::uint64_t begin, std::size_t n, std::uint64_t ticks,
          LoopSource source = LoopSource::sequence) {
  Loop out;
  out.source = source;
  out.function = function;
  for (std::size_t i = 0; i < n; ++i)
    out.iterations.push_back({begin + i * ticks, begin + (i + 1) * ticks});
  out.ticks = n * ticks;
  out.work = static_cast<double>(out.ticks) / 1000;

  return out;
}

std::vector<FunctionIndex> functions_of(const std::vector<Loop>& loops) {
  std::vector<FunctionIndex> out;
  for (const auto& l : loops)
    out.push_back(l.function);
  return out;
}

// Processes 0, 1, … on location groups and threads as given, all in one group.
Plan plan_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places) {
  Plan plan;
  Group group;
  for (const auto& [location_group, thread] : places) {
    Process p;
    p.id = plan.processes.size();
    p.location_group = location_group;
    p.thread = thread;
    group.members.push_back(plan.processes.size());
    plan.processes.push_back(p);
  }

  plan.groups.emplace({group});

  return plan;
}

ProcessLoops process(std::vector<Loop> loops) {
  return {std::move(loops), 0, 1000, std::nullopt};
}

TEST(ProcessLoops, TakesTheOutermostOfMarkedRegions) {
  const auto loops =
      choose_outermost_loops({loop(2, 110, 30, 10), loop(1, 100, 5, 80), loop(3, 600, 4, 50)});
  EXPECT_THAT(functions_of(loops), ElementsAre(1, 3));
  ASSERT_TRUE(loops[0].runner_up);
  EXPECT_EQ(*loops[0].runner_up, (RunnerUp{2, 30, 1}));
}

// An outer loop of three iterations, the first of which runs an inner loop and does most.
std::vector<Loop> choose_around(std::uint64_t fewest_subcalls) {
  auto outer = loop(1, 0, 3, 300), inner = loop(2, 0, 20, 30);
  outer.path = {0};
  outer.score = 0.5;
  outer.is_dominated = true;
  outer.subcalls = 140;
  outer.fewest_subcalls = fewest_subcalls;
  inner.path = {0, 1};
  inner.score = 1;
  inner.subcalls = 100;
  return choose_nested_loops({{{inner}, 600, 100}, {{outer}, 900, 140}}, {1000, 200});
}

TEST(ProcessLoops, TakeTheOuterOneIfAllOfItsIterationsDoWhatAnInnerOneDoes) {
  EXPECT_THAT(functions_of(choose_around(5)), ElementsAre(1)) << "a solver that converges";
  EXPECT_THAT(functions_of(choose_around(4)), ElementsAre(2)) << "commands, one of which runs";
}

TEST(ProcessLoops, PrefersMarkedLoopsToFoundOnes) {
  const auto both =
      choose_process_loops({loop(1, 0, 2, 10, LoopSource::marked)}, {loop(2, 0, 90, 10)}, 0, 1000);
  EXPECT_THAT(functions_of(both.loops), ElementsAre(1));
  EXPECT_EQ(both.loops[0].runner_up->iterations, 90u);
  EXPECT_THAT(functions_of(choose_process_loops({}, {loop(2, 0, 90, 10)}, 0, 1000).loops),
              ElementsAre(2));
}

TEST(ProcessLoops, LeavesOutFoundLoopsOfLittleTime) {
  EXPECT_THAT(choose_process_loops({}, {loop(1, 0, 4, 6)}, 0, 1000).loops, IsEmpty()) << "2.4 %";
  EXPECT_THAT(
      functions_of(
          choose_process_loops({}, {loop(2, 500, 10, 40), loop(1, 0, 5, 9)}, 0, 1000).loops),
      ElementsAre(2))
      << "a ninth of the largest";

  EXPECT_THAT(
      functions_of(
          choose_process_loops({}, {loop(2, 500, 10, 40), loop(1, 0, 5, 12)}, 0, 1000).loops),
      ElementsAre(1, 2));
}

TEST(ProcessLoops, KeepsThoseOfItsStandInThatDoTheMostWork) {
  const auto stand_in = process({loop(1, 0, 4, 10), loop(2, 300, 10, 40)});
  auto same =
      process({loop(3, 0, 4, 1), loop(4, 10, 4, 12), loop(5, 100, 7, 9), loop(6, 300, 10, 3)});
  EXPECT_TRUE(keep_loops_of(stand_in, same));
  EXPECT_THAT(functions_of(same.loops), ElementsAre(4, 6));

  auto other_turn = process({loop(2, 0, 10, 40), loop(1, 500, 4, 10)});
  EXPECT_FALSE(keep_loops_of(stand_in, other_turn));
  auto fewer = process({loop(1, 0, 4, 10)});
  EXPECT_FALSE(keep_loops_of(stand_in, fewer));
  auto marked = process({loop(1, 0, 4, 10, LoopSource::marked), loop(2, 300, 10, 40)});
  EXPECT_FALSE(keep_loops_of(stand_in, marked));
}

TEST(ProcessLoops, ComeFromFirstThreadsAndFromWhoCreated) {
  auto plan = plan_of({{0, 0}, {1, 0}, {1, 1}, {2, 0}, {3, 0}, {3, 1}});
  plan.processes[4].creator = plan.processes[5].creator = 0;
  EXPECT_THAT(add_loop_sources(plan, {2}), ElementsAre(1, 2));
  EXPECT_THAT(add_loop_sources(plan, {5}), ElementsAre(0, 4, 5));
  EXPECT_THAT(add_loop_sources(plan, {3}), ElementsAre(3));
}

TEST(ProcessLoops, SettlesByTheMeanOfAGroupWhichLoopsCount) {
  const auto plan = plan_of({{0, 0}, {1, 0}, {2, 0}});
  std::vector<ProcessLoops> loops{process({loop(1, 0, 10, 4), loop(2, 500, 4, 7)}),
                                  process({loop(1, 0, 10, 6), loop(2, 500, 4, 16)}),
                                  process({loop(1, 0, 10, 6)})};
  remove_minor_loops(plan, loops);
  for (const auto& p : loops)
    EXPECT_THAT(functions_of(p.loops), ElementsAre(1)) << "5.3 %, and 4.6 %";
}

TEST(ProcessLoops, GivesThreadsTheLoopsOfTheirFirstThread) {
  const auto plan = plan_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}});
  std::vector<ProcessLoops> loops{process({loop(1, 0, 10, 10)}), process({}), process({}),
                                  process({loop(2, 0, 5, 20, LoopSource::marked)}), process({})};
  share_loops(plan, loops);
  EXPECT_EQ(loops[2].loops.at(0).iterations, loops[0].loops[0].iterations);
  EXPECT_EQ(loops[2].taken_from, 0u);
  EXPECT_EQ(loops[1].taken_from, 3u) << "the only thread that has any";
  EXPECT_FALSE(loops[3].taken_from);
  EXPECT_THAT(loops[4].loops, IsEmpty());
}

TEST(ProcessLoops, LeavesLoopsOfRanksThatShareALocationGroupAlone) {
  auto plan = plan_of({{0, 0}, {0, 0}, {0, 1}});
  for (std::size_t p = 0; p < 3; ++p)
    plan.processes[p].rank = std::min<std::uint64_t>(p, 1);
  std::vector<ProcessLoops> loops{process({loop(1, 0, 10, 10)}), process({loop(2, 500, 5, 20)}),
                                  process({})};
  share_loops(plan, loops);
  EXPECT_EQ(loops[1].loops.at(0).function, 2u);
  EXPECT_FALSE(loops[1].taken_from);
  EXPECT_EQ(loops[2].taken_from, 1u) << "a thread of the second rank";
}

TEST(ProcessLoops, LeavesMarkedLoopsOfThreadsAlone) {
  const auto plan = plan_of({{0, 0}, {0, 1}, {0, 2}});
  std::vector<ProcessLoops> loops{process({loop(1, 0, 10, 10)}),
                                  process({loop(2, 0, 5, 20, LoopSource::marked)}),
                                  process({loop(3, 0, 50, 2)})};
  share_loops(plan, loops);
  EXPECT_EQ(loops[1].loops.at(0).function, 2u);
  EXPECT_EQ(loops[2].loops.at(0).function, 1u) << "found ones give way";
}

TEST(ProcessLoops, GivesAcceleratorsTheLoopsOfTheirHost) {
  auto plan = plan_of({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  for (std::size_t p = 0; p < 4; ++p)
    plan.processes[p].location_group = p;

  std::vector<ProcessLoops> loops{process({loop(1, 0, 10, 10)}), process({}),
                                  process({loop(3, 0, 9, 10)}),
                                  process({loop(2, 0, 5, 20, LoopSource::marked)})};
  for (std::size_t p = 1; p < 4; ++p)
    plan.processes[p].creator = 0;
  share_loops(plan, loops);
  EXPECT_EQ(loops[1].taken_from, 0u);
  EXPECT_EQ(loops[2].taken_from, 0u) << "found ones give way";
  EXPECT_FALSE(loops[3].taken_from);
  EXPECT_EQ(loops[2].loops.at(0).function, 1u);
}

TEST(ProcessLoops, NamesWhoDiffersFromMost) {
  const auto plan = plan_of({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  const std::vector<ProcessLoops> loops{process({loop(1, 0, 9, 10)}), process({loop(1, 5, 10, 10)}),
                                        process({loop(1, 0, 10, 12)}), process({})};
  const auto groups = summarize_group_loops(plan, kept_processes(plan), loops);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_THAT(groups[0].agreeing, ElementsAre(1, 2));
  EXPECT_THAT(groups[0].differing, ElementsAre(0, 3));
  ASSERT_EQ(groups[0].loops.size(), 1u);
  const auto& summary = groups[0].loops[0];
  EXPECT_EQ(summary.first.iterations.size(), 10u);
  EXPECT_EQ(summary.shortest, 10u);
  EXPECT_EQ(summary.longest, 12u);
  EXPECT_DOUBLE_EQ(summary.share, 0.11);
}

TEST(ProcessLoops, AgreesOnTheSamePlaceOnly) {
  const auto plan = plan_of({{0, 0}, {1, 0}, {2, 0}});
  auto elsewhere = loop(1, 0, 10, 10);
  elsewhere.path = {7};
  EXPECT_THAT(summarize_group_loops(plan, kept_processes(plan),
                                    {process({loop(1, 0, 10, 10)}), process({elsewhere}),
                                     process({loop(1, 0, 10, 10)})})[0]
                  .differing,
              ElementsAre(1));

  EXPECT_THAT(summarize_group_loops(plan, kept_processes(plan),
                                    {process({}), process({}), process({loop(1, 0, 10, 10)})})[0]
                  .loops,
              IsEmpty());
}

}  // namespace tracefold::choose_loops_test
