#include "pipeline/correlation/cluster_views.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tracefold::cluster_views_test {

using correlation::Correlator;

correlation::Grid make_grid(bool periodic) {
  return {{{"x", 6, periodic, true}, {"y", 5, periodic, true}}, {}};
}

// Views of some kinds: shifted, scaled, turned around and a little disturbed ones of each; also
// views that are 0 or the same everywhere.
std::vector<ViewColumn> make_views(std::size_t kinds, std::size_t of_a_kind) {
  std::mt19937_64 random(5);
  const auto draw = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<ViewColumn> views{{}, ViewColumn()};
  for (std::uint64_t p = 0; p < 30; ++p)
    views[1].push_back({p, 7.5});

  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::vector<double> pattern(30);
    for (auto& value : pattern)
      value = std::pow(draw(), 4);

    for (std::size_t one = 0; one < of_a_kind; ++one) {
      const auto shift = random() % 2 * 5;
      const auto noise = 0.3 * draw();
      const auto sign = random() % 2 ? 1.0 : -1.0;
      auto& view = views.emplace_back();
      for (std::uint64_t p = 0; p < 30; ++p)
        view.push_back({p, 3 + sign * (pattern[(p + shift) % 30] + noise * draw())});
    }
  }
  std::shuffle(views.begin(), views.end(), random);
  return views;
}

std::vector<std::size_t> list_numbers(std::size_t first, std::size_t end) {
  std::vector<std::size_t> numbers;
  for (auto n = first; n < end; ++n)
    numbers.push_back(n);
  return numbers;
}

// Leader and members of each cluster.
using Clusters = std::vector<std::vector<std::size_t>>;

Clusters list_clusters(const ViewClusters& found) {
  Clusters out;
  for (const auto& cluster : found.clusters()) {
    out.push_back({cluster.leader});
    for (const auto& member : cluster.members)
      out.back().push_back(member.view);
    std::sort(out.back().begin() + 1, out.back().end());
  }
  return out;
}

class ClusterViewsTest : public ::testing::TestWithParam<bool> {
 protected:
  ViewClusters find(double threshold, bool prunes, std::size_t slice = 1000,
                    std::uint64_t memory = std::uint64_t{1} << 30) const {
    const auto read = [&](const std::vector<std::size_t>& wanted) {
      std::vector<ViewColumn> columns;
      for (auto view : wanted)
        columns.push_back(views_[view]);
      return columns;
    };
    ViewClusters found(runner_, threshold, read, memory, prunes);
    for (std::size_t first = 0; first < views_.size(); first += slice) {
      const auto numbers = list_numbers(first, std::min(first + slice, views_.size()));
      std::vector<const ViewColumn*> columns;
      for (auto n : numbers)
        columns.push_back(&views_[n]);
      found.add(numbers, columns);
    }
    return found;
  }

  // The same by the definition: every view with every leader before it.
  Clusters find_by_brute_force(double threshold) const {
    Clusters out;
    for (std::size_t v = 0; v < views_.size(); ++v) {
      if (std::abs(correlate(v, v)) < 0.5)
        continue;

      const auto leader = std::find_if(out.begin(), out.end(), [&](const auto& cluster) {
        return std::abs(correlate(cluster[0], v)) >= threshold;
      });
      if (leader != out.end())
        leader->push_back(v);
      else
        out.push_back({v});
    }
    return out;
  }

  double correlate(std::size_t a, std::size_t b) const {
    const std::vector<const ViewColumn*> other{&views_[b]};
    return static_cast<double>(runner_.correlate(runner_.make_query(views_[a]), other)[0].match.r);
  }

  std::vector<ViewColumn> views_ = make_views(12, 9);
  Correlator correlator_{make_grid(GetParam()), {}};
  BatchRunner runner_{correlator_, std::uint64_t{1} << 30};
};

TEST_P(ClusterViewsTest, AreThoseOfBruteForceWithAndWithoutPruning) {
  for (double threshold : {0.7, 0.9, 0.97}) {
    const auto expected = find_by_brute_force(threshold);
    const auto pruned = find(threshold, true);
    EXPECT_EQ(list_clusters(pruned), expected);
    EXPECT_EQ(list_clusters(find(threshold, false)), expected);
    EXPECT_EQ(list_clusters(find(threshold, true, 17)), expected) << "in slices";
    EXPECT_EQ(list_clusters(find(threshold, true, 17, 1)), expected) << "leaders are read again";
    EXPECT_EQ(list_clusters(find(threshold, true, 17, 5000)), expected) << "some of them are";
    EXPECT_EQ(pruned.constant(), 2u);
    EXPECT_LT(expected.size(), views_.size() - 2) << "some are alike";
  }
}

TEST_P(ClusterViewsTest, MostPairsArePruned) {
  const auto pruned = find(0.9, true).pairs();
  const auto plain = find(0.9, false).pairs();
  EXPECT_EQ(pruned.all, 108u * 107 / 2);
  EXPECT_EQ(plain.all, pruned.all);
  EXPECT_EQ(plain.pruned_by_bound + plain.pruned_by_triangle, 0u);
  EXPECT_EQ(plain.correlated + plain.not_needed(), plain.all);

  EXPECT_EQ(pruned.correlated + pruned.pruned_by_bound + pruned.pruned_by_triangle,
            plain.correlated);
  EXPECT_GT(pruned.pruned_by_bound, 0u);
  EXPECT_GT(pruned.pruned_by_triangle, 0u);
  EXPECT_LT(pruned.correlated, plain.correlated / 2);
}

TEST_P(ClusterViewsTest, PutEachViewIntoTheFirstClusterThatItFits) {
  const auto found = find(0.8, true);
  for (const auto& cluster : found.clusters())
    for (const auto& member : cluster.members) {
      EXPECT_GE(std::abs(correlate(cluster.leader, member.view)), 0.8 - 1e-6);
      for (const auto& earlier : found.clusters()) {
        if (earlier.leader == cluster.leader)
          break;
        EXPECT_LT(std::abs(correlate(earlier.leader, member.view)), 0.8 + 1e-6);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(EndsOfAxes, ClusterViewsTest, ::testing::Bool());

}  // namespace tracefold::cluster_views_test
