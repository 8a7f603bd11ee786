#include "emitters/iterations/map_drawing.hpp"

#include "model/plan.hpp"
#include "tests/support/png_reader.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace tracefold::map_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_images;
using testing::ReadImage;

constexpr auto nan = std::numeric_limits<double>::quiet_NaN();

Plan make_plan(std::size_t ranks, std::size_t threads = 1) {
  Plan plan;
  plan.trace.anchor = "/somewhere/app/traces.otf2";
  plan.trace.ticks_per_second = 1000;
  for (std::size_t thread = 0; thread < threads; ++thread)
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      Process process;
      process.id = plan.processes.size();
      process.name = "process " + std::to_string(process.id);
      process.rank = rank;
      process.thread = thread;
      plan.processes.push_back(process);
    }

  return plan;
}

// A map of rows, each of a process with an iteration for each value.
IterationMap make_map(const std::vector<std::vector<double>>& rows) {
  IterationMap map;
  map.metric = "execution time";
  map.kind = MetricKind::time;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    map.processes.push_back(r);
    map.iterations = std::max(map.iterations, rows[r].size());
  }

  make_cells(map);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy(rows[r].begin(), rows[r].end(),
              map.values.begin() + static_cast<std::ptrdiff_t>(r * map.columns));

  return map;
}

ComparedMap make_maps(const std::vector<std::vector<double>>& rows) {
  ComparedMap maps;
  maps.original = make_map(rows);
  for (std::size_t r = 0; r < rows.size(); ++r)
    maps.kept_rows.push_back(r);
  return maps;
}

// The colour of a cell, of a picture with so many columns and rows that is enlarged.
Colour find_cell(const ReadImage& image, std::size_t columns, std::size_t rows, std::size_t column,
                 std::size_t row) {
  return image.at((2 * column + 1) * image.width / (2 * columns),
                  (2 * row + 1) * image.height / (2 * rows));
}

