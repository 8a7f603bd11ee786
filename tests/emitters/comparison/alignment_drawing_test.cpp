#include "emitters/comparison/alignment_drawing.hpp"

#include <gmock/gmock.h>

namespace tracefold::alignment_drawing_test {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(AlignmentDrawing, ShowsBothProcessesAndWhatCostsMost) {
  CallAlignment alignment;
  alignment.process_a = "rank <0>";
  alignment.process_b = "rank 1";
  alignment.same = {5, 1, 1.5};
  alignment.inserted = {1, 0, 0.25};
  alignment.costly = {{CallChange::inserted, "main > check", {}, 4, 2, 0, 0.25}};

  AlignmentPicture picture;
  picture.length = 2;
  using Columns = std::vector<DrawnKind>;
  picture.rows[0].kinds = {Columns(picture_columns, DrawnKind::same)};
  picture.rows[0].calls = {{{0, 2}, 0, "main"}};
  picture.rows[1].kinds = {Columns(picture_columns, DrawnKind::same),
                           Columns(picture_columns, DrawnKind::alone)};
  picture.links = {{0, 0}, {1, 1.5}};
  picture.costly = {{{}, AlignmentPicture::Span{1, 1.25}}};

  const auto svg = to_svg(alignment, picture);
  EXPECT_THAT(svg, HasSubstr("only B calls main &gt; check in iteration 4, for 250 ms"));
  EXPECT_THAT(svg, HasSubstr("A: rank &lt;0&gt;, "));
  EXPECT_THAT(svg, HasSubstr("in both: 5 calls, 1.00 s in A and 1.50 s in B"));
  EXPECT_THAT(svg, HasSubstr("in B alone: 1 call, 250 ms"));
  EXPECT_THAT(svg, Not(HasSubstr("in A alone")));
  EXPECT_THAT(svg, Not(HasSubstr("takes longer here")));
  // From 1 s at A's lower edge to 1.5 s at B's upper one.
  EXPECT_THAT(svg, HasSubstr("M510 79L735 169"));
}

TEST(AlignmentDrawing, DrawsProcessesWithoutCalls) {
  EXPECT_THAT(to_svg(CallAlignment(), AlignmentPicture()),
              Not(::testing::ContainsRegex("inf|nan")));
}

}  // namespace tracefold::alignment_drawing_test
