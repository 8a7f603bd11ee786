#include "filters/iterations/online_clusters.hpp"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <tuple>

namespace tracefold::online_clusters_test {

using ::testing::ElementsAre;
using Numbers = std::vector<std::uint32_t>;

OnlineClusters clustered(std::size_t most, const std::vector<std::vector<double>>& vectors) {
  OnlineClusters clusters(vectors[0].size(), {most, {}, false});
  for (const auto& vector : vectors)
    clusters.add(0, 0, vector);
  return clusters;
}

TEST(SizeMultiplier, IsEquation41) {
  EXPECT_DOUBLE_EQ(size_multiplier(2), 0.5);
  EXPECT_DOUBLE_EQ(size_multiplier(8), 0.8);
  EXPECT_DOUBLE_EQ(size_multiplier(12), 1.0);
  EXPECT_DOUBLE_EQ(size_multiplier(13), std::sqrt(1.05));
  EXPECT_DOUBLE_EQ(size_multiplier(72), 2.0);
}

TEST(OnlineClusters, KeepIterationsApartWhileTheyFit) {
  EXPECT_THAT(clustered(3, {{1}, {1}, {1}}).number_clusters(), ElementsAre(0, 1, 2));
}

TEST(OnlineClusters, MergeTheNearest) {
  EXPECT_THAT(clustered(2, {{10}, {20}, {24}}).number_clusters(), ElementsAre(0, 1, 1));
}

// With means of 1.67 and 220, a distance of 2 in the first is more than one of 60 in the second.
TEST(OnlineClusters, WeighElementsByTheirMeans) {
  EXPECT_THAT(clustered(2, {{1, 200}, {3, 200}, {1, 260}}).number_clusters(), ElementsAre(0, 1, 0));
  EXPECT_THAT(clustered(2, {{1, 200}, {1.1, 200}, {1, 260}}).number_clusters(),
              ElementsAre(0, 0, 1));
}

TEST(OnlineClusters, TakeTheNewIterationIntoTheMeans) {
  EXPECT_THAT(clustered(2, {{10, 0}, {13, 0}, {10, 4}}).number_clusters(), ElementsAre(0, 0, 1));
}

TEST(OnlineClusters, DoNotCompareWhatIsZeroThroughout) {
  EXPECT_THAT(clustered(2, {{0, 10}, {0, 20}, {0, 24}}).number_clusters(), ElementsAre(0, 1, 1));
  EXPECT_THAT(clustered(1, {{0}, {0}, {0}}).number_clusters(), ElementsAre(0, 0, 0));
}

// m(24) · 1 is above m(2) · 2: the peaks merge and the two levels stay.
TEST(OnlineClusters, KeepLargeClustersApartLongerThanPeaks) {
  std::vector<std::vector<double>> vectors;
  for (int k = 0; k < 12; ++k)
    vectors.insert(vectors.end(), {{100}, {101}});

  vectors.insert(vectors.end(), {{200}, {202}});
  auto clusters = clustered(3, vectors);
  const auto of = clusters.number_clusters();
  EXPECT_NE(of[0], of[1]);
  EXPECT_EQ(of[24], of[25]);
}

TEST(OnlineClusters, OfEqualDistancesMergeTheEarliest) {
  EXPECT_THAT(clustered(3, {{1}, {2}, {3}, {4}}).number_clusters(), ElementsAre(0, 0, 1, 2));
}

TEST(OnlineClusters, NeverMergeClasses) {
  OnlineClusters clusters(1, {2, {}, false});
  for (std::uint32_t k = 0; k < 30; ++k)
    clusters.add(k % 3, k % 3, std::vector<double>{5});

  EXPECT_EQ(clusters.size(), 3u);
  EXPECT_EQ(clusters.classes(), 3u);
  const auto of = clusters.number_clusters();
  for (std::uint32_t k = 0; k < 30; ++k)
    EXPECT_EQ(of[k], k % 3);
}

TEST(OnlineClusters, StayStrongWhileStrongClassesAreFew) {
  OnlineClusters clusters(1, {8, {}, false});
  for (std::uint32_t k = 0; k < 40; ++k)
    clusters.add(k % 4, 0, std::vector<double>{1});
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::strong);
  EXPECT_EQ(clusters.classes(), 4u);
  EXPECT_EQ(clusters.size(), 8u);
}

TEST(OnlineClusters, TurnWeakWhereStrongClassesAreMany) {
  OnlineClusters clusters(1, {8, {}, false});
  for (std::uint32_t k = 0; k < 8; ++k)
    clusters.add(k % 5, k % 5 % 2, std::vector<double>{1});

  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::strong) << "nothing has to be merged yet";
  clusters.add(0, 0, std::vector<double>{1});
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::weak);
  EXPECT_EQ(clusters.classes(), 2u);
  EXPECT_EQ(clusters.size(), 8u);
}

TEST(OnlineClusters, TakeTheLimitOfStrongClassesThatIsAskedFor) {
  OnlineClusters clusters(1, {8, 100, false});
  for (std::uint32_t k = 0; k < 8; ++k)
    clusters.add(k, 0, std::vector<double>{1});

  clusters.add(7, 0, std::vector<double>{1});
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::strong);
  clusters.add(8, 0, std::vector<double>{1});
  EXPECT_EQ(clusters.equivalence(), CallTreeEquivalence::weak)
      << "no pair of one strong class was left";
  EXPECT_EQ(clusters.size(), 8u);
}

