#include "filters/correlation/spectrum.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace tracefold::spectrum_test {

using correlation::find_magnitudes;

// Peaks along the first axis, on every second place of the other, as in figure 1 of the paper.
TEST(Spectrum, IsThatOfTheFigure) {
  const double peaks[] = {4, 3, 0, 3, 4, 3, 0, 3};
  correlation::Grid grid{{{"x", 8}, {"y", 8}}, {}};
  std::vector<double> values;
  for (std::size_t point = 0; point < 64; ++point)
    values.push_back(point % 2 == 0 ? peaks[point / 8] : 0);

  const auto found = find_magnitudes(grid, values);
  ASSERT_EQ(found.size(), 64u);
  for (std::size_t x = 0; x < 8; ++x)
    for (std::size_t y = 0; y < 8; ++y) {
      const double of_peaks[] = {20, 0, 8, 0, 4, 0, 8, 0};
      const double expected = y % 4 == 0 && x + y > 0 ? of_peaks[x] * 4 / 64 : 0;
      EXPECT_NEAR(found[x * 8 + y], expected, 1e-12) << x << ' ' << y;
    }
}

TEST(Spectrum, TakesHolesAsTheMean) {
  correlation::Grid grid{{{"x", 4}}, {true, true, false, true}};
  for (auto magnitude : find_magnitudes(grid, {3, 3, std::numeric_limits<double>::quiet_NaN(), 3}))
    EXPECT_NEAR(magnitude, 0, 1e-12);
}

TEST(Spectrum, IsLeftOutWhereItWouldTakeLong) {
  const std::size_t size = 1 << 14;
  correlation::Grid grid{{{"x", size}}, {}};
  EXPECT_TRUE(find_magnitudes(grid, std::vector<double>(size, 1)).empty());
}

}  // namespace tracefold::spectrum_test
