#include "filters/iterations/cluster_iterations.hpp"

#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>

namespace tracefold::cluster_iterations_test {

using ::testing::ElementsAre;
using testing::profile_of;

const MetricColumns columns{{Metric::execution_time, Metric::visits}, {}};

// One call path per iteration, with these times.
IterationSeries series_of(const std::vector<std::uint64_t>& times, std::uint64_t visits = 1) {
  SeriesRecorder recorder(columns, false);
  for (auto time : times)
    recorder.add(profile_of({{0, {}, {time, visits}}}));
  return std::move(recorder).take();
}

void expect_whole(const KeptIterations& kept, std::size_t iterations) {
  ASSERT_EQ(kept.kept_of.size(), iterations);
  EXPECT_EQ(kept.kept.front(), 0u);
  EXPECT_EQ(kept.kept.back(), iterations - 1);
  EXPECT_EQ(std::accumulate(kept.counts.begin(), kept.counts.end(), std::uint64_t{0}), iterations);
  EXPECT_LE(kept.kept.size(), kept.clusters + 2);
  for (std::size_t k = 0; k < kept.kept.size(); ++k)
    EXPECT_EQ(kept.kept_of[kept.kept[k]], k);
}

TEST(JointIterations, AreNoneWithoutProcessesOrIterations) {
  EXPECT_TRUE(choose_iterations({}, columns).kept.empty());
  const std::vector<IterationSeries> empty(2);
  EXPECT_TRUE(choose_iterations(empty, columns).kept.empty());
}

TEST(JointIterations, KeepTheOnlyOne) {
  const std::vector<IterationSeries> processes{series_of({5})};
  const auto kept = choose_iterations(processes, columns, {1, {}, false});
  EXPECT_THAT(kept.kept, ElementsAre(0));
  EXPECT_THAT(kept.counts, ElementsAre(1));
}

// All in one cluster: the median of the times is 30, of iteration 3.
TEST(JointIterations, KeepMedoidFirstAndLast) {
  const std::vector<IterationSeries> processes{series_of({10, 50, 20, 30, 60})};
  const auto kept = choose_iterations(processes, columns, {1, {}, false});
  EXPECT_THAT(kept.kept, ElementsAre(0, 3, 4));
  EXPECT_THAT(kept.counts, ElementsAre(1, 3, 1));
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 1, 1, 2));
  EXPECT_EQ(kept.clusters, 1u);
}

TEST(JointIterations, KeepThoseThatAreAskedForForThemselves) {
  const std::vector<IterationSeries> processes{series_of({10, 50, 20, 30, 60})};
  const auto kept = choose_iterations(processes, columns, {1, {}, false}, {1, 4, 99});
  EXPECT_THAT(kept.kept, ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(kept.counts, ElementsAre(1, 1, 2, 1));
  EXPECT_THAT(choose_iterations(processes, columns, {1, {}, false}, {3}).counts,
              ElementsAre(1, 3, 1))
      << "a medoid that is asked for still stands for the others";
}

TEST(JointIterations, OfEqualIterationsKeepTheEarliest) {
  const std::vector<IterationSeries> processes{series_of({7, 7, 7, 7, 7}),
                                               series_of({9, 9, 9, 9, 9})};
  EXPECT_THAT(choose_iterations(processes, columns, {1, {}, false}).kept, ElementsAre(0, 4));
}

// The medoid by definition, on random series of processes that differ in speed: their sum, and with
// a sixteenth of its weight all of them. Visits are the same in all iterations.
TEST(JointIterations, KeepWhatIsNearestToAllOthers) {
  std::mt19937_64 random(5);
  std::vector<std::vector<std::uint64_t>> times(3, std::vector<std::uint64_t>(101));
  std::vector<std::uint64_t> together(101);
  std::vector<IterationSeries> processes;
  std::uint64_t ticks = 1;

  for (auto& of : times) {
    for (std::size_t i = 0; i < of.size(); ++i) {
      of[i] = random() % 1000 * ticks;
      together[i] += of[i];
    }
    ticks *= 100;
    processes.push_back(series_of(of));
  }

  std::vector<double> costs(101);
  const auto add_costs = [&](const std::vector<std::uint64_t>& of, double weight) {
    const auto mean =
        static_cast<double>(std::accumulate(of.begin(), of.end(), std::uint64_t{0})) / 101;
    for (std::size_t a = 0; a < 101; ++a)
      for (std::size_t b = 0; b < 101; ++b)
        costs[a] +=
            weight * std::abs(static_cast<double>(of[a]) - static_cast<double>(of[b])) / mean;
  };
  add_costs(together, 1);
  for (const auto& of : times)
    add_costs(of, 1.0 / 16 / 3);

  const auto medoid =
      static_cast<std::uint32_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  EXPECT_THAT(choose_iterations(processes, columns, {1, {}, false}).kept,
              ElementsAre(0, medoid, 100));
}

// What others do decides which of iterations is kept that look the same here.
TEST(JointIterations, MeetTheTotalsOfProcessesThatAreNotKept) {
  const std::vector<IterationSeries> processes{series_of({10, 10, 10, 10, 10, 10, 10, 10})};
  const std::vector<double> times{40, 40, 90, 40, 90, 90, 40, 90};
  std::vector<double> totals;
  for (auto time : times) {
    totals.push_back(time);
    totals.push_back(8);  // visits
  }

  const auto kept = choose_iterations(processes, columns, {2, {}, false}, {}, totals);
  EXPECT_THAT(kept.cluster_of, ElementsAre(0, 0, 1, 0, 1, 1, 0, 1));
  EXPECT_EQ(choose_iterations(processes, columns, {2, {}, false}).clusters, 1u);
}

TEST(JointIterations, AreNoMoreThanMeetAllExactly) {
  const std::vector<IterationSeries> processes{series_of({5, 9, 5, 9, 5, 9, 5, 9, 5, 9})};
  const auto kept = choose_iterations(processes, columns, {8, {}, false});
  EXPECT_EQ(kept.clusters, 2u);
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 2));
}

