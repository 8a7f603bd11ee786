#include "emitters/profile/profile_drawing.hpp"

#include "emitters/show_names.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::profile_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;

// Two groups of two processes each, and a row whose axis ends at 1000 ticks of a microsecond.
struct Made {
  Plan plan;
  ProfileReport report;

  Made() {
    plan.trace.anchor = "/somewhere/app/traces.otf2";
    plan.trace.ticks_per_second = 1'000'000;
    plan.functions = {{"<work> & \x1b[31m", "", "", 0}};
    plan.processes.resize(4);
    for (std::uint64_t p = 0; p < 4; ++p)
      plan.processes[p].rank = p;
    plan.groups = {{{0, 1}, {0}, {1, 1}}, {{2, 3}, {0}, {1, 1}}};

    ProfileRow row;
    row.function = 0;
    row.exclusive = {{100, 250, 500, 750, 900}, 1000, 1, {1}, {1000}};
    row.inclusive = {{100, 250, 500, 750, 900}, 1000, 0, {}};
    row.visits = {{1, 1, 1, 1, 2}, 5, 0, {}};
    report.groups = {{0, 2, {row}, 0}, {1, 2, {row}, 3}};
    report.all = GroupProfile{all_groups, 4, {row}, 0};
  }

  std::string draw(Quantity shown = Quantity::exclusive) const {
    return to_svg(plan, report, shown);
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

// Two functions: the second group has 100 ticks in the first one, and from 200 to 400 in the other.
TEST(ProfileDrawing, BeginsWithStairsOfEachGroup) {
  Made made;
  made.plan.functions.push_back({"other", "", "", 0});
  made.report.summary = {{0, 1}, {{{0, 0, 0}, {0, 1000, 500}}, {{100, 100, 100}, {200, 400, 300}}}};
  const auto svg = made.draw();
  EXPECT_THAT(svg, HasSubstr("other: 200/300/400 us")) << "in the unit of the largest one";
  EXPECT_THAT(svg, HasSubstr("100 us"));
  // 560 pixels are 1000 ticks; the least, the mean and the most of the second group's `other`.
  EXPECT_THAT(svg, HasSubstr("M326 127v-18h112v6h56v6h56v6z"));
  EXPECT_EQ(count(svg, "fill=\"#0072b2\""), 2u) << "one stair and the key: 0 is not drawn";
}

TEST(ProfileDrawing, LeavesOutAllWhereThreadsAreAmongThem) {
  Made made;
  EXPECT_THAT(made.draw(), HasSubstr("all 4 processes"));
  made.plan.processes[3].thread = 1;
  EXPECT_THAT(made.draw(), Not(HasSubstr("all 4 processes")));
}

TEST(ProfileDrawing, TellsThePartOfTheRun) {
  const Made made;
  EXPECT_THAT(to_svg(made.plan, made.report, Quantity::exclusive, "the main loop"),
              HasSubstr("app/traces.otf2 · the main loop"));
}

// The axis begins at 270 and ends at 830 pixels, which is 1000 ticks.
TEST(ProfileDrawing, HasBoxesWhiskersMediansAndOutliers) {
  const auto svg = Made().draw();
  EXPECT_EQ(count(svg, "<rect x=\"410\""), 3u) << "25 %";
  EXPECT_EQ(count(svg, "width=\"280\" height=\"11\""), 3u) << "to 75 %";
  EXPECT_EQ(count(svg, "M326 94L410 94"), 1u) << "the whisker to 2 %";
  EXPECT_EQ(count(svg, "M326 91.25L326 96.75"), 1u) << "its end";
  EXPECT_EQ(count(svg, "M774 "), 3u) << "the end of the whisker to 98 %";
  EXPECT_EQ(count(svg, "M550 "), 3u) << "the median";
  EXPECT_EQ(count(svg, "<circle cx=\"830\""), 3u);
  EXPECT_EQ(svg, Made().draw());
}

TEST(ProfileDrawing, NamesWhatItShows) {
  const auto svg = Made().draw();
  EXPECT_THAT(svg, HasSubstr("exclusive time of processes [ms]"));
  EXPECT_THAT(svg, HasSubstr("app/traces.otf2"));
  EXPECT_THAT(svg, Not(HasSubstr("somewhere")));
  EXPECT_LT(svg.find("all 4 processes, 0-3"), svg.find("group 0: 2 processes"));
  EXPECT_THAT(svg, HasSubstr("&lt;work&gt; &amp; ?[31m"));
  EXPECT_THAT(svg, HasSubstr("50 %: 500 us"));
  EXPECT_THAT(svg, HasSubstr("rank 1: 1.00 ms"));
  EXPECT_THAT(svg, HasSubstr("and 3 more"));
  EXPECT_THAT(Made().draw(Quantity::visits), HasSubstr("visits of processes"));
}

TEST(ProfileDrawing, HasShortNamesAndWholeOnesBesideThem) {
  Made made;
  made.plan.functions = {
      {"unsigned long drawn::solve_all<drawn::Matrix<double> >(drawn::Matrix<double>&)", "", "",
       0}};
  know_functions(made.plan.functions);
  const auto svg = made.draw();
  EXPECT_THAT(svg, HasSubstr(">solve_all</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>unsigned long drawn::solve_all&lt;"));
}

TEST(ProfileDrawing, ShowsOnlyTheMedianOfKeptProcesses) {
  Made made;
  made.report.all.reset();
  made.report.groups.resize(1);
  made.report.groups[0].processes = 9;
  const auto svg = made.draw();
  EXPECT_THAT(svg, HasSubstr("(of the 2 kept processes only)"));
  EXPECT_EQ(count(svg, "<circle"), 1u) << "in the legend";
  EXPECT_THAT(svg, Not(HasSubstr("25 %: ")));
}

TEST(ProfileDrawing, SaysHowManyGroupsAreNotDrawn) {
  Made made;
  made.report.groups.resize(40, made.report.groups[0]);
  EXPECT_THAT(made.draw(), HasSubstr("and 17 more groups, which are not drawn"));
}

TEST(ProfileDrawing, IsOfNothing) {
  Made made;
  made.report.all.reset();
  made.report.groups = {{0, 2, {}, 0}};
  EXPECT_THAT(made.draw(), HasSubstr("no calls"));
  EXPECT_THAT(made.draw(), Not(HasSubstr("nan")));
  made.report.groups.clear();
  EXPECT_THAT(made.draw(), HasSubstr("</svg>"));
}

}  // namespace tracefold::profile_drawing_test
