#include "filters/iterations/align_loops.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::align_loops_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Iterations of 10 ticks each, one behind the other.
Loop loop(std::uint64_t begin, std::size_t iterations) {
  Loop out;
  for (std::size_t k = 0; k < iterations; ++k)
    out.iterations.push_back({begin + 10 * k, begin + 10 * k + 10});
  return out;
}

ProcessLoops with(std::vector<Loop> loops) {
  return {std::move(loops), 0, 1000, std::nullopt};
}

// Processes 0, 1, 2, ...; the k-th entry says how many the k-th process stands for, 0 where it is
// not kept.
Plan plan_of(std::vector<std::size_t> standing) {
  Plan plan;
  plan.representatives.emplace();
  for (auto count : standing) {
    const auto first = plan.processes.size();
    plan.processes.emplace_back().id = first;
    if (count == 0)
      continue;
    plan.processes.back().weight = count;
    plan.representatives->push_back({0, first, {first}, ""});
  }

  return plan;
}

TEST(AlignedLoops, AreThoseOfMostProcessesThatAreStoodFor) {
  const auto loops =
      std::vector{with({loop(0, 5)}), with({loop(0, 5)}), with({loop(0, 7)}), with({})};
  EXPECT_THAT(find_aligned_processes(plan_of({1, 1, 1, 9}), loops), ElementsAre(0, 1));
  EXPECT_THAT(find_aligned_processes(plan_of({1, 1, 3, 9}), loops), ElementsAre(2));
  EXPECT_THAT(find_aligned_processes(plan_of({1, 0, 1, 9}), loops), ElementsAre(0))
      << "ties go to the first";
}

TEST(AlignedLoops, NeedTheSameNumberOfLoops) {
  const auto loops = std::vector{with({loop(0, 5), loop(100, 4)}), with({loop(0, 5)}),
                                 with({loop(0, 5), loop(100, 4)})};
  EXPECT_THAT(find_aligned_processes(plan_of({1, 1, 1}), loops), ElementsAre(0, 2));
}

TEST(AlignedLoops, RunAtOneTime) {
  const auto loops = std::vector{with({loop(0, 5)}), with({loop(24, 5)}), with({loop(26, 5)})};
  EXPECT_THAT(find_aligned_processes(plan_of({1, 1, 1}), loops), ElementsAre(0, 1))
      << "the last one is beside the first for most of the time";
}

TEST(AlignedLoops, AreNoneWithoutLoops) {
  EXPECT_THAT(find_aligned_processes(plan_of({1, 1}), {with({}), with({})}), IsEmpty());
}

TEST(AlignedLoops, AreOfAllProcessesWhereNoneWereChosen) {
  auto plan = plan_of({1, 1});
  plan.representatives.reset();
  EXPECT_THAT(find_aligned_processes(plan, {with({loop(0, 5)}), with({loop(0, 5)})}),
              ElementsAre(0, 1));
}

// A loop that was found, and how sure it is.
ProcessLoops found_with(double confidence) {
  auto one = loop(0, 5);
  one.source = LoopSource::sequence;
  one.confidence = confidence;
  return with({one});
}

Plan one_group(std::size_t processes) {
  Plan plan = plan_of(std::vector<std::size_t>(processes, 0));
  plan.groups.emplace(1);
  for (std::size_t p = 0; p < processes; ++p)
    plan.groups->front().members.push_back(p);
  return plan;
}

TEST(UnsureLoops, AreJudgedByTheMeanOverTheirGroup) {
  const auto plan = one_group(3);
  std::vector loops{found_with(0.05), found_with(0.12), found_with(0.16)};
  EXPECT_THAT(remove_unsure_loops(plan, loops), IsEmpty());

  loops = {found_with(0.05), found_with(0.05), found_with(0.16)};
  EXPECT_EQ(remove_unsure_loops(plan, loops).size(), 1U);
  for (const auto& process : loops)
    EXPECT_THAT(process.loops, IsEmpty());
}

// A loop of so many iterations in a call, told by another one.
Loop loop_in(FunctionIndex caller, FunctionIndex function, std::size_t iterations) {
  auto out = loop(0, iterations);
  out.path = {caller};
  out.function = function;
  return out;
}

TEST(SameLoop, HasTheCallPathAndAsManyIterations) {
  const std::vector other{loop_in(1, 2, 32), loop_in(1, 3, 6)};
  EXPECT_EQ(find_same_loop({loop_in(1, 2, 32), loop_in(1, 3, 6)}, other, 1), 1u);
  EXPECT_EQ(find_same_loop({loop_in(1, 3, 6)}, other, 1), 0u);
  EXPECT_EQ(find_same_loop({loop_in(4, 5, 6), loop_in(1, 3, 6)}, other, 1), 1u)
      << "the number alone tells less than the call path";
  EXPECT_EQ(find_same_loop({loop_in(4, 5, 6)}, other, 1), 0u)
      << "a program may have several ways to do the same";
}

TEST(SameLoop, MayOnlyBeLonger) {
  const std::vector other{loop_in(1, 2, 32)};
  EXPECT_EQ(find_same_loop({loop_in(1, 2, 40)}, other, 0), 0u);
  EXPECT_FALSE(find_same_loop({loop_in(1, 3, 6)}, other, 0)) << "it is told by another call";
  EXPECT_FALSE(find_same_loop({loop_in(4, 2, 6)}, other, 0)) << "it is in another call";
  EXPECT_FALSE(find_same_loop(std::vector<Loop>{}, other, 0));
}

TEST(SameLoop, IsNotToldByItsNumberWhereLengthsAreAllThatIsKnown) {
  EXPECT_EQ(find_same_loop(std::vector<std::size_t>{32, 6}, 1, 6), 1u);
  EXPECT_EQ(find_same_loop(std::vector<std::size_t>{6}, 1, 6), 0u);
  EXPECT_FALSE(find_same_loop(std::vector<std::size_t>{6}, 0, 32));
}

}  // namespace tracefold::align_loops_test
