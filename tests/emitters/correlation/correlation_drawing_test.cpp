#include "emitters/correlation/correlation_drawing.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace tracefold::correlation_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr double nobody = std::numeric_limits<double>::quiet_NaN();

// Two views on a grid of two by four, the second one a step along y behind the first.
CorrelationReport make_report() {
  CorrelationReport report;
  report.scope.axes = {{"x", 2}, {"y", 4}};
  report.scope.views.resize(2);
  report.scope.views[0].metric = "waits <&>";
  report.scope.views[0].call_path = "main > wait";
  report.scope.views[1].metric = "computes";
  report.scope.views[1].call_path = "main > compute";
  report.findings.push_back({1, {}, 0.875, {0, 1}, 0, 0, 0.005});
  report.pictures = {{0, {0, 9, 0, 0, 1, 0, 0, nobody}}, {1, {0, 0, 9, 0, 0, 1, 0, nobody}}};
  return report;
}

TEST(CorrelationDrawing, NamesBothViewsAndTheShift) {
  const auto svg = to_svg({}, make_report());
  EXPECT_THAT(svg, HasSubstr("r +0.875, shift y+1, chance 0.005"));
  EXPECT_THAT(svg, HasSubstr("waits &lt;&amp;&gt;"));
  EXPECT_THAT(svg, HasSubstr("main &gt; compute"));
  EXPECT_THAT(svg, Not(HasSubstr("<&")));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++found;
  return found;
}

// The same place is marked in both maps, and one row further in the second.
TEST(CorrelationDrawing, MarksWhereTheShiftLeads) {
  const auto svg = to_svg({}, make_report());
  EXPECT_EQ(count(svg, "stroke-width=\"2.5\""), 2u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 2u);  // the place before, and the way

  auto report = make_report();
  report.findings[0].shift = {0, 0};
  const auto unshifted = to_svg({}, report);
  EXPECT_THAT(unshifted, Not(HasSubstr("stroke-dasharray")));
  EXPECT_THAT(unshifted, HasSubstr("not shifted"));
}

TEST(CorrelationDrawing, MarksNothingThatLeadsOutOfTheGrid) {
  auto report = make_report();
  report.findings[0].shift = {2, 0};
  EXPECT_THAT(to_svg({}, report), Not(HasSubstr("stroke-width=\"2.5\"")));
  report.scope.axes[0].periodic = true;
  EXPECT_THAT(to_svg({}, report), HasSubstr("stroke-width=\"2.5\""));
}

// A map is a picture, and so is the scale beside it.
TEST(CorrelationDrawing, DrawsASliceForEachPlaceOnTheThirdAxis) {
  auto report = make_report();
  EXPECT_EQ(count(to_svg({}, report), "<image"), 4u);

  report.scope.axes = {{"x", 2}, {"y", 2}, {"z", 2}};
  report.findings[0].shift = {0, 1, 0};
  const auto svg = to_svg({}, report);
  EXPECT_EQ(count(svg, "<image"), 6u);
  EXPECT_EQ(count(svg, ">z 0<"), 2u);
  EXPECT_EQ(count(svg, ">z 1<"), 2u);
  EXPECT_EQ(count(svg, ">x<"), 2u);
}

TEST(CorrelationDrawing, DrawsSeveralFindingsAndTheirSpectra) {
  auto report = make_report();
  report.scope.views.resize(3);
  report.scope.views[2].metric = "reads";
  report.findings.push_back({2, {}, -0.75, {0, 0}, 0, 0, 0.01});
  report.pictures.push_back({2, {5, 1, 5, 5, 4, 5, 5, nobody}});
  for (auto& picture : report.pictures)
    picture.magnitudes.assign(8, 0.5);

  const auto svg = to_svg({}, report);
  EXPECT_THAT(svg, HasSubstr("r -0.750, not shifted, chance 0.010"));
  EXPECT_THAT(svg, HasSubstr("reads"));
  EXPECT_EQ(count(svg, "<image"), 12u);
  EXPECT_EQ(count(svg, "spectrum, periods along x"), 3u);
  EXPECT_EQ(count(svg, "stroke-width=\"2.5\""), 3u) << "the place is marked in each map";
}

TEST(CorrelationDrawing, DrawsAViewThatNothingCorrelatesWith) {
  auto report = make_report();
  report.findings.clear();
  report.pictures.pop_back();
  const auto svg = to_svg({}, report);
  EXPECT_THAT(svg, HasSubstr("nothing correlates with this view"));
  EXPECT_THAT(svg, Not(HasSubstr("computes")));
}

}  // namespace tracefold::correlation_drawing_test
