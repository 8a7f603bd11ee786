#include "filters/iterations/process_clusters.hpp"

#include "base/error.hpp"
#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <array>
#include <set>

namespace tracefold::process_clusters_test {

using ::testing::ElementsAre;
using testing::MadeRow;
using testing::profile_of;

constexpr std::uint64_t huge = ~std::uint64_t{0};
const MetricColumns two_columns{{Metric::execution_time, Metric::visits}, {}};

// 0 where it is not held.
Wide value_of(const ProfileSums& profile, std::size_t row, std::size_t column) {
  for (auto place = profile.first(row); place < profile.end(row); ++place)
    if (profile.column(place) == column)
      return profile.value(place);
  return 0;
}

std::vector<PathRow> rows_of(const CallPathProfile& profile) {
  return profile.rows;
}

// Call paths, times and visits at random: few trees or many, with 0 and values near 2^64.
CallPathProfile any_profile(std::mt19937_64& random, std::uint32_t trees) {
  CallPathProfile profile;
  const auto tree = random() % trees;
  const std::uint64_t repeats = 1 + random() % 2;

  for (std::uint32_t path = 0; path < 6; ++path) {
    if (path > 0 && (tree >> (path - 1)) % 2 == 0)
      continue;

    const auto time = random() % 10;
    const std::array values{time == 0   ? huge - random() % 3
                            : time == 1 ? 0
                                        : 1000 + random() % 1000,
                            repeats};
    testing::add_row(profile, {path * 3, path % 2 ? PathKind::mpi : PathKind::usr}, values);
  }

  return profile;
}

TEST(ProcessClusters, KeepSumsPartitionAndLimitsOnAnyStream) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t most = 1 + random() % 12;
    const auto trees = static_cast<std::uint32_t>(1 + random() % (seed % 2 ? 4 : 32));
    ProcessClusters clusters(two_columns, {most, {}, false});
    std::vector<CallPathProfile> profiles;
    std::set<std::vector<std::uint32_t>> weak;
    ProfileSums all;

    for (int i = 0; i < 120; ++i) {
      profiles.push_back(any_profile(random, trees));
      clusters.add(profiles.back());
      all.add(ProfileSums(profiles.back()));
      std::vector<std::uint32_t> paths;
      for (const auto& row : profiles.back().rows)
        paths.push_back(static_cast<std::uint32_t>(row.path));

      weak.insert(paths);
      ASSERT_LE(clusters.size(), std::max(most, weak.size()));
    }

    const auto kept = clusters.profiles();
    const auto of = clusters.number_clusters();
    ASSERT_EQ(kept.size(), clusters.size());
    std::vector<ProfileSums> expected(kept.size());
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      ASSERT_EQ(kept.at(of[i])->rows(), rows_of(profiles[i])) << "a phantom call path";
      expected[of[i]].add(ProfileSums(profiles[i]));
    }

    for (std::size_t c = 0; c < kept.size(); ++c)
      ASSERT_TRUE(*kept[c] == expected[c]);

    ASSERT_TRUE(testing::add_up(clusters) == all);
    ASSERT_EQ(all.iterations(), profiles.size());
  }
}

TEST(ProcessClusters, AreTheSameEachTime) {
  const auto of = [] {
    std::mt19937_64 random(7);
    ProcessClusters clusters(two_columns, {9, {}, false});
    for (int i = 0; i < 300; ++i)
      clusters.add(any_profile(random, 8));
    return clusters.number_clusters();
  };

  EXPECT_EQ(of(), of());
}

TEST(ProcessClusters, AreNoneWithoutIterations) {
  ProcessClusters clusters(two_columns);
  EXPECT_EQ(clusters.size(), 0u);
  EXPECT_TRUE(clusters.profiles().empty());
  EXPECT_TRUE(clusters.number_clusters().empty());
  EXPECT_EQ(testing::add_up(clusters).iterations(), 0u);
}

TEST(ProcessClusters, KeepOneIterationAsItIs) {
  ProcessClusters clusters(two_columns, {1, {}, false});
  const auto profile = profile_of({{3, {}, {17, 2}}});
  clusters.add(profile);
  EXPECT_EQ(clusters.profiles().at(0)->rows(), profile.rows);
  EXPECT_TRUE(value_of(*clusters.profiles()[0], 0, 0) == 17);
}

TEST(ProcessClusters, PutEqualTreesIntoOneClusterWhereOneIsAllowed) {
  ProcessClusters clusters(two_columns, {1, {}, false});
  for (std::uint64_t i = 0; i < 100; ++i)
    clusters.add(profile_of({{0, {}, {i, 1 + i % 3}}}));
  EXPECT_EQ(clusters.size(), 1u);
  EXPECT_TRUE(value_of(*clusters.profiles()[0], 0, 0) == 4950);
}

