#include "emitters/messages/matrix_formats.hpp"

#include "emitters/layout.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace tracefold::matrix_formats_test {

using ::testing::HasSubstr;
using ::testing::Not;

MessageMatrix make_matrix() {
  MessageMatrix matrix;
  matrix.names = {"0", "1"};
  matrix.parts = {{"", {{0, 1, 3, 3072}, {1, 0, 1, 10}, {1, unknown_row, 2, 8}}}};
  return matrix;
}

TEST(MatrixFormats, TableShowsAFewRowsWhole) {
  const auto table = to_table(make_matrix(), MatrixMetric::bytes);
  EXPECT_THAT(table, HasSubstr("from \\ to"));
  EXPECT_THAT(table, HasSubstr("3.0 KiB"));
  EXPECT_THAT(table, HasSubstr("6 messages, "));
  EXPECT_THAT(table, HasSubstr("the receivers of 2 messages are not known"));
  EXPECT_THAT(table, Not(HasSubstr("not complete")));
}

TEST(MatrixFormats, TableOfManyRowsListsTheLargestPairs) {
  MessageMatrix matrix;
  for (std::uint32_t row = 0; row < 30; ++row)
    matrix.names.push_back(std::to_string(row));
  matrix.parts.emplace_back();
  for (std::uint32_t row = 0; row + 1 < 30; ++row)
    matrix.parts[0].cells.push_back({row, row + 1, 1, 100 + row});
  matrix.complete = false;

  const auto table = to_table(matrix, MatrixMetric::bytes);
  EXPECT_THAT(table, HasSubstr("  28  29         1  128 bytes"));
  EXPECT_THAT(table, HasSubstr("9 more pairs"));
  EXPECT_THAT(table, HasSubstr("not complete"));
}

TEST(MatrixFormats, CsvHasALineForEachPair) {
  EXPECT_EQ(to_csv(make_matrix()),
            "from,to,messages,bytes\r\n0,1,3,3072\r\n1,0,1,10\r\n1,unknown,2,8\r\n");

  auto matrix = make_matrix();
  matrix.split = MatrixSplit::tag;
  matrix.parts = {{"7", {{0, 1, 3, 3072}}}};
  EXPECT_EQ(to_csv(matrix), "tag,from,to,messages,bytes\r\n7,0,1,3,3072\r\n");
}

TEST(MatrixFormats, WaitingIsShownWhereItIsKnown) {
  auto matrix = make_matrix();
  matrix.knows_waiting = true;
  matrix.parts = {{"", {{0, 1, 3, 3072, 0.25, 0.5}, {1, 0, 1, 10, 2}}}};
  const auto table = to_table(matrix, MatrixMetric::waiting);
  EXPECT_THAT(table, HasSubstr("250 ms"));
  EXPECT_THAT(table, HasSubstr("2.00 s"));
  EXPECT_THAT(table, HasSubstr("receivers waited 2.25 s for late senders, "
                               "senders 500 ms for late receivers"));
  EXPECT_EQ(to_csv(matrix),
            "from,to,messages,bytes,waiting_seconds,late_receiver_seconds\r\n"
            "0,1,3,3072,0.25,0.5\r\n1,0,1,10,2,0\r\n");
  const auto read = nlohmann::json::parse(to_json(matrix));
  EXPECT_EQ(read["columns"].back(), "late_receiver_seconds");
  EXPECT_EQ(read["parts"][0]["cells"][0][4], 0.25);
  EXPECT_EQ(read["parts"][0]["cells"][0].back(), 0.5);
  EXPECT_THAT(to_svg(matrix, MatrixMetric::waiting), HasSubstr("0 to 1: 250 ms"));
}

TEST(MatrixFormats, JsonHoldsRowsByNumber) {
  const auto read = nlohmann::json::parse(to_json(make_matrix()));
  EXPECT_EQ(read["names"], (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(read["parts"][0]["cells"][0], (std::vector<int>{0, 1, 3, 3072}));
  EXPECT_TRUE(read["parts"][0]["cells"][2][1].is_null());
}

TEST(MatrixFormats, SvgHasACellForEachPairAndSurvivesAnyName) {
  auto matrix = make_matrix();
  matrix.rows = MatrixRows::node;
  matrix.names = {"<&\">", "b"};
  const auto svg = to_svg(matrix, MatrixMetric::messages);
  EXPECT_THAT(svg, HasSubstr("&lt;&amp;&quot;&gt; to b: 3"));
  EXPECT_THAT(svg, HasSubstr("messages sent: 6 messages"));
  EXPECT_THAT(svg, Not(HasSubstr("<&")));

  const auto empty = to_svg({}, MatrixMetric::bytes);
  EXPECT_THAT(empty, HasSubstr("</svg>"));
}

TEST(MatrixFormats, SvgHasColoursFromZeroOn) {
  auto matrix = make_matrix();
  matrix.parts = {{"", {{0, 1, 1, 73}, {1, 0, 1, 100}}}};
  const auto svg = to_svg(matrix, MatrixMetric::bytes);
  EXPECT_THAT(svg, HasSubstr("fill=\"#081d58\"><title>1 to 0: 100 bytes"));
  EXPECT_THAT(svg, HasSubstr("fill=\"#1c61a3\"><title>0 to 1: 73 bytes"));
  EXPECT_THAT(svg, HasSubstr(">0</text>"));
  EXPECT_THAT(svg, HasSubstr(">50 bytes</text>"));
  EXPECT_THAT(svg, HasSubstr(">linear scale</text>"));
}

TEST(MatrixFormats, SayWhatAGroupIs) {
  auto matrix = make_matrix();
  matrix.rows = MatrixRows::group;
  matrix.descriptions = {"inside of the grid", "corner"};
  const auto table = to_table(matrix, MatrixMetric::bytes);
  EXPECT_THAT(table, HasSubstr("0 inside of the grid"));
  EXPECT_THAT(table, HasSubstr("1 corner"));
  EXPECT_THAT(to_svg(matrix, MatrixMetric::bytes), HasSubstr("0 inside of the grid to 1 corner: "));
  EXPECT_THAT(to_csv(matrix), HasSubstr("\r\n0,1,3,3072\r\n"));
}

TEST(MatrixFormats, SvgDoesNotDependOnHowTablesAreShown) {
  auto matrix = make_matrix();
  matrix.parts[0].cells[0].messages = 1820;
  const auto in_groups = to_svg(matrix, MatrixMetric::messages);
  set_text_layout({.groups_digits = false});
  const auto plain = to_svg(matrix, MatrixMetric::messages);
  set_text_layout({});
  EXPECT_EQ(plain, in_groups);
}

}  // namespace tracefold::matrix_formats_test
