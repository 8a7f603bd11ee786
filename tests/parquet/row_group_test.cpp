#include "parquet/row_group.hpp"
#include "parquet/footer.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tracefold::parquet::row_group_test {

using ::testing::HasSubstr;

template <class Value>
std::string to_bytes(Value value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

// The bounds of one column with these values.
std::optional<Bounds> find_bounds(Type type, const std::vector<std::uint64_t>& values,
                                  const std::vector<std::string>& texts = {}) {
  const auto encoding = type == Type::text ? Encoding::dictionary : Encoding::plain;
  const std::vector<Column> columns{{"x", type, encoding}};
  RowGroupWriter writer(columns, texts);
  Rows rows(columns, 2);  // several pages
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows.put(0, values[i]);
    rows.end_row();
    if (rows.is_full() || i + 1 == values.size()) {
      writer.add(rows);
      rows.clear();
    }
  }
  return writer.finish().columns[0].bounds;
}

std::optional<Bounds> find_bounds_of_doubles(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (auto value : values)
    bits.push_back(std::bit_cast<std::uint64_t>(value));
  return find_bounds(Type::float64, bits);
}

MATCHER_P2(AreBounds, least, greatest, "") {
  return arg && arg->least == to_bytes(least) && arg->greatest == to_bytes(greatest);
}

TEST(Bounds, AreOrderedAsTheTypeIs) {
  const auto minus = [](std::int64_t n) { return static_cast<std::uint64_t>(-n); };
  const std::vector values{std::uint64_t{3}, minus(5), std::uint64_t{0}};
  EXPECT_THAT(find_bounds(Type::int64, values), AreBounds(std::int64_t{-5}, std::int64_t{3}));
  EXPECT_THAT(find_bounds(Type::int32, values), AreBounds(std::int32_t{-5}, std::int32_t{3}));
  EXPECT_THAT(find_bounds(Type::uint64, values), AreBounds(std::uint64_t{0}, minus(5)));
  EXPECT_THAT(find_bounds_of_doubles({2.5, -1e300, 7}), AreBounds(-1e300, 7.0));
  const std::vector<std::string> texts{"é", "b", "z"};
  EXPECT_EQ(find_bounds(Type::text, {0, 1, 2}, texts)->greatest, "é");
  EXPECT_EQ(find_bounds(Type::text, {0, 1, 2}, texts)->least, "b");
}

TEST(Bounds, OfZerosHoldBothZeros) {
  EXPECT_THAT(find_bounds_of_doubles({0.0}), AreBounds(-0.0, 0.0));
  EXPECT_THAT(find_bounds_of_doubles({-0.0}), AreBounds(-0.0, 0.0));
}

TEST(Bounds, AreAbsentWhereTheyWouldMislead) {
  EXPECT_FALSE(find_bounds_of_doubles({1, std::numeric_limits<double>::quiet_NaN(), 2}));
  EXPECT_FALSE(find_bounds_of_doubles({-std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_TRUE(find_bounds_of_doubles({std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(find_bounds(Type::text, {0}, {std::string(1000, 'x')}));
}

TEST(RowGroup, CountsRowsWithoutValue) {
  const std::vector<Column> columns{{"x", Type::int64, Encoding::plain, true}};
  RowGroupWriter writer(columns, {});
  Rows rows(columns, 3);
  for (const auto value : {std::optional<std::uint64_t>(), {1}, std::optional<std::uint64_t>()}) {
    rows.put(0, value);
    rows.end_row();
  }
  writer.add(rows);
  const auto group = writer.finish();
  EXPECT_EQ(group.rows, 3u);
  EXPECT_EQ(group.columns[0].missing, 2u);
  EXPECT_THAT(group.columns[0].bounds, AreBounds(std::int64_t{1}, std::int64_t{1}));
}

TEST(RowGroup, IsTheSameWhateverWasWrittenBefore) {
  const std::vector<std::string> texts{"one", "two"};
  const std::vector<Column> columns{{"n", Type::uint64, Encoding::dictionary},
                                    {"t", Type::text, Encoding::dictionary},
                                    {"d", Type::int64, Encoding::differences}};
  RowGroupWriter writer(columns, texts);
  const auto write = [&](std::uint64_t first) {
    Rows rows(columns, 100);
    for (std::uint64_t i = 0; i < 100; ++i) {
      rows.put(0, (first + i) << 40);
      rows.put(1, i % 2);
      rows.put(2, first * i);
      rows.end_row();
    }
    writer.add(rows);
    return writer.finish().pieces;
  };
  const auto pieces = write(7);
  write(1000);
  EXPECT_EQ(write(7), pieces);
}

TEST(Footer, CountsBytesOfAllGroups) {
  const std::vector<Column> columns{{"x", Type::int64}};
  RowGroupWriter writer(columns, {});
  Rows rows(columns, 1);
  rows.put(0, 5);
  rows.end_row();
  writer.add(rows);
  const auto group = writer.finish();

  Footer footer(columns);
  EXPECT_EQ(footer.end(), 4u);
  footer.add(group);
  footer.add(group);
  EXPECT_EQ(footer.end(), 4 + 2 * group.count_bytes());
  const auto bytes = footer.make({{"key", "value"}}, "test version 1");
  EXPECT_THAT(bytes, HasSubstr("key"));
  EXPECT_EQ(bytes.substr(bytes.size() - 4), "PAR1");
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4),
            to_bytes(static_cast<std::uint32_t>(bytes.size() - 8)));
}

}  // namespace tracefold::parquet::row_group_test
