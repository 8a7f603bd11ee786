#include "filters/iterations/align_loops.hpp"

#include <gmock/gmock.h>

namespace tracefold {
namespace {

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

// Processes 0, 1, 2, …; the k-th entry says how many the k-th process stands for, 0 where it is not
// kept.
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

}  // namespace
}  // namespace tracefold
