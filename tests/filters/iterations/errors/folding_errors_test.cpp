#include "filters/iterations/errors/folding_errors.hpp"

#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

namespace tracefold::folding_errors_test {

using ::testing::ElementsAre;

const MetricColumns columns{{Metric::execution_time, Metric::visits, Metric::sends}, {}};

// Two call paths; the second is visited where it sends.
const std::vector<Function> functions{{"solve", "", "", 0}, {"exchange", "", "", 0}};
const std::vector<CallPath> paths{{no_path, 0}, {0, 1}};

CallPathProfile iteration(std::uint64_t time, std::uint64_t sends) {
  if (sends == 0)
    return testing::profile_of({{0, PathKind::usr, {time, 1, 0}}});
  return testing::profile_of(
      {{0, PathKind::usr, {time, 1, 0}}, {1, PathKind::mpi, {10, sends, sends}}});
}

LoopFoldingErrors::Figures measured(const std::vector<std::vector<CallPathProfile>>& processes,
                                    const KeptIterations& kept, std::size_t clusters) {
  ClusterOptions options;
  options.max_clusters = clusters;
  const std::vector<MeasuredChoice> choices{{&kept, options}};
  LoopFoldingErrors all(columns, choices);

  for (const auto& process : processes) {
    ProcessFoldingErrors one(columns, choices);
    for (std::size_t i = 0; i < process.size(); ++i)
      one.first(i, process[i]);
    one.begin_second_round();
    for (std::size_t i = 0; i < process.size(); ++i)
      one.second(i, process[i]);
    all.add(one, paths);
  }

  return all.figures(functions)[0];
}

TEST(LoopFoldingErrors, IsPerfectWhereAllStay) {
  const auto figures = measured({{iteration(5, 1), iteration(9, 0), iteration(7, 2)}},
                                {{0, 1, 2}, {1, 1, 1}, {0, 1, 2}, {0, 1, 2}, 3, 3, {}}, 3);
  for (const auto& f : {figures.kept, figures.own_clusters.value()}) {
    EXPECT_EQ(f.mean, 0);
    EXPECT_EQ(f.maximum, 0);
    EXPECT_TRUE(f.counts_exact);
    EXPECT_EQ(f.times_above[0], 0);
    EXPECT_EQ(f.phantoms, 0u);
    EXPECT_EQ(f.call_paths, 5u);
  }
}

TEST(LoopFoldingErrors, TellsTheErrorOfWhatStandsForAnIteration) {
  // Iteration 1, of 20 ticks, is stood for by iteration 0, of 10: an error of 1/2, in one of two
  // iterations.
  const auto figures =
      measured({{iteration(10, 0), iteration(20, 0)}}, {{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}}, 1);
  EXPECT_DOUBLE_EQ(figures.kept.mean, 0.25 / 2)
      << "over two metrics that are not 0: time and visits";
  EXPECT_TRUE(figures.kept.counts_exact);

  // The cluster's mean is 15: errors of 1/2 and 1/4.
  EXPECT_DOUBLE_EQ(figures.own_clusters.value().mean, 0.375 / 2);
  EXPECT_DOUBLE_EQ(figures.kept.times_above[0], 0.5);
  EXPECT_DOUBLE_EQ(figures.own_clusters.value().times_above[0], 1);
}

TEST(LoopFoldingErrors, TellsWhichFunctionsDifferMost) {
  // Of 90 ticks; exchange is only in the iteration that stands for another one.
  const auto figures =
      measured({{iteration(10, 1), iteration(30, 0)}, {iteration(10, 0), iteration(30, 0)}},
               {{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}}, 1);
  const FunctionError solve{"solve", TimeKind::computation, 40. / 90};
  const FunctionError exchange{"exchange", TimeKind::computation, 10. / 90};
  EXPECT_THAT(figures.kept.functions.value(), ElementsAre(solve, exchange));
  EXPECT_FALSE(figures.own_clusters.value().functions) << "they are not looked at";
}

TEST(LoopFoldingErrors, FindsPhantomsAndCountsThatAreNotMet) {
  const auto figures =
      measured({{iteration(10, 3), iteration(10, 0)}}, {{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}}, 2);
  EXPECT_EQ(figures.kept.phantoms, 1u);
  EXPECT_EQ(figures.kept.mpi_phantoms, 1u);
  EXPECT_FALSE(figures.kept.counts_exact);
  EXPECT_EQ(figures.own_clusters.value().phantoms, 0u);
}

TEST(LoopFoldingErrors, ComparesMeanAndMaximumOverProcesses) {
  // What one process has more in iteration 1 the other has less: the mean is met, the maximum is
  // not.
  const auto figures =
      measured({{iteration(10, 0), iteration(20, 0)}, {iteration(30, 0), iteration(20, 0)}},
               {{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}}, 1);
  EXPECT_DOUBLE_EQ(figures.kept.mean, 0);
  EXPECT_DOUBLE_EQ(figures.kept.maximum, 0.25 / 2);
}

// The first process stands for the second.
FoldingErrors measure_both(const KeptIterations& kept, IterationWindow window,
                           const std::vector<std::vector<CallPathProfile>>& processes) {
  const CondensedForm condensed(columns);
  const std::vector<MeasuredChoice> choices{{&kept, {}}};
  const auto iterations = processes[0].size();
  AllFoldingErrors errors(columns, choices, iterations);
  std::vector<JointProcess> joint{{condensed, 4}, {condensed, 9}};
  joint[1].give_to(joint[0]);

  for (; window.first < iterations; window.first += window.size) {
    JointTotals totals(condensed, iterations, TotalsDetail::measuring, window, errors.list_kept());
    for (std::size_t p = 0; p < processes.size(); ++p)
      for (std::size_t i = 0; i < iterations; ++i)
        totals.add(i, joint[p], WideSums(condensed.column_sums(processes[p][i])));
    errors.add(totals);
  }

  return errors.figures(processes.size())[0];
}

TEST(AllFoldingErrors, TellWhatFoldingProcessesAndIterationsCost) {
  const KeptIterations kept{{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}};
  const auto figures = measure_both(
      kept, {0, 2}, {{iteration(10, 0), iteration(15, 0)}, {iteration(20, 0), iteration(30, 0)}});
  EXPECT_EQ(figures.processes, 2u);
  // Iteration 0 has 20 instead of 30, iteration 1 has 20 instead of 45.
  EXPECT_DOUBLE_EQ(figures.all.time_mean, (1 / 3.0 + 25 / 45.0) / 2);
  EXPECT_DOUBLE_EQ(figures.all.time_by_sum, 35 / 75.0);
  // 10 for 20, 15 for 30.
  EXPECT_DOUBLE_EQ(figures.all.time_maximum, (0.5 + 20 / 30.0) / 2);
  EXPECT_DOUBLE_EQ(figures.of_processes.time_mean, 1 / 3.0);
  EXPECT_DOUBLE_EQ(figures.of_iterations.time_mean, (0 + 1 / 3.0) / 2);
  EXPECT_TRUE(figures.all.counts_exact);
}

TEST(AllFoldingErrors, SeeCountsThatOnlyOneProcessMisses) {
  // Both processes together send as much in either iteration.
  const KeptIterations kept{{0}, {2}, {0, 0}, {0, 0}, 1, 1, {}};
  const auto figures = measure_both(
      kept, {0, 2}, {{iteration(10, 1), iteration(10, 2)}, {iteration(10, 2), iteration(10, 1)}});
  EXPECT_FALSE(figures.all.counts_exact);
  EXPECT_FALSE(figures.of_processes.counts_exact);
  EXPECT_FALSE(figures.of_iterations.counts_exact);
  EXPECT_EQ(figures.of_iterations.count_mean, 0);
}

TEST(AllFoldingErrors, AreThoseOfKeptProcessesWhereAllAreKept) {
  const ErrorSummary of_kept{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, false};
  const auto errors = make_folding_errors(of_kept, 3);
  EXPECT_EQ(errors.processes, 3u);
  EXPECT_EQ(errors.all, of_kept);
  EXPECT_EQ(errors.of_iterations, of_kept);
  EXPECT_EQ(errors.of_processes, ErrorSummary{});
}

TEST(AllFoldingErrors, AreTheSameInWindows) {
  const KeptIterations kept{{0, 2}, {2, 1}, {0, 0, 1}, {0, 0, 1}, 2, 1, {}};
  const std::vector<std::vector<CallPathProfile>> processes{
      {iteration(10, 0), iteration(15, 1), iteration(7, 2)},
      {iteration(20, 2), iteration(30, 0), iteration(8, 2)}};
  const auto figures = measure_both(kept, {0, 3}, processes);
  EXPECT_FALSE(figures.all.counts_exact);
  EXPECT_EQ(measure_both(kept, {0, 1}, processes), figures);
  EXPECT_EQ(measure_both(kept, {0, 2}, processes), figures);
}

TEST(LoopFoldingErrors, TakesIterationsInWhichAProcessDidNothing) {
  const CallPathProfile nothing;
  const auto figures = measured({{nothing, iteration(10, 0), nothing}},
                                {{0, 1, 2}, {1, 1, 1}, {0, 1, 2}, {0, 1, 2}, 3, 2, {}}, 3);
  EXPECT_EQ(figures.kept.mean, 0);
  EXPECT_EQ(figures.own_clusters.value().mean, 0);
  EXPECT_EQ(figures.kept.call_paths, 1u);
}

TEST(LoopFoldingErrors, IsTheSameInWindowsOfAnyLength) {
  constexpr std::size_t iterations = 23;
  std::vector<std::vector<CallPathProfile>> processes(3);
  for (std::size_t p = 0; p < processes.size(); ++p)
    for (std::size_t i = 0; i < iterations; ++i)
      processes[p].push_back(iteration(10 + i * 7919 % (31 + p), i % 4));

  KeptIterations kept{{0, 5, 22}, {}, {}, {}, 3, 4, {}};
  for (std::size_t i = 0; i < iterations; ++i)
    kept.kept_of.push_back(i == 22 ? 2 : i < 5 ? 0 : 1);

  const std::vector<MeasuredChoice> choices{{&kept, ClusterOptions{}}};

  const auto in_windows = [&](std::size_t length) {
    LoopFoldingErrors all(columns, choices, {0, length});

    for (IterationWindow window{0, length}; window.first < iterations; window.first += length) {
      if (window.first > 0)
        all.begin(window);

      for (const auto& process : processes) {
        ProcessFoldingErrors one(columns, choices, window);
        for (std::size_t i = 0; i < iterations; ++i)
          one.first(i, process[i]);
        one.begin_second_round();
        for (std::size_t i = 0; i < iterations; ++i)
          one.second(i, process[i]);
        all.add(one, paths);
      }
    }

    return all.figures(functions)[0];
  };

  const auto whole = in_windows(iterations);
  EXPECT_GT(whole.kept.mean, 0);
  EXPECT_GT(whole.kept.phantoms, 0u);
  EXPECT_EQ(whole.kept.functions.value().size(), 2u);

  for (const std::size_t length : {1, 2, 7, 22, 100}) {
    const auto parted = in_windows(length);
    for (const auto& [a, b] :
         {std::pair(parted.kept, whole.kept),
          std::pair(parted.own_clusters.value(), whole.own_clusters.value())}) {
      EXPECT_EQ(a.mean, b.mean) << length;
      EXPECT_EQ(a.maximum, b.maximum) << length;
      EXPECT_EQ(a.counts_exact, b.counts_exact) << length;
      EXPECT_EQ(a.times_above, b.times_above) << length;
      EXPECT_EQ(a.call_paths, b.call_paths) << length;
      EXPECT_EQ(a.phantoms, b.phantoms) << length;
      EXPECT_EQ(a.functions, b.functions) << length;
    }
  }
}

}  // namespace tracefold::folding_errors_test
