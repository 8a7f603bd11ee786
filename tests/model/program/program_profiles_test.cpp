#include "model/program/program_profiles.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>

namespace tracefold::program_profiles_test {

using ::testing::ElementsAre;
using Values = std::vector<std::uint64_t>;

constexpr auto largest = ~std::uint64_t{0};

TEST(PackedRows, AreReadByColumn) {
  PackedRows rows;
  rows.add(std::array<std::uint64_t, 3>{0, 127, largest});
  rows.add(std::array<std::uint64_t, 3>{0, 128, 0});
  rows.add(std::array<std::uint64_t, 3>{0, 16'384, std::uint64_t{1} << 63});
  rows.finish();

  EXPECT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows.read(0), (Values{0, 0, 0}));
  EXPECT_EQ(rows.read(1), (Values{127, 128, 16'384}));
  EXPECT_EQ(rows.read(2), (Values{largest, 0, std::uint64_t{1} << 63}));
}

TEST(PackedRows, KnowWhichColumnsHaveAnyValue) {
  PackedRows rows;
  rows.add(std::array<std::uint64_t, 4>{0, 0, 5, 0});
  rows.add(std::array<std::uint64_t, 4>{0, 1, 0, 0});
  rows.finish();

  EXPECT_FALSE(rows.has(0));
  EXPECT_TRUE(rows.has(1));
  EXPECT_TRUE(rows.has(2));
  EXPECT_FALSE(rows.has(3));
  EXPECT_FALSE(rows.has(4));
  EXPECT_EQ(rows.read(3), (Values{0, 0}));
  EXPECT_EQ(rows.read(4), (Values{0, 0}));
}

TEST(PackedRows, MayHaveNoIteration) {
  PackedRows rows;
  rows.finish();

  EXPECT_EQ(rows.size(), 0u);
  EXPECT_FALSE(rows.has(0));
  EXPECT_TRUE(rows.read(0).empty());
}

TEST(PackedRows, AreNotReadWhereAnotherMemberOfATeamHasThem) {
  PackedRows rows;
  rows.add(std::array<std::uint64_t, 2>{0, 5});
  rows.add(std::array<std::uint64_t, 2>{0, 6});
  rows.finish();
  const auto elsewhere = rows.leave_values();

  EXPECT_TRUE(elsewhere.is_elsewhere());
  EXPECT_EQ(elsewhere.size(), 2u);
  EXPECT_EQ(elsewhere.bytes(), 0u);
  EXPECT_THROW(static_cast<void>(elsewhere.has(0)), std::logic_error) << "unknown is not 0";
  EXPECT_THROW(elsewhere.read(1), std::logic_error);
  EXPECT_THROW(elsewhere.reorder(std::array<std::uint64_t, 2>{1, 0}), std::logic_error);
  EXPECT_FALSE(rows.is_elsewhere());
}

// Late-sender time lies within point-to-point time, and is no part of execution time by itself.
class PartsOfTime : public ::testing::Test {
 protected:
  const MetricColumns columns_{
      {Metric::execution_time, Metric::mpi_point_to_point_time, Metric::mpi_late_sender_time,
       Metric::openmp_management_time, Metric::visits},
      {{"joules", 1000}}};
};

TEST_F(PartsOfTime, AreTakenFromTheWhole) {
  Values values{1'000, 300, 200, 50, 7, 9};
  replace_time_by_rest(columns_, values);
  EXPECT_THAT(values, ElementsAre(650, 300, 200, 50, 7, 9));
}

TEST_F(PartsOfTime, GiveTheWholeAgain) {
  const std::vector<Values> all{
      {1'000, 300, 200, 50, 7, 9}, {350, 300, 0, 50, 0, 0}, {largest, largest - 4, 0, 4, 1, 1}};
  for (const auto& whole : all) {
    auto values = whole;
    replace_time_by_rest(columns_, values);
    EXPECT_NE(values, whole);
    values[0] += values[1] + values[3];  // MPI point-to-point and OpenMP time
    EXPECT_EQ(values, whole);
  }
}

}  // namespace tracefold::program_profiles_test
