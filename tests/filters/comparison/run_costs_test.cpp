#include "filters/comparison/run_costs.hpp"

#include "filters/comparison/find_cause.hpp"
#include "tests/support/made_runs.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::run_costs_test {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Ranks that set up, and solve in a loop; what is on the critical path. Seconds.
ComparedRun make_run(std::size_t ranks, double setup, double solve, double network = 0) {
  const auto ticks = [](double seconds) { return static_cast<std::uint64_t>(seconds); };
  auto run = testing::make_run(
      std::vector<std::vector<testing::MadeCall>>(ranks, {{{"main"}, 0, 1},
                                                          {{"main", "setup"}, ticks(setup), 1},
                                                          {{"main", "solve"}, ticks(solve), 10}}));
  PlayedRun played;
  played.before = setup;
  played.in_loops = solve + network;
  played.run = setup + solve + network;
  played.network = network;
  played.iterations = 10;
  played.on_path = {{0, 0, solve}, {0, setup, 0}};
  run.run_time = played.run;
  run.played = played;
  return run;
}

std::string find_headline(const ComparedRun& a, const ComparedRun& b,
                          std::optional<Scaling> scaling = {}) {
  const auto runs = join_runs(a, b);
  auto out = compare_runs(runs, Measure::time);
  find_cause(runs, std::nullopt, out, scaling);
  return out.headline;
}

}  // namespace

TEST(RunCosts, SaysWhatAFunctionCostsAndInWhichPhase) {
  EXPECT_THAT(find_headline(make_run(4, 1, 10), make_run(4, 1, 15)),
              AllOf(StartsWith("solve takes 1.5 times as long"), HasSubstr("that costs 5.00 s")));
  EXPECT_THAT(find_headline(make_run(4, 3, 10), make_run(4, 1, 10)),
              AllOf(StartsWith("setup takes 67 % less time"),
                    HasSubstr("that saves 2.00 s before the main loop")));
}

TEST(RunCosts, NamesTheNetworkOnlyWhereTheSameMessagesTakeLonger) {
  EXPECT_THAT(find_headline(make_run(4, 1, 10, 1), make_run(4, 1, 10, 3)),
              StartsWith("the network holds B up for 3.00 s, A for 1.00 s, with the same messages; "
                         "that costs 2.00 s"));
}

// A run in which all call a barrier: what of the path is in `solve`, and on the network.
ComparedRun make_run_with_barriers(std::uint64_t barriers, double solve, double network) {
  std::vector<testing::MadeCall> rank{{{"main"}, 0, 1}, {{"main", "solve"}, 10, 10}};
  if (barriers > 0)
    rank.push_back({{"main", "MPI_Barrier"}, 1, barriers});
  auto run = testing::make_run(std::vector<std::vector<testing::MadeCall>>(4, rank));
  PlayedRun played;
  played.run = played.before = solve + network;
  played.network = network;
  played.on_path = {{0, 0, 0}, {0, solve, 0}};
  played.on_network = {{0, 0, 0}, {0, 0, network}};
  run.run_time = played.run;
  run.played = played;
  return run;
}

TEST(RunCosts, AreWhatTheNetworkTakesInACall) {
  EXPECT_THAT(find_headline(make_run_with_barriers(10, 10, 1), make_run_with_barriers(30, 10, 3)),
              AllOf(StartsWith("MPI_Barrier is called 3.0 times as often by main"),
                    HasSubstr("that costs 2.00 s")));
}

// Nothing computes less, but without barriers the slowest of all is another one less often.
TEST(RunCosts, AreAllOfTheDifferenceWhereOnlyCallsHaveChanged) {
  EXPECT_THAT(find_headline(make_run_with_barriers(10, 12, 0.1), make_run_with_barriers(0, 10, 0)),
              AllOf(StartsWith("MPI_Barrier is not called in B"), HasSubstr("that saves 2.10 s")));
}

TEST(RunCosts, OfFunctionsDoNotCountIterationsAgain) {
  auto a = make_run(4, 1, 10), b = make_run(4, 1, 30);
  b.played->iterations = 20;
  EXPECT_THAT(find_headline(a, b),
              AllOf(StartsWith("B has 20 iterations, A has 10"), HasSubstr("that costs 10.0 s")));
}

TEST(RunCosts, TakesWorkForTheKindOfScaling) {
  // Setup does not become shorter with twice the ranks.
  EXPECT_THAT(find_headline(make_run(4, 2, 10), make_run(8, 2, 5)),
              AllOf(StartsWith("B has 8 ranks, A has 4 (strong scaling, 0.86 of ideal)"),
                    HasSubstr("setup takes as long"), HasSubstr("that costs 1.00 s before")));
  EXPECT_THAT(find_headline(make_run(4, 2, 10), make_run(8, 3, 10)),
              AllOf(StartsWith("B has 8 ranks, A has 4 (weak scaling, 0.92 of ideal)"),
                    HasSubstr("that costs 1.00 s before")));
  EXPECT_THAT(find_headline(make_run(4, 2, 10), make_run(8, 2, 5), Scaling::weak),
              StartsWith("B has 8 ranks, A has 4 (weak scaling, 1.71 of ideal)"));
}

TEST(RunCosts, SaysNoCostsWhereARunWasNotPlayed) {
  auto b = make_run(4, 1, 15);
  b.played.reset();
  EXPECT_THAT(find_headline(make_run(4, 1, 10), b),
              AllOf(StartsWith("solve takes 1.5 times as long"), Not(HasSubstr("costs"))));
}

}  // namespace tracefold::run_costs_test
