#include "filters/iterations/profile_sums.hpp"

#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace tracefold::profile_sums_test {

using ::testing::ElementsAre;
using testing::profile_of;

constexpr std::uint64_t huge = ~std::uint64_t{0};

TEST(WideSums, AreExactWhereSingleSumsOverflow) {
  const std::vector<std::uint64_t> values{huge, 1, 0, huge / 2};
  WideSums sums(values), others(values);
  for (int k = 0; k < 4; ++k)
    sums.add(std::span(values));

  others.add(sums);
  others.push_back(Wide{5} << 70);
  others.push_back(7);
  EXPECT_TRUE(others[0] == Wide{huge} * 6);
  EXPECT_TRUE(others[1] == 6);
  EXPECT_TRUE(others[2] == 0);
  EXPECT_TRUE(others[3] == Wide{huge / 2} * 6);
  EXPECT_TRUE(others[4] == Wide{5} << 70);
  EXPECT_TRUE(others[5] == 7);
}

TEST(WideSums, AreEqualHoweverTheyCameAbout) {
  const std::vector<std::uint64_t> a{huge, 2}, b{huge, 3};
  WideSums ab(a), ba(b);
  ab.add(std::span(b));
  ba.add(WideSums(a));
  EXPECT_TRUE(ab == ba);
  EXPECT_FALSE(ab == WideSums(a));
}

TEST(WideSums, CarryWhereOneOfThemOverflows) {
  WideSums sums;
  sums.reset(3);
  sums.low()[0] += 7;
  EXPECT_TRUE(sums.fit_64_bits());

  for (int k = 0; k < 3; ++k)
    sums.add(1, huge);
  EXPECT_FALSE(sums.fit_64_bits());
  EXPECT_TRUE(sums == WideSums(std::vector<Wide>{7, Wide{huge} * 3, 0}));

  sums.reset(2);
  EXPECT_TRUE(sums == WideSums(std::vector<std::uint64_t>{0, 0}));
  EXPECT_TRUE(sums.fit_64_bits());
}

// By path and column; what is 0 is left out.
using Values = std::map<std::pair<PathIndex, std::size_t>, Wide>;

void add_values(Values& sums, const CallPathProfile& profile, std::size_t columns) {
  for (std::size_t r = 0; r < profile.rows.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c)
      if (const auto value = profile.value(r, c))
        sums[{profile.rows[r].path, c}] += value;
}

Values list_values(const ProfileSums& sums) {
  Values out;
  for (std::size_t r = 0; r < sums.rows().size(); ++r)
    for (auto place = sums.first(r); place < sums.end(r); ++place)
      out[{sums.rows()[r].path, sums.column(place)}] = sums.value(place);
  return out;
}

TEST(ProfileSums, AreTheSumsOfAnyProfiles) {
  constexpr std::size_t columns = 6;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto paths = 1 + random() % 5;
    ProfileSums sums;
    Values expected;

    const auto profiles = random() % 6;
    for (std::size_t i = 0; i < profiles; ++i) {
      CallPathProfile profile;
      for (std::uint32_t path = 0; path < paths; ++path) {
        if (random() % 3 == 0)
          continue;
        std::vector<std::uint64_t> row(columns);
        for (auto& value : row)
          value = random() % 2 ? 0 : random() % 4 ? random() % 100 : huge;
        testing::add_row(profile, {path, random() % 2 ? PathKind::mpi : PathKind::usr}, row);
      }

      add_values(expected, profile, columns);
      if (random() % 2) {
        sums.add(ProfileSums(profile));
      } else {
        ProfileSums first(profile);
        first.add(sums);
        sums = std::move(first);
      }
    }

    ASSERT_TRUE(list_values(sums) == expected) << "seed " << seed;
    ASSERT_EQ(sums.iterations(), profiles);
    ASSERT_TRUE(std::is_sorted(sums.rows().begin(), sums.rows().end(),
                               [](const auto& a, const auto& b) { return a.path < b.path; }));
  }
}

TEST(ProfileSums, TakeTheStrongerKindOfAPath) {
  ProfileSums sums(profile_of({{1, PathKind::usr, {1}}, {2, PathKind::com, {1}}}));
  sums.add(ProfileSums(profile_of({{1, PathKind::mpi, {1}}, {2, PathKind::usr, {1}}})));
  EXPECT_THAT(sums.rows(), ElementsAre(PathRow{1, PathKind::mpi}, PathRow{2, PathKind::com}));
}

}  // namespace tracefold::profile_sums_test