// A drawing is to be XML: elements are closed in turn, and no text opens one.
void expect_balanced(const std::string& svg) {
  std::vector<std::string> open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const auto end = svg.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const auto tag = svg.substr(at + 1, end - at - 1);
    if (tag.front() == '/') {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }

  EXPECT_TRUE(open.empty());
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

const auto palette = ColourScale::make_palette();

TEST(MapDrawing, PixelsAreTheValues) {
  const auto svg = to_svg(make_plan(2), make_maps({{0, 254, 100}, {50, nan, 254}}), {});
  expect_balanced(svg);
  const auto images = read_images(svg);
  ASSERT_EQ(images.size(), 2u) << "the map and the scale";

  const auto cell = [&](std::size_t column, std::size_t row) {
    return find_cell(images[0], 3, 2, column, row);
  };
  EXPECT_EQ(cell(0, 0), palette[0]);
  EXPECT_EQ(cell(1, 0), palette[254]);
  EXPECT_EQ(cell(2, 0), palette[100]);
  EXPECT_EQ(cell(0, 1), palette[50]);
  EXPECT_EQ(cell(1, 1), palette[ColourScale::unknown]);
  EXPECT_EQ(cell(2, 1), palette[254]);
  EXPECT_EQ(images[1].at(0, 0), palette[254]) << "the largest value is on top";
  EXPECT_EQ(images[1].at(0, 254), palette[0]);

  EXPECT_THAT(svg, HasSubstr("execution time by iteration and process [ms]"));
  EXPECT_THAT(svg, HasSubstr("app/traces.otf2 · loop 1 · 2 processes · 3 iterations"));
  EXPECT_THAT(svg, HasSubstr("no value"));
  EXPECT_THAT(svg, Not(HasSubstr("somewhere")));
  EXPECT_THAT(svg, Not(HasSubstr("that stays"))) << "all do";
}

TEST(MapDrawing, ShowsEachProcessOverItsIterations) {
  const auto svg = to_svg(make_plan(2), make_maps({{0, 254, 100}, {50, nan, 254}}), {});
  EXPECT_THAT(svg, HasSubstr("minimum, median and maximum over iterations, by process [ms]"));
  // 720 pixels for two processes, the first ones from 84 on.
  EXPECT_THAT(svg, HasSubstr("H444"));
  auto none = make_maps({{nan}, {nan}});
  expect_balanced(to_svg(make_plan(2), none, {}));
}

TEST(MapDrawing, ShowsTheGridWhereRowsAreInItsOrder) {
  auto maps = make_maps({{0, 254}, {50, 60}});
  EXPECT_THAT(to_svg(make_plan(2), maps, {}), Not(HasSubstr("place in the grid")));
  maps.original.shown.rows = RowChoice::topology;
  maps.original.shown.names = {"(0, 0)", "(0, 1)"};
  maps.original.shown.members = {{0}, {1}};
  maps.original.shown.axes = {{1}, {2}};
  maps.original.shown.places = {{0, 0}, {0, 1}};
  const auto svg = to_svg(make_plan(2), maps, {});
  expect_balanced(svg);
  EXPECT_THAT(svg, HasSubstr("by place in the grid of 1 × 2"));
  EXPECT_THAT(svg, HasSubstr("(0, 0): 127 ms"));
  EXPECT_THAT(svg, HasSubstr("(0, 1): 55 ms"));
}

TEST(MapDrawing, BothMapsHaveOneScale) {
  auto maps = make_maps({{0, 100}, {10, 200}});
  maps.reconstruction = make_map({{0, 254}, {0, 254}});
  maps.kept_rows = {0};
  maps.kept_iterations = {{1}};
  const auto svg = to_svg(make_plan(2), maps, {});
  expect_balanced(svg);
  const auto images = read_images(svg);
  ASSERT_EQ(images.size(), 3u);

  EXPECT_EQ(find_cell(images[0], 2, 2, 1, 0), palette[100]);
  EXPECT_EQ(find_cell(images[0], 2, 2, 1, 1), palette[200]);
  EXPECT_EQ(find_cell(images[1], 2, 2, 1, 1), palette[254]);
  EXPECT_THAT(svg, HasSubstr("reconstruction from 1 of 2 processes and 1 of 2 iterations"));
  EXPECT_THAT(svg, HasSubstr("iteration that stays"));
  EXPECT_THAT(svg, HasSubstr("process that stays"));
  // |254 + 254 - 300| + |0 - 10| of 310, and |154| + |54| + |10|.
  EXPECT_THAT(svg, HasSubstr("means over processes differ by 70.3 %, values by 70.3 %."));
}

TEST(MapDrawing, ThreadsStandBesideTheirRank) {
  auto maps = make_maps({{0}, {10}, {100}, {254}});
  const auto svg = to_svg(make_plan(2, 2), std::move(maps), {});
  const auto image = read_images(svg).at(0);
  EXPECT_EQ(find_cell(image, 1, 4, 0, 0), palette[0]);
  EXPECT_EQ(find_cell(image, 1, 4, 0, 1), palette[100]);
  EXPECT_EQ(find_cell(image, 1, 4, 0, 2), palette[10]);
  EXPECT_EQ(find_cell(image, 1, 4, 0, 3), palette[254]);
  EXPECT_THAT(svg, HasSubstr("its processes and threads"));
}

TEST(MapDrawing, RowsAreNamedByTheRanksThatThereAre) {
  auto plan = make_plan(3);
  plan.processes[1].rank = 17;
  plan.processes[2].rank = 40;
  const auto svg = to_svg(plan, make_maps({{1}, {2}, {3}}), {});
  EXPECT_THAT(svg, HasSubstr(">17</text>"));
  EXPECT_THAT(svg, HasSubstr(">40</text>"));

  plan.processes[0].rank.reset();
  EXPECT_THAT(to_svg(plan, make_maps({{1}, {2}, {3}}), {}), HasSubstr(">process 1</text>"));
}

TEST(MapDrawing, LargeMapsAreMeansOfBlocks) {
  std::vector<std::vector<double>> rows(3, std::vector<double>(2000, 0));
  for (std::size_t i = 0; i < 2000; ++i)
    rows[2][i] = i % 2 ? 508 : 0;
  rows[0][1999] = 254;
  rows[0][1998] = 254;
  const auto svg = to_svg(make_plan(3), make_maps(rows), {ColourScaling::linear, {1000, 1000}});
  const auto image = read_images(svg).at(0);
  EXPECT_EQ(image.width, 1000u);
  EXPECT_LE(image.height, 1000u);
  EXPECT_EQ(find_cell(image, 1000, 3, 5, 0), palette[0]);
  EXPECT_EQ(find_cell(image, 1000, 3, 5, 2), palette[254]);
  EXPECT_EQ(find_cell(image, 1000, 3, 999, 0), palette[254]);
  EXPECT_THAT(svg, HasSubstr("A pixel is the mean of 1 process × 2 iterations."));
}

TEST(MapDrawing, EqualizedSaysSo) {
  const auto svg =
      to_svg(make_plan(1), make_maps({{1, 2, 3, 1000}}), {ColourScaling::equalized, {}});
  expect_balanced(svg);
  const auto image = read_images(svg).at(0);
  EXPECT_EQ(find_cell(image, 4, 1, 1, 0), palette[85]);
  EXPECT_EQ(find_cell(image, 4, 1, 2, 0), palette[169]);
  EXPECT_THAT(svg, HasSubstr("histogram-equalized"));
}

TEST(MapDrawing, SmallAndEmptyMapsAreDrawn) {
  for (auto scaling : {ColourScaling::linear, ColourScaling::from_zero, ColourScaling::equalized})
    for (double value : {0.0, 7.0, nan}) {
      const auto svg = to_svg(make_plan(1), make_maps({{value}}), {scaling, {}});
      expect_balanced(svg);
      const auto images = read_images(svg);
      ASSERT_EQ(images.size(), value == value ? 2u : 1u) << "a scale where there is a value";
      EXPECT_THAT(svg, HasSubstr("1 process · 1 iteration<"));
    }
}

TEST(MapDrawing, NamesCannotLeaveTheirText) {
  auto plan = make_plan(1);
  plan.processes[0].rank.reset();
  plan.processes[0].name = "</text><b>\x1b";
  plan.trace.anchor = "/tmp/<&\">/a.otf2";
  auto maps = make_maps({{1, 2}});
  maps.original.metric = "\xff<!--";
  maps.original.call_path = "main > ]]>";
  const auto svg = to_svg(plan, maps, {});
  expect_balanced(svg);
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, Not(HasSubstr("<!--")));
  EXPECT_THAT(svg, Not(HasSubstr("\x1b")));
}

TEST(MapDrawing, PartsAreStackedAndTheSmallestAddedUp) {
  auto maps = make_maps({{100, 100}});
  maps.layers = {"execution time", MetricKind::time, 1, {}};
  for (int k = 0; k < 11; ++k)
    maps.layers.layers.push_back({"kind " + std::to_string(k) + " time", {10.0 + k, 10.0 + k}, {}});
  maps.layers.layers.push_back({"none time", {0, 0}, {}});
  const auto svg = to_svg(make_plan(1), maps, {});
  expect_balanced(svg);
  EXPECT_THAT(svg, HasSubstr("parts of execution time, means over processes [ms]"));
  EXPECT_THAT(svg, HasSubstr(">kind 10<"));
  EXPECT_THAT(svg, HasSubstr(">others<"));
  EXPECT_THAT(svg, Not(HasSubstr(">kind 2<"))) << "of the three smallest";
  EXPECT_THAT(svg, Not(HasSubstr(">none<")));

  maps.layers.layers.resize(1);
  EXPECT_THAT(to_svg(make_plan(1), maps, {}), Not(HasSubstr("parts of")));
}

}  // namespace tracefold::map_drawing_test
