#include "lattice/similarity.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace tracefold::lattice::similarity_test {

using Groups = std::vector<std::vector<std::size_t>>;

std::size_t count_common(const Set& a, const Set& b) {
  return static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](auto e) { return std::find(b.begin(), b.end(), e) != b.end(); }));
}

double jaccard(const Set& a, const Set& b) {
  const auto common = static_cast<double>(count_common(a, b));
  return a.empty() && b.empty() ? 1 : common / (static_cast<double>(a.size() + b.size()) - common);
}

double subsumption(const Set& a, const Set& b) {
  return b.empty() ? 1 : static_cast<double>(count_common(a, b)) / static_cast<double>(b.size());
}

TEST(Jaccard, OfEmptySets) {
  const auto matrix = compute_similarity_matrix(std::vector<Set>{{}, {}, {1}});
  EXPECT_EQ(matrix.at(0, 1), 1);
  EXPECT_EQ(matrix.at(2, 0), 0);
}

TEST(Subsumption, OfEmptySets) {
  const auto matrix = compute_subsumption_matrix(std::vector<Set>{{}, {}, {1}});
  EXPECT_EQ(matrix.at(0, 1), 1);
  EXPECT_EQ(matrix.at(2, 0), 1);
  EXPECT_EQ(matrix.at(0, 2), 0);
}

TEST(Matrices, AreTheMeasuresOfEachToEach) {
  std::mt19937_64 random(13);

  for (int round = 0; round < 300; ++round) {
    std::vector<Set> sets(random() % 12);
    for (auto& set : sets)
      for (Element e = 0; e < 150; ++e)
        if (random() % 12 < static_cast<std::uint64_t>(round % 12))
          set.push_back(e * e);

    const auto similarity = compute_similarity_matrix(sets),
               subsumed = compute_subsumption_matrix(sets);
    ASSERT_EQ(similarity.size(), sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i)
      for (std::size_t j = 0; j < sets.size(); ++j) {
        EXPECT_EQ(similarity.at(i, j), jaccard(sets[i], sets[j]));
        EXPECT_EQ(subsumed.at(i, j), subsumption(sets[i], sets[j]));
      }
  }
}

Matrix matrix_of(const std::vector<std::vector<double>>& below) {
  Matrix m(below.size());
  for (std::size_t i = 0; i < below.size(); ++i)
    for (std::size_t j = 0; j < below[i].size(); ++j)
      m.set(i, j, below[i][j]);
  return m;
}

TEST(MergeSimilar, AveragesByWeight) {
  const auto merged = merge_similar(matrix_of({{}, {.9}, {.5, .1}}), {3, 1, 7}, {0, 0, 0}, 0.8);
  EXPECT_EQ(merged.groups, (Groups{{0, 1}, {2}}));
  EXPECT_DOUBLE_EQ(merged.similarity.at(0, 1), (3 * .5 + .1) / 4);
}

TEST(MergeSimilar, GivesTiesToTheLowestIndex) {
  EXPECT_EQ(merge_similar(matrix_of({{}, {.9}, {.0, .9}}), {1, 1, 1}, {0, 0, 0}, 0.8).groups,
            (Groups{{0, 1}, {2}}));
}

TEST(MergeSimilar, NeverMergesKinds) {
  EXPECT_EQ(merge_similar(matrix_of({{}, {1}, {.9, .9}}), {1, 1, 1}, {0, 1, 0}, 0.5).groups,
            (Groups{{0, 2}, {1}}));
}

TEST(MergeSimilar, TakesNothing) {
  EXPECT_TRUE(merge_similar(Matrix(0), {}, {}, 0.5).groups.empty());
}

Groups naive(Matrix m, std::vector<std::uint64_t> weights, const std::vector<std::size_t>& kinds,
             double threshold) {
  const auto n = m.size();
  Groups groups(n);
  for (std::size_t i = 0; i < n; ++i)
    groups[i] = {i};

  for (;;) {
    std::size_t a = n, b = n;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (!groups[i].empty() && !groups[j].empty() && kinds[i] == kinds[j] &&
            m.at(i, j) >= threshold && (a == n || m.at(i, j) > m.at(a, b)))
          a = i, b = j;

    if (a == n)
      break;

    const auto wa = static_cast<double>(weights[a]), wb = static_cast<double>(weights[b]);
    for (std::size_t k = 0; k < n; ++k)
      if (k != a && k != b && !groups[k].empty())
        m.set(a, k, (wa * m.at(a, k) + wb * m.at(b, k)) / (wa + wb));

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
        if (random() % 4)
          set.push_back(e);
      weights.push_back(1 + random() % 9);
      kinds.push_back(random() % 2);
    }

    const auto m = compute_similarity_matrix(sets);
    const double threshold = static_cast<double>(random() % 10) / 10;
    EXPECT_EQ(merge_similar(m, weights, kinds, threshold).groups,
              naive(m, weights, kinds, threshold))
        << "round " << round;
  }
}

}  // namespace tracefold::lattice::similarity_test
