#include "emitters/iterations/place_drawing.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace tracefold::place_drawing_test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;
using ::testing::Not;

constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

// Rows at the places (0, 1), (1, 0), (1, 0) and nowhere, two iterations each.
IterationMap make_map() {
  IterationMap map;
  map.processes = {0, 1, 2, 3};
  map.iterations = map.columns = 2;
  map.values = {1, 3, 10, nan, 20, 30, 99, 99};
  map.shown.names = {"(0, 1)", "(1, 0)", "(1, 0) thread 1", "no place"};
  map.shown.axes = {{2}, {3}};
  map.shown.places = {{0, 1}, {1, 0}, {1, 0}, {}};
  return map;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

std::string draw(const std::vector<GridAxis>& axes, const std::vector<double>& values,
                 double width = 460) {
  const ColourScale scale(ColourScaling::linear, values);
  return PlaceDrawing(axes, width).draw(10, 20, values, scale, [](double value) {
    return std::to_string(static_cast<int>(value));
  });
}

TEST(PlaceValues, AreMeansOverIterationsAndProcesses) {
  EXPECT_THAT(find_place_values(make_map()),
              ElementsAre(IsNan(), DoubleEq(2), IsNan(), DoubleEq(20), IsNan(), IsNan()));
  auto map = make_map();
  map.shown.axes.clear();
  EXPECT_THAT(find_place_values(map), IsEmpty());
}

TEST(PlaceDrawing, HasACellForEachPlace) {
  const auto svg = draw({{2}, {3}}, {nan, 2, nan, 20, nan, nan});
  EXPECT_THAT(svg, HasSubstr("(0, 1): 2<"));
  EXPECT_THAT(svg, HasSubstr("(1, 0): 20<"));
  EXPECT_EQ(count(svg, "no value"), 4u);
  // The last axis goes to the right, the one before it down.
  EXPECT_THAT(svg, HasSubstr("(0, 1): 2</title><rect x=\"36\" y=\"20\" width=\"26\" "
                             "height=\"26\" fill=\"#440154\"/>"));
  EXPECT_THAT(svg, HasSubstr("(1, 0): 20</title><rect x=\"10\" y=\"46\" width=\"26\" "
                             "height=\"26\" fill=\"#fde725\"/>"));
}

TEST(PlaceDrawing, DrawsALineOfPlaces) {
  const auto svg = draw({{4}}, {1, 2, 3, 4});
  EXPECT_EQ(count(svg, "<title>"), 4u);
  EXPECT_THAT(svg, HasSubstr("<title>(3): 4<"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"88\" y=\"20\""));
}

TEST(PlaceDrawing, HasABlockForEachPlaceOnOtherAxes) {
  std::vector<double> values(2 * 2 * 3);
  for (std::size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<double>(k);
  const auto svg = draw({{2}, {2}, {3}}, values);
  EXPECT_THAT(svg, HasSubstr("(0, *, *)"));
  EXPECT_THAT(svg, HasSubstr("(1, *, *)"));
  EXPECT_THAT(svg, HasSubstr("<title>(1, 0, 2): 8<"));
  EXPECT_EQ(count(svg, "<title>"), 12u);
}

TEST(PlaceDrawing, FitsItsWidth) {
  std::vector<double> values(8 * 40 * 100);
  const std::vector<GridAxis> axes{{8}, {40}, {100}};
  const PlaceDrawing drawing(axes, 460);
  EXPECT_GT(drawing.height(), 0);
  const auto svg = draw(axes, values);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("width=\"-")));
}

}  // namespace tracefold::place_drawing_test