// The published steps, word by word, with nothing kept but what they name. Up to four
// elements, so that sums are of one order with OnlineClusters'.
class Published {
 public:
  Published(std::size_t most, std::size_t max_strong) : most_(most), max_strong_(max_strong) {}

  void add(std::uint32_t strong, std::uint32_t weak, const std::vector<double>& vector) {
    total_.resize(4);
    Cluster fresh{{number_++}, strong, weak, std::vector<double>(4)};
    for (std::size_t e = 0; e < vector.size(); ++e)
      fresh.sum[e] = vector[e], total_[e] += vector[e];

    clusters_.push_back(fresh);
    if (computing_)
      compute_missing();

    while (clusters_.size() > most_) {
      if (strong_ && classes() > max_strong_)
        strong_ = false;

      computing_ = true;
      compute_missing();
      if (merge())
        continue;
      if (!strong_)
        break;

      strong_ = false;
    }
  }

  Numbers of() const {
    Numbers of(number_);
    for (std::uint32_t c = 0; c < clusters_.size(); ++c)
      for (auto i : clusters_[c].iterations)
        of[i] = c;
    return of;
  }
  bool strong() const { return strong_; }

 private:
  struct Cluster {
    Numbers iterations;  // the first is the earliest
    std::uint32_t strong, weak;
    std::vector<double> sum;
  };
  std::size_t classes() const {
    std::map<std::uint32_t, int> seen;
    for (const auto& c : clusters_)
      ++seen[c.strong];
    return seen.size();
  }
  bool alike(const Cluster& a, const Cluster& b) const {
    return strong_ ? a.strong == b.strong : a.weak == b.weak;
  }
  double distance(const Cluster& a, const Cluster& b) const {
    double parts[4];
    for (std::size_t e = 0; e < 4; ++e) {
      const double weight = total_[e] > 0 ? static_cast<double>(number_) / total_[e] : 0;
      parts[e] = std::abs(a.sum[e] / static_cast<double>(a.iterations.size()) -
                          b.sum[e] / static_cast<double>(b.iterations.size())) *
                 weight;
    }

    return size_multiplier(a.iterations.size() + b.iterations.size()) *
           ((parts[0] + parts[1]) + (parts[2] + parts[3]));
  }
  void compute_missing() {
    for (std::size_t a = 0; a < clusters_.size(); ++a)
      for (std::size_t b = a + 1; b < clusters_.size(); ++b)
        if (alike(clusters_[a], clusters_[b]))
          distances_.try_emplace({clusters_[a].iterations[0], clusters_[b].iterations[0]},
                                 distance(clusters_[a], clusters_[b]));
  }
  bool merge() {
    auto best = std::tuple(1e300, std::size_t{0}, std::size_t{0});

    for (std::size_t a = 0; a < clusters_.size(); ++a)
      for (std::size_t b = a + 1; b < clusters_.size(); ++b)
        if (alike(clusters_[a], clusters_[b]))
          best = std::min(
              best,
              std::tuple(distances_.at({clusters_[a].iterations[0], clusters_[b].iterations[0]}), a,
                         b));

    const auto [d, a, b] = best;
    if (a == b)
      return false;

    const auto first = clusters_[a].iterations[0], second = clusters_[b].iterations[0];
    std::erase_if(distances_, [&](const auto& known) {
      const auto [x, y] = known.first;
      return x == first || y == first || x == second || y == second;
    });

    for (std::size_t e = 0; e < 4; ++e)
      clusters_[a].sum[e] += clusters_[b].sum[e];

    clusters_[a].iterations.insert(clusters_[a].iterations.end(), clusters_[b].iterations.begin(),
                                   clusters_[b].iterations.end());
    clusters_.erase(clusters_.begin() + static_cast<std::ptrdiff_t>(b));
    compute_missing();

    return true;
  }

  std::size_t most_, max_strong_;
  std::uint32_t number_ = 0;
  bool strong_ = true, computing_ = false;
  std::vector<Cluster> clusters_;
  std::vector<double> total_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> distances_;
};

TEST(OnlineClusters, AreThePublishedOnes) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) {
      return static_cast<std::uint32_t>(random() % limit);
    };
    const std::size_t most = 1 + below(10), elements = 1 + below(4);
    const std::uint32_t strong_classes = 1 + below(8),
                        weak_classes = 1 + below(std::min(strong_classes, 4u)),
                        values = seed % 3 ? 100'000 : 5;
    OnlineClusters clusters(elements, {most, {}, false});
    Published published(most, std::max<std::size_t>(most / 2, 1));
    std::map<std::uint32_t, std::uint32_t> strong_index, weak_index;

    for (int i = 0; i < 150; ++i) {
      std::vector<double> vector(elements);
      for (auto& x : vector)
        x = below(values);

      const auto drawn = below(i < 30 ? 1 + strong_classes / 4 : strong_classes);
      const auto strong =
          strong_index.try_emplace(drawn, static_cast<std::uint32_t>(strong_index.size()))
              .first->second;
      const auto weak =
          weak_index
              .try_emplace(drawn % weak_classes, static_cast<std::uint32_t>(weak_index.size()))
              .first->second;

      clusters.add(strong, weak, vector);
      published.add(strong, weak, vector);
      ASSERT_EQ(clusters.number_clusters(), published.of()) << seed << ' ' << i;
      ASSERT_EQ(clusters.equivalence() == CallTreeEquivalence::strong, published.strong());
    }
  }
}

}  // namespace tracefold::online_clusters_test
