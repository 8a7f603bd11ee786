#include "emitters/iterations/colour_scale.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

namespace tracefold::colour_scale_test {

constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

TEST(ColourScale, LinearGoesFromTheSmallestToTheLargestValue) {
  const ColourScale scale(ColourScaling::linear, {10, nan, 20, 12});
  EXPECT_EQ(scale.choose_level(10), 0);
  EXPECT_EQ(scale.choose_level(15), 127);
  EXPECT_EQ(scale.choose_level(20), 254);
  EXPECT_EQ(scale.choose_level(nan), ColourScale::unknown);
  EXPECT_DOUBLE_EQ(scale.find_value(0.5), 15);
}

TEST(ColourScale, FromZeroGoesFromZero) {
  const ColourScale scale(ColourScaling::from_zero, {10, 20});
  EXPECT_EQ(scale.choose_level(0), 0);
  EXPECT_EQ(scale.choose_level(10), 127);
  EXPECT_EQ(scale.choose_level(20), 254);
}

TEST(ColourScale, EqualizedUsesEachColourAsOften) {
  std::vector<double> values;
  for (int k = 0; k < 2550; ++k)
    values.push_back(std::pow(1.01, k));
  const ColourScale scale(ColourScaling::equalized, values);

  std::map<int, int> uses;
  for (auto value : values)
    ++uses[scale.choose_level(value)];
  EXPECT_EQ(uses.size(), ColourScale::levels);
  for (const auto& [level, times] : uses)
    EXPECT_NEAR(times, level == 0 || level == 254 ? 5 : 10, 1) << level;

  EXPECT_EQ(scale.choose_level(values.front()), 0);
  EXPECT_EQ(scale.choose_level(values.back()), 254);
  EXPECT_NEAR(scale.find_value(0.5) / values[1275], 1, 0.011);
  EXPECT_DOUBLE_EQ(scale.find_value(1), values.back());
}

TEST(ColourScale, EqualizedGivesEqualValuesOneColour) {
  const ColourScale scale(ColourScaling::equalized, {1, 1, 1, 1, 1, 1, 2, 3});
  EXPECT_EQ(scale.choose_level(1), 0);
  EXPECT_EQ(scale.choose_level(2), 127);
  EXPECT_EQ(scale.choose_level(3), 254);
}

TEST(ColourScale, EqualValuesHaveTheColourInTheMiddle) {
  for (auto scaling : {ColourScaling::linear, ColourScaling::equalized}) {
    const ColourScale scale(scaling, {5, 5, nan});
    EXPECT_TRUE(scale.is_flat());
    EXPECT_EQ(scale.choose_level(5), 127);
    EXPECT_DOUBLE_EQ(scale.find_value(0.5), 5);
  }

  EXPECT_TRUE(ColourScale(ColourScaling::linear, {nan}).is_empty());
  EXPECT_FALSE(ColourScale(ColourScaling::from_zero, {5}).is_flat());
}

TEST(ColourScale, ThePaletteIsViridisAndGrey) {
  const auto palette = ColourScale::make_palette();
  ASSERT_EQ(palette.size(), 256u);
  EXPECT_EQ(palette[0], (Colour{0x44, 0x01, 0x54}));
  EXPECT_EQ(palette[254], (Colour{0xfd, 0xe7, 0x25}));
  EXPECT_EQ(palette[255].red, palette[255].blue);
}

// From dark to light in even steps, also to those who see no colours.
TEST(ColourScale, ColoursAscendInLightness) {
  const auto palette = ColourScale::make_palette();
  const auto lightness = [](const Colour& colour) {
    return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
  };
  for (std::size_t level = 8; level < ColourScale::levels; ++level)
    EXPECT_GT(lightness(palette[level]), lightness(palette[level - 8])) << level;
}

}  // namespace tracefold::colour_scale_test