TEST(JointIterations, WeighProcessesByTheirOwnMeans) {
  // On the fast process the peaks at 3 and 7 are as large as those at 5 on the slow one.
  const std::vector<IterationSeries> processes{
      series_of({10, 10, 10, 40, 10, 10, 10, 40, 10, 10}),
      series_of({1000, 1000, 1000, 1000, 1000, 4000, 1000, 1000, 1000, 1000})};
  const auto of = choose_iterations(processes, columns, {3, {}, false}).cluster_of;
  EXPECT_EQ(of[3], of[7]);
  EXPECT_EQ(std::set<std::uint32_t>({of[0], of[3], of[5]}).size(), 3u);
}

TEST(JointIterations, AreOfOneClassWhereEachProcessIs) {
  SeriesRecorder one(columns, false), other(columns, false);
  for (std::uint32_t i = 0; i < 24; ++i) {
    one.add(profile_of({{i % 2, {}, {10, 1}}}));
    other.add(profile_of({{i % 3, {}, {10, 1}}}));
  }

  const std::vector<IterationSeries> processes{std::move(one).take(), std::move(other).take()};
  const auto kept = choose_iterations(processes, columns, {6, {}, false});
  EXPECT_EQ(kept.classes, 6u);
  EXPECT_EQ(kept.clusters, 6u);
  EXPECT_EQ(kept.equivalence, CallTreeEquivalence::weak);
  for (std::uint32_t i = 0; i < 24; ++i)
    EXPECT_EQ(kept.cluster_of[i], i % 6);

  expect_whole(kept, 24);
}

// Tasks hardly ever have the call tree of another one. Those that are alike still are one cluster.
TEST(JointIterations, AreNoMoreThanWantedWhereThereAreMoreCallTrees) {
  constexpr std::uint32_t iterations = 120;
  const auto get_time = [](std::uint32_t i) { return std::uint64_t{10} + 30 * (i % 4); };

  SeriesRecorder recorder(columns, false);
  for (std::uint32_t i = 0; i < iterations; ++i)
    recorder.add(profile_of({{i, {}, {get_time(i), 1}}}));
  const std::vector<IterationSeries> processes{std::move(recorder).take()};

  const auto kept = choose_iterations(processes, columns, {4, {}, false});
  EXPECT_EQ(kept.classes, iterations);
  EXPECT_EQ(kept.equivalence, CallTreeEquivalence::merged);
  EXPECT_EQ(kept.clusters, 4u);
  expect_whole(kept, iterations);
  for (std::uint32_t i = 0; i < iterations; ++i)
    EXPECT_EQ(get_time(kept.kept[kept.kept_of[i]]), get_time(i)) << i;
}

TEST(JointIterations, AreOneClusterWhereNoMoreIsWanted) {
  SeriesRecorder recorder(columns, false);
  for (std::uint32_t i = 0; i < 9; ++i)
    recorder.add(profile_of({{i, {}, {10, 1}}}));
  const std::vector<IterationSeries> processes{std::move(recorder).take()};
  const auto kept = choose_iterations(processes, columns, {1, {}, false});
  EXPECT_EQ(kept.clusters, 1u);
  expect_whole(kept, 9);
}