TEST(ProcessClusters, TakeIterationsWithoutCallPaths) {
  ProcessClusters clusters(two_columns, {2, {}, false});
  for (int i = 0; i < 5; ++i) {
    clusters.add({});
    clusters.add(profile_of({{0, {}, {3, 1}}}));
  }

  EXPECT_EQ(clusters.classes(), 2u);
  EXPECT_EQ(clusters.profiles().at(0)->iterations(), 5u);
  EXPECT_TRUE(clusters.profiles().at(0)->rows().empty());
  EXPECT_TRUE(value_of(testing::add_up(clusters), 0, 0) == 15);
}

TEST(ProcessClusters, KeepAllWhereAllTreesDiffer) {
  ProcessClusters clusters(two_columns, {4, {}, false});
  for (std::uint32_t i = 0; i < 200; ++i)
    clusters.add(profile_of({{i, {}, {5, 1}}}));
  EXPECT_EQ(clusters.size(), 200u);
  EXPECT_EQ(clusters.classes(), 200u);
  clusters.add(profile_of({{17, {}, {5, 1}}}));
  EXPECT_EQ(clusters.size(), 200u);
}

TEST(ProcessClusters, TellVisitCountsApartWhileTheyAreFew) {
  ProcessClusters clusters(two_columns, {4, {}, false});
  for (std::uint64_t i = 0; i < 50; ++i)
    clusters.add(profile_of({{0, {}, {100, 1 + i % 2}}}));

  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::strong);
  for (const auto* profile : clusters.profiles()) {
    EXPECT_TRUE(value_of(*profile, 0, 1) == profile->iterations() ||
                value_of(*profile, 0, 1) == 2 * profile->iterations());
  }
}

TEST(ProcessClusters, GoBackToCallPathsWhereVisitCountsAreMany) {
  ProcessClusters clusters(two_columns, {4, {}, false});
  for (std::uint64_t i = 0; i < 50; ++i)
    clusters.add(profile_of({{0, {}, {100, 1 + i}}}));
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::weak);
  EXPECT_EQ(clusters.classes(), 1u);
  EXPECT_EQ(clusters.size(), 4u);
}

// In sampled call trees only 0 -> 2 (com -> mpi) is sure, and the visits of 2.
TEST(ProcessClusters, CompareOnlyWhatLeadsToMpiWhereSampled) {
  const MadeRow com{0, PathKind::com, {10, 1}}, com_again{0, PathKind::com, {10, 5}},
      usr{1, PathKind::usr, {3, 1}}, mpi{2, PathKind::mpi, {5, 1}},
      mpi_twice{2, PathKind::mpi, {5, 2}};
  ProcessClusters clusters(two_columns, {4, {}, true});
  for (int i = 0; i < 10; ++i) {
    clusters.add(profile_of({com, mpi}));
    clusters.add(profile_of({com_again, usr, mpi}));
    clusters.add(profile_of({com, usr, mpi_twice}));
  }

  EXPECT_EQ(clusters.classes(), 2u);
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::strong);
  const auto all = testing::add_up(clusters);
  ASSERT_EQ(all.rows().size(), 3u);
  EXPECT_EQ(all.rows()[2].kind, PathKind::mpi);
  EXPECT_TRUE(value_of(all, 0, 1) == 70);
  EXPECT_TRUE(value_of(all, 1, 0) == 60);
  EXPECT_TRUE(value_of(all, 2, 1) == 40);
}

TEST(ProcessClusters, KeepMpiAndComPathsOfSampledStreamsFreeOfPhantoms) {
  std::mt19937_64 random(3);
  ProcessClusters clusters(two_columns, {6, {}, true});
  std::vector<CallPathProfile> profiles;
  for (int i = 0; i < 200; ++i)
    clusters.add(profiles.emplace_back(any_profile(random, 32)));

  const auto certain = [](const std::vector<PathRow>& rows) {
    std::vector<PathIndex> paths;
    for (const auto& row : rows)
      if (row.kind != PathKind::usr)
        paths.push_back(row.path);
    return paths;
  };

  const auto of = clusters.number_clusters();
  for (std::size_t i = 0; i < profiles.size(); ++i)
    ASSERT_EQ(certain(clusters.profiles()[of[i]]->rows()), certain(profiles[i].rows));
}

TEST(ProcessClusters, HoldNoMoreMemoryAfterManyIterationsThanAfterFew) {
  testing::MadeProcess process(25, 1, 0.05);
  ProcessClusters clusters(testing::mpi_columns(), {16, {}, false});
  for (int i = 0; i < 100; ++i)
    clusters.add(process.iteration({}));

  const auto before = clusters.bytes();
  for (int i = 0; i < 1000; ++i)
    clusters.add(process.iteration({}));

  EXPECT_LE(clusters.bytes(), before + 8 * 1000);
}

TEST(ProcessClusters, NeedVisits) {
  EXPECT_THROW(ProcessClusters({{Metric::execution_time}, {}}), Error);
}

}  // namespace tracefold::process_clusters_test
