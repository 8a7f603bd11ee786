// Streams of iterations like those of the applications in dynamics 3.2 and Appendix B:
// whether what is known of them is found.
#include "filters/iterations/errors/iteration_errors.hpp"
#include "filters/iterations/process_clusters.hpp"
#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace tracefold::iteration_streams_test {

using testing::MadeProcess;
using testing::mpi_columns;
using testing::Shape;
using ShapeOf = std::function<Shape(std::uint32_t iteration)>;

struct Clustered {
  std::vector<std::uint32_t> of;
  ErrorSummary errors;
  bool strong = true;
  std::size_t classes = 0;
};

Clustered cluster(std::uint32_t iterations, std::size_t most, double noise, const ShapeOf& shape) {
  MadeProcess process(25, 11, noise);
  ProcessClusters clusters(mpi_columns(), {most, {}, false});
  std::vector<CallPathProfile> profiles;
  for (std::uint32_t i = 0; i < iterations; ++i)
    clusters.add(profiles.emplace_back(process.iteration(shape(i))));

  Clustered result{clusters.number_clusters(),
                   {},
                   clusters.equivalence() == CallTreeEquivalence::strong,
                   clusters.classes()};

  const auto& form = clusters.form();
  IterationErrors errors(form, iterations);

  for (std::uint32_t i = 0; i < iterations; ++i) {
    const auto& stand_in = *clusters.profiles()[result.of[i]];
    std::vector<Wide> original(form.size()), sums(form.size());
    form.condense(form.column_sums(profiles[i]), original);
    form.condense(form.column_sums(stand_in), sums);
    errors.add(i, original, sums, stand_in.iterations());
  }

  result.errors = summarize_errors(errors.figures());

  return result;
}

// No cluster has iterations of both kinds.
bool apart(const Clustered& clustered, const std::function<bool(std::uint32_t)>& kind) {
  std::map<std::uint32_t, bool> seen;
  for (std::uint32_t i = 0; i < clustered.of.size(); ++i)
    if (seen.try_emplace(clustered.of[i], kind(i)).first->second != kind(i))
      return false;
  return true;
}

TEST(IterationStreams, SteadyOnesLoseNothing) {
  const auto steady = cluster(500, 8, 0, [](auto) { return Shape{}; });
  EXPECT_EQ(steady.errors.mean, 0);
  EXPECT_TRUE(steady.errors.counts_exact);
}

TEST(IterationStreams, NoiseAroundASteadyLevelIsLessThanItself) {
  const auto noisy = cluster(500, 16, 0.05, [](auto) { return Shape{}; });
  EXPECT_LT(noisy.errors.mean, 0.01);
  EXPECT_TRUE(noisy.errors.counts_exact);
}

TEST(IterationStreams, DriftBecomesIntervals) {
  const auto drifting = cluster(400, 16, 0, [](auto i) {
    return Shape{1 + 0.005 * i, 1, 1, false};
  });
  EXPECT_TRUE(std::is_sorted(drifting.of.begin(), drifting.of.end()));
  EXPECT_LT(drifting.errors.mean, 0.02);
}

TEST(IterationStreams, PeriodicPeaksStayPeaks) {
  const auto peak = [](std::uint32_t i) { return i % 20 == 0; };
  for (const std::size_t most : {8u, 64u})
    EXPECT_TRUE(apart(cluster(600, most, 0.02,
                              [&](auto i) {
                                return Shape{peak(i) ? 3.0 : 1.0, 1, 1, false};
                              }),
                      peak));
}

TEST(IterationStreams, ASuddenChangeIsNotBlurred) {
  const auto late = [](std::uint32_t i) { return i >= 500; };
  for (const std::size_t most : {8u, 64u})
    EXPECT_TRUE(apart(cluster(1000, most, 0.02,
                              [&](auto i) {
                                return Shape{1, late(i) ? 1.3 : 1.0, 1, false};
                              }),
                      late));
}

TEST(IterationStreams, AnExtraCallPathIsAClassOfItsOwn) {
  const auto extra = [](std::uint32_t i) { return i % 10 == 3; };
  const auto clustered = cluster(300, 4, 0.3, [&](auto i) { return Shape{1, 1, 1, extra(i)}; });
  EXPECT_EQ(clustered.classes, 2u);
  EXPECT_TRUE(clustered.strong);
  EXPECT_TRUE(apart(clustered, extra));
  EXPECT_TRUE(clustered.errors.counts_exact);
}

TEST(IterationStreams, MessageCountsThatAlwaysChangeTurnClassesWeak) {
  const auto clustered = cluster(600, 64, 0.02, [](auto i) {
    return Shape{1, 1, 10 + i % 40, false};
  });
  EXPECT_FALSE(clustered.strong);
  EXPECT_EQ(clustered.classes, 1u);
  EXPECT_LT(clustered.errors.count_mean, 0.02);
}

TEST(IterationStreams, GrowingImbalanceIsFollowedOnEachProcess) {
  for (const double growth : {0.0, 0.001, 0.002}) {
    const auto clustered = cluster(200, 32, 0.01, [&](auto i) {
      return Shape{1 + growth * i, 2 - growth * i, 1, false};
    });
    EXPECT_LT(clustered.errors.mean, 0.01) << growth;
  }
}

TEST(IterationStreams, AMovingHotSpotIsFoundOnTheProcessItVisits) {
  const auto hot = [](std::uint32_t i) { return i / 25 % 8 == 3; };
  EXPECT_TRUE(apart(cluster(800, 16, 0.02,
                            [&](auto i) {
                              return Shape{1, 1, hot(i) ? 20u : 1u, false};
                            }),
                    hot));

  EXPECT_TRUE(apart(cluster(800, 16, 0.02,
                            [&](auto i) {
                              return Shape{1, hot(i) ? 2.5 : 1.0, 1, false};
                            }),
                    hot));
}

}  // namespace tracefold::iteration_streams_test
