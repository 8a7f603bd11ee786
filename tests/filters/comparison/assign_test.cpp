#include "filters/comparison/assign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace tracefold::assign_test {

namespace {

double sum_best(const std::vector<std::vector<double>>& values) {
  std::vector<std::size_t> order(std::max(values.size(), values.front().size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = 0;
  do {
    double sum = 0;
    for (std::size_t row = 0; row < values.size(); ++row)
      if (order[row] < values.front().size())
        sum += values[row][order[row]];
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

TEST(Assign, FindsTheLargestSum) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> draw(0.01, 1);
  for (std::size_t rows = 1; rows <= 5; ++rows)
    for (std::size_t columns = 1; columns <= 5; ++columns) {
      std::vector<std::vector<double>> values(rows, std::vector<double>(columns));
      for (auto& row : values)
        for (auto& value : row)
          value = draw(random);
      const auto found = assign(values);
      double sum = 0;
      std::vector<std::size_t> taken;
      for (std::size_t row = 0; row < rows; ++row)
        if (found[row]) {
          sum += values[row][*found[row]];
          taken.push_back(*found[row]);
        }
      std::sort(taken.begin(), taken.end());
      EXPECT_EQ(std::unique(taken.begin(), taken.end()), taken.end());
      EXPECT_NEAR(sum, sum_best(values), 1e-12) << rows << " rows, " << columns << " columns";
    }
}

TEST(Assign, GivesNothingToWhatFitsNobody) {
  const auto found = assign({{0, 0}, {0, 0.5}});
  EXPECT_FALSE(found[0]);
  EXPECT_EQ(found[1], 1u);
  EXPECT_TRUE(assign({}).empty());
}

}  // namespace tracefold::assign_test
