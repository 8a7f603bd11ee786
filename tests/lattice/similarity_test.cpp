// Worked examples are of the papers named in SCIENCE 1.
#include "lattice/similarity.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace tracefold::lattice {
namespace {

using Set = std::vector<Element>;
using Groups = std::vector<std::vector<std::size_t>>;

// A set of whole nodes of the lattice, each {number, size}.
Set nodes(std::initializer_list<std::pair<Element, Element>> list) {
  Set set;
  for (auto [node, size] : list)
    for (Element i = 0; i < size; ++i) set.push_back(node * 1000 + i);
  return set;
}

TEST(Jaccard, OfEmptySets) {
  EXPECT_EQ(jaccard({}, {}), 1);
  EXPECT_EQ(jaccard(Set{1}, {}), 0);
}

TEST(Jaccard, OfStructuralFigure2) { EXPECT_DOUBLE_EQ(jaccard(Set{1, 2, 3, 4, 5, 6}, Set{1, 2, 4, 6}), 4.0 / 6); }
TEST(Jaccard, OfThesisFigure34) { EXPECT_DOUBLE_EQ(jaccard(Set{1, 2, 3, 4}, Set{1, 2, 4}), 3.0 / 4); }

TEST(Jaccard, OfWrf) {
  const auto a = nodes({{0, 109}, {1, 216}}), b = nodes({{0, 109}, {1, 216}, {2, 95}}), c = nodes({{0, 109}, {3, 33}});
  EXPECT_NEAR(jaccard(a, b), 0.77, 0.005);
  EXPECT_NEAR(jaccard(a, c), 0.30, 0.005);
  EXPECT_NEAR(jaccard(b, c), 0.24, 0.005);
}

TEST(Jaccard, OfPicongpu) {
  EXPECT_NEAR(jaccard(nodes({{0, 11}, {1, 66}, {2, 160}}), nodes({{0, 11}, {3, 6}, {4, 6}, {5, 2}})), 0.044, 0.0005);
}

TEST(Jaccard, OfBt) {
  const auto first = nodes({{0, 56}, {1, 40}, {2, 1}}), second = nodes({{0, 56}, {1, 40}}), third = nodes({{0, 56}, {3, 29}});
  EXPECT_NEAR(jaccard(first, second), 0.99, 0.005);
  EXPECT_NEAR(jaccard(second, third), 0.45, 0.005);
  EXPECT_NEAR(jaccard(first, third), 0.44, 0.005);
}

Matrix matrix_of(const std::vector<std::vector<double>>& below) {
  Matrix m(below.size());
  for (std::size_t i = 0; i < below.size(); ++i)
    for (std::size_t j = 0; j < below[i].size(); ++j) m.set(i, j, below[i][j]);
  return m;
}

TEST(MergeSimilar, GivesTheGroupsOfStructuralTable2) {
  const auto m = matrix_of({{}, {.04}, {.04, .95}, {.04, .93, .96}, {.05, .96, .92, .90}, {.05, .92, .96, .93, .97}, {.05, .90, .92, .97, .93, .97}});
  const auto merged = merge_similar(m, {1, 1, 2, 1, 3, 6, 3}, std::vector<std::size_t>(7), 0.83);
  EXPECT_EQ(merged.groups, (Groups{{0}, {1, 2, 3, 4, 5, 6}}));
  EXPECT_NEAR(merged.similarity.at(0, 1), (.04 + 2 * .04 + .04 + 3 * .05 + 6 * .05 + 3 * .05) / 16, 1e-12);
}

TEST(MergeSimilar, AveragesByWeight) {
  const auto merged = merge_similar(matrix_of({{}, {.9}, {.5, .1}}), {3, 1, 7}, {0, 0, 0}, 0.8);
  EXPECT_EQ(merged.groups, (Groups{{0, 1}, {2}}));
  EXPECT_DOUBLE_EQ(merged.similarity.at(0, 1), (3 * .5 + .1) / 4);
}

TEST(MergeSimilar, GivesTiesToTheLowestIndex) {
  EXPECT_EQ(merge_similar(matrix_of({{}, {.9}, {.0, .9}}), {1, 1, 1}, {0, 0, 0}, 0.8).groups, (Groups{{0, 1}, {2}}));
}

TEST(MergeSimilar, NeverMergesKinds) {
  EXPECT_EQ(merge_similar(matrix_of({{}, {1}, {.9, .9}}), {1, 1, 1}, {0, 1, 0}, 0.5).groups, (Groups{{0, 2}, {1}}));
}

TEST(MergeSimilar, TakesNothing) { EXPECT_TRUE(merge_similar(Matrix(0), {}, {}, 0.5).groups.empty()); }

Groups naive(Matrix m, std::vector<std::uint64_t> weights, const std::vector<std::size_t>& kinds, double threshold) {
  const auto n = m.size();
  Groups groups(n);
  for (std::size_t i = 0; i < n; ++i) groups[i] = {i};
  for (;;) {
    std::size_t a = n, b = n;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (!groups[i].empty() && !groups[j].empty() && kinds[i] == kinds[j] && m.at(i, j) >= threshold && (a == n || m.at(i, j) > m.at(a, b))) a = i, b = j;
    if (a == n) break;
    const auto wa = static_cast<double>(weights[a]), wb = static_cast<double>(weights[b]);
    for (std::size_t k = 0; k < n; ++k)
      if (k != a && k != b && !groups[k].empty()) m.set(a, k, (wa * m.at(a, k) + wb * m.at(b, k)) / (wa + wb));
    weights[a] += weights[b];
    groups[a].insert(groups[a].end(), groups[b].begin(), groups[b].end());
    groups[b].clear();
    std::sort(groups[a].begin(), groups[a].end());
  }
  std::erase_if(groups, [](const auto& g) { return g.empty(); });
  return groups;
}

TEST(MergeSimilar, AgreesWithANaiveReferenceOnAThousandContexts) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 1000; ++round) {
    std::vector<Set> sets(1 + random() % 14);
    std::vector<std::uint64_t> weights;
    std::vector<std::size_t> kinds;
    for (auto& set : sets) {
      for (Element e = 0; e < 10; ++e)
        if (random() % 4) set.push_back(e);
      weights.push_back(1 + random() % 9);
      kinds.push_back(random() % 2);
    }
    const auto m = similarity_matrix(sets);
    const double threshold = static_cast<double>(random() % 10) / 10;
    EXPECT_EQ(merge_similar(m, weights, kinds, threshold).groups, naive(m, weights, kinds, threshold)) << "round " << round;
  }
}

}  // namespace
}  // namespace tracefold::lattice