TEST(JointIterations, FollowAMovingHotSpot) {
  constexpr std::uint32_t count = 8, iterations = 400;
  std::vector<IterationSeries> processes;

  for (std::uint32_t p = 0; p < count; ++p) {
    testing::MadeProcess process(25, p, 0.02);
    SeriesRecorder recorder(testing::mpi_columns(), false);
    for (std::uint32_t i = 0; i < iterations; ++i)
      recorder.add(process.iteration({1, i / 10 % count == p ? 3.0 : 1.0, 1, false}));
    processes.push_back(std::move(recorder).take());
  }

  const auto kept = choose_iterations(processes, testing::mpi_columns(), {16, {}, false});
  expect_whole(kept, iterations);
  std::vector<std::uint32_t> hot(kept.clusters, count);

  for (std::uint32_t i = 0; i < iterations; ++i) {
    auto& of = hot[kept.cluster_of[i]];
    if (of == count)
      of = i / 10 % count;
    EXPECT_EQ(of, i / 10 % count) << i;
  }
}

TEST(JointIterations, AreWholeOnAnyStream) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t iterations = 1 + random() % 100;
    std::vector<IterationSeries> processes;

    for (std::size_t p = 0; p < 1 + seed % 4; ++p) {
      SeriesRecorder recorder(columns, seed % 5 == 0);
      for (std::size_t i = 0; i < iterations; ++i)
        recorder.add(profile_of(
            {{static_cast<std::uint32_t>(random() % 3),
              PathKind::mpi,
              {random() % 4 == 0 ? ~std::uint64_t{0} : random() % 50, 1 + random() % 2}}}));

      processes.push_back(std::move(recorder).take());
    }

    const ClusterOptions options{1 + random() % 20, {}, false};
    const auto kept = choose_iterations(processes, columns, options);
    expect_whole(kept, iterations);
    const auto most = std::min(iterations, options.max_clusters);
    EXPECT_LE(kept.clusters, most);
    EXPECT_GE(kept.clusters, std::min(most, kept.classes));
    EXPECT_EQ(choose_iterations(processes, columns, options).kept_of, kept.kept_of);
  }
}

// One call path per iteration, of these numbers.
IterationSeries series_on_paths(const std::vector<PathIndex>& paths) {
  SeriesRecorder recorder(columns, false);
  for (auto path : paths)
    recorder.add(profile_of({{path, {}, {10, 1}}}));
  return std::move(recorder).take();
}

LoopRule make_rule(std::vector<std::uint32_t> kept, std::vector<std::uint32_t> kept_of) {
  return {{"main"}, "step", 0, std::move(kept), std::move(kept_of), {}};
}

TEST(SameIterations, AreThoseOfTheOtherRun) {
  const std::vector<IterationSeries> processes{series_of({10, 50, 20, 30, 60})};
  const auto kept =
      choose_same_iterations(processes, columns, {}, make_rule({0, 1, 4}, {0, 1, 1, 1, 2}));
  EXPECT_THAT(kept.kept, ElementsAre(0, 1, 4));
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 1, 1, 2));
  EXPECT_THAT(kept.counts, ElementsAre(1, 3, 1));
}

TEST(SameIterations, OfAShorterLoopAreThoseThatThereAre) {
  const std::vector<IterationSeries> processes{series_of({10, 50, 20})};
  const auto kept =
      choose_same_iterations(processes, columns, {}, make_rule({0, 3, 4}, {0, 1, 1, 1, 2}));
  EXPECT_THAT(kept.kept, ElementsAre(0, 2));
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 1)) << "nearest to 50 is 20";
}

TEST(SameIterations, OfALongerLoopStandForTheNearestOfTheRest) {
  const std::vector<IterationSeries> processes{series_of({9, 10, 50, 60, 11, 52, 50})};
  const auto kept =
      choose_same_iterations(processes, columns, {}, make_rule({0, 1, 2, 3}, {0, 1, 2, 3}));
  EXPECT_THAT(kept.kept, ElementsAre(0, 1, 2, 3, 6));
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 2, 3, 1, 2, 4)) << "the ends stand for themselves";
}

TEST(SameIterations, KeepOneMoreOfThoseThatCallSomethingElse) {
  const std::vector<IterationSeries> processes{series_on_paths({1, 1, 2, 2, 1})};
  const auto kept =
      choose_same_iterations(processes, columns, {}, make_rule({0, 1, 4}, {0, 1, 1, 1, 2}));
  EXPECT_THAT(kept.kept, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(kept.kept_of, ElementsAre(0, 1, 2, 2, 3));
  EXPECT_EQ(kept.equivalence, CallTreeEquivalence::strong);
}

TEST(SameIterations, StandForOtherCallsWhereThereAreMoreThanClusters) {
  const std::vector<IterationSeries> processes{series_on_paths({1, 2, 3, 4, 5, 1})};
  const auto kept = choose_same_iterations(processes, columns, {2, {}, false},
                                           make_rule({0, 1, 5}, {0, 1, 1, 1, 1, 2}));
  EXPECT_THAT(kept.kept, ElementsAre(0, 1, 5));
  EXPECT_EQ(kept.equivalence, CallTreeEquivalence::merged);
}

}  // namespace tracefold::cluster_iterations_test
