#include "emitters/table.hpp"
#include "emitters/layout.hpp"

#include <gtest/gtest.h>

namespace tracefold::table_test {

// A row of each kind: with all values, and with none that is known.
Table make_table() {
  Table table{{in_csv("group"), in_both("function", "function"),
               in_both("seconds", "total", Show::seconds, "{:.3f}"),
               in_both("share", "share", Show::percent), in_csv("median", {"spread", "at", "1"}),
               in_csv("ranks", {"furthest", "*", "rank"}), in_csv("exact"),
               in_text("who", {"who"})}};
  table.rows.push_back({{"function", "a,\x1b\"b\""},
                        {"seconds", 1.5},
                        {"share", 0.25},
                        {"spread", {{"at", {1, 18446744073709551615u, 3}}}},
                        {"furthest", {{{"rank", 3}}, {{"name", "no rank"}}, {{"rank", 1}}}},
                        {"exact", true},
                        {beside, {{"group", 7}, {"who", "rank 3"}}}});
  table.rows.push_back({{"function", "b"}, {"seconds", nullptr}, {"spread", nullptr}});
  table.unknown = "n/a";
  return table;
}

TEST(Table, IsCsvWithExactNumbersAndEmptyFieldsForWhatIsNotKnown) {
  EXPECT_EQ(write_csv(make_table()),
            "group,function,seconds,share,median,ranks,exact\r\n"
            "7,\"a,?\"\"b\"\"\",1.500,0.25,18446744073709551615,3 1,1\r\n"
            ",b,,,,,\r\n");
}

TEST(Table, IsCsvWithAHeadingWhereThereAreNoRows) {
  EXPECT_EQ(write_csv({{in_csv("a"), in_csv("b"), in_text("c", {"c"})}}), "a,b\r\n");
}

TEST(Table, IsTextForPeople) {
  EXPECT_EQ(write_text(make_table(), 1),
            "function   total  share  who\n"
            "  a,?\"b\"  1.50 s   25 %  rank 3\n"
            "       b     n/a    n/a  n/a\n");
}

TEST(Table, IsJsonWithoutWhatOnlyTheOtherFormatsHave) {
  const auto json = make_json(make_table());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_FALSE(json[0].contains("group"));
  EXPECT_FALSE(json[0].contains(beside));
  EXPECT_EQ(json[0]["seconds"], 1.5);
  EXPECT_TRUE(json[1]["seconds"].is_null());
}

TEST(Table, CutsNamesWhereLinesMayNotBeWideAndOnlyInText) {
  const std::string name(100, 'x');
  Table table{{in_csv("name"), in_text("name", {"name"}, Show::name)}};
  table.rows.push_back({{"name", name}});
  const TextLayoutScope narrow({.columns = 200});
  EXPECT_EQ(write_text(table).find(name), std::string::npos);
  EXPECT_NE(write_csv(table).find(name), std::string::npos);
}

}  // namespace tracefold::table_test
