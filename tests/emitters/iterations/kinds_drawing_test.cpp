#include "emitters/iterations/kinds_drawing.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::kinds_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;

namespace {

struct Made {
  Plan plan;
  GroupKinds kinds;
  IterationMap map;

  Made() {
    plan.trace.anchor = "app/traces.otf2";
    plan.trace.ticks_per_second = 1000;
    plan.processes.resize(3);
    plan.groups = {{{0, 1}, {0}, {1, 1}}, {{2}, {0}, {1, 1}}};
    (*plan.groups)[0].name = "inside <of>";
    (*plan.groups)[1].name = "edge";
    map.metric = "execution time";
    map.kind = MetricKind::time;
    map.iterations = 3;
    kinds.groups = {0, 1};
    kinds.kinds = {{0, {0, 2}}, {1, {1}}};
    kinds.cells = {{{{1, 2, 3, 4, 8}, 4, 0.2}, {{2, 2, 2, 2, 2}, 2, 0}},
                   {{{5, 5, 5, 5, 5}, 2, 0.013}, {}}};
  }
  std::string draw() const { return kinds_to_svg(plan, kinds, map); }
};

}  // namespace

TEST(KindsDrawing, TellsEachCell) {
  const auto svg = Made().draw();
  EXPECT_THAT(svg,
              HasSubstr("execution time of an iteration, by group and kind of iteration [ms]"));
  EXPECT_THAT(svg, HasSubstr(">like #0<"));
  EXPECT_THAT(svg, HasSubstr(">2 iterations<"));
  EXPECT_THAT(svg, HasSubstr(">1 iteration<"));
  EXPECT_THAT(svg, HasSubstr("0: 2× inside &lt;of&gt;"));
  EXPECT_THAT(svg, HasSubstr(">20 %<"));
  EXPECT_THAT(svg, HasSubstr(">1.3 %<"));
  EXPECT_THAT(svg, HasSubstr("fill=\"#e69f00\"")) << "the weakest cell";
  EXPECT_THAT(svg, HasSubstr("fill=\"#ffffff\"")) << "an exact one";
  EXPECT_THAT(svg, Not(HasSubstr("not drawn")));
}

TEST(KindsDrawing, TellsWhatItLeavesOut) {
  Made made;
  for (std::uint32_t k = 2; k < 14; ++k) {
    made.kinds.kinds.push_back({k, {k}});
    for (auto& cells : made.kinds.cells)
      cells.emplace_back();
  }
  EXPECT_THAT(made.draw(), HasSubstr("and 4 more kinds of iterations, which are not drawn"));
}

}  // namespace tracefold::kinds_drawing_test
