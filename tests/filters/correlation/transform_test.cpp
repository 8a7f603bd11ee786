#include "filters/correlation/transform.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <random>
#include <string>

namespace tracefold::correlation::transform_test {

using Sizes = std::vector<std::size_t>;
using Spectrum = std::vector<std::complex<double>>;

std::size_t count_points(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<float> make_noise(std::size_t points, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<float> values(points * batch_views);
  for (auto& value : values)
    value = static_cast<float>(random()) / static_cast<float>(std::mt19937::max()) - 0.5f;
  return values;
}

std::complex<double> read_lane(const float* data, std::size_t point, std::size_t lane) {
  const float* at = data + point * batch_views + lane;
  return {at[0], at[lanes]};
}

// One lane, axis by axis, by the definition.
Spectrum transform_plainly(const Sizes& sizes, const float* data, std::size_t lane) {
  const auto points = count_points(sizes);
  Spectrum values(points);
  for (std::size_t p = 0; p < points; ++p)
    values[p] = read_lane(data, p, lane);

  auto stride = points;
  for (auto size : sizes) {
    stride /= size;
    std::vector<std::complex<double>> roots(size);
    for (std::size_t k = 0; k < size; ++k)
      roots[k] = std::polar(
          1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(size));

    Spectrum next(points);
    for (std::size_t p = 0; p < points; ++p) {
      const auto k = p / stride % size;
      const auto first = p - k * stride;
      for (std::size_t x = 0; x < size; ++x)
        next[p] += values[first + x * stride] * roots[k * x % size];
    }
    values = std::move(next);
  }
  return values;
}

// The point of the natural order that a position holds the frequency of.
std::size_t find_natural(const Transform& transform, const Sizes& sizes, std::size_t position) {
  std::size_t natural = 0;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    const auto k = transform.find_frequency(a, position);
    const auto size = static_cast<std::int32_t>(sizes[a]);
    natural = natural * sizes[a] + static_cast<std::size_t>((k + size) % size);
  }
  return natural;
}

void expect_right(const Kernels& kernels, const Sizes& sizes, std::size_t cached_points) {
  SCOPED_TRACE(std::string(kernels.name) + ", " + ::testing::PrintToString(sizes));
  const Transform transform(sizes, cached_points);
  Points scratch(transform.scratch_points());

  const auto values = make_noise(transform.size());
  Points points(transform.size());
  std::copy(values.begin(), values.end(), points.data());

  transform.run(kernels, Direction::forward, points.data(), scratch);
  const auto tolerance = 2e-6 * std::sqrt(static_cast<double>(transform.size()));
  for (std::size_t lane : {0, 7, 15}) {
    const auto expected = transform_plainly(sizes, values.data(), lane);
    double worst = 0;
    for (std::size_t p = 0; p < transform.size(); ++p)
      worst = std::max(worst, std::abs(read_lane(points.data(), p, lane) -
                                       expected[find_natural(transform, sizes, p)]));
    EXPECT_LT(worst, tolerance) << "lane " << lane;
  }

  transform.run(kernels, Direction::inverse, points.data(), scratch);
  float worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    worst = std::max(worst,
                     std::abs(points.data()[i] / static_cast<float>(transform.size()) - values[i]));
  EXPECT_LT(worst, 2e-6f);
}

TEST(Transform, IsRightForAllLengthsUpTo200) {
  for (std::size_t length = 1; length <= 200; ++length)
    expect_right(choose_kernels(), {length}, 2048);
}

TEST(Transform, IsRightOnEveryInstructionSet) {
  for (const auto* kernels : list_kernels())
    for (const auto& sizes : {Sizes{64}, Sizes{7, 9}, Sizes{5, 37}, Sizes{3, 4, 5, 2}, Sizes{26}})
      expect_right(*kernels, sizes, 2048);
}

TEST(Transform, IsRightForLengthsWithLargePrimes) {
  for (std::size_t length : {211, 298, 1009, 2 * 37 * 3, 37 * 41})
    expect_right(choose_kernels(), {length}, 4096);
}

TEST(Transform, IsRightInPanelsAndBlocks) {
  for (const auto& sizes : {Sizes{4096}, Sizes{16, 16, 16}, Sizes{2000}, Sizes{28, 8, 8},
                            Sizes{3, 37, 8}, Sizes{2, 2, 2, 2, 2, 2, 2, 2}, Sizes{64, 149}})
    for (std::size_t cached : {16, 64, 1000})
      expect_right(choose_kernels(), sizes, cached);
}

TEST(Transform, KnowsWhereTheMirroredFrequencyStands) {
  const Sizes sizes{6, 5, 8};
  const Transform transform(sizes);

  for (std::size_t p = 0; p < transform.size(); ++p)
    for (std::size_t a = 0; a < sizes.size(); ++a) {
      const auto sum =
          transform.find_frequency(a, p) + transform.find_frequency(a, transform.mirror()[p]);
      EXPECT_EQ(sum % static_cast<std::int32_t>(sizes[a]), 0);
    }
}

}  // namespace tracefold::correlation::transform_test
