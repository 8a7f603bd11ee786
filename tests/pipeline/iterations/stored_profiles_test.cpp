#include "pipeline/iterations/stored_profiles.hpp"

#include "tests/support/made_iterations.hpp"

#include <gmock/gmock.h>

#include <span>

namespace tracefold::stored_profiles_test {

// The values of one path after the other.
CallPathProfile profile(const std::vector<std::uint32_t>& paths,
                        const std::vector<std::uint64_t>& values) {
  CallPathProfile out;
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const auto columns = values.size() / paths.size();
    testing::add_row(out, {PathIndex{paths[k]}, PathKind::usr},
                     std::span(values).subspan(k * columns, columns));
  }

  return out;
}

std::vector<CallPathProfile> read_all(const StoredProfiles& stored) {
  std::vector<CallPathProfile> out;
  stored.visit([&](std::size_t iteration, const CallPathProfile& profile) {
    EXPECT_EQ(iteration, out.size());
    out.push_back(profile);
  });

  return out;
}

TEST(StoredProfiles, AreTheProfilesThatWereAdded) {
  constexpr auto largest = ~std::uint64_t{0};
  const std::vector<CallPathProfile> profiles{
      profile({1, 2}, {0, 1, 127, 128}),      profile({}, {}),
      profile({1, 2}, {5, 16383, 16384, 0}),  profile({3}, {largest, std::uint64_t{1} << 63}),
      profile({1, 2, 3}, {0, 0, 0, 1, 0, 0}), profile({3}, {0, 0})};
  StoredProfiles stored(1 << 20);
  for (const auto& p : profiles)
    stored.add(p);

  EXPECT_TRUE(stored.are_complete());
  for (int round = 0; round < 2; ++round) {
    const auto read = read_all(stored);
    ASSERT_EQ(read.size(), profiles.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      EXPECT_EQ(read[i].rows, profiles[i].rows) << i;
      EXPECT_EQ(read[i].ends, profiles[i].ends) << i;
      EXPECT_EQ(read[i].values, profiles[i].values) << i;
    }
  }
}

TEST(StoredProfiles, HoldZerosOfAnyNumber) {
  constexpr std::size_t columns = 100;
  StoredProfiles stored(1 << 20);
  for (std::size_t place = 0; place < 2 * columns; ++place) {
    std::vector<std::uint64_t> values(2 * columns);
    values[place] = 300;
    stored.add(profile({1, 2}, values));
  }

  const auto read = read_all(stored);
  ASSERT_EQ(read.size(), 2 * columns);
  for (std::size_t place = 0; place < 2 * columns; ++place)
    for (std::size_t k = 0; k < 2 * columns; ++k)
      EXPECT_EQ(read[place].value(k / columns, k % columns), k == place ? 300u : 0u)
          << place << ' ' << k;
}

TEST(StoredProfiles, AreDroppedWhereTheyNeedMoreMemoryThanIsAllowed) {
  StoredProfiles stored(1000);
  for (int i = 0; i < 200; ++i)
    stored.add(profile({1}, {1, 2}));

  EXPECT_FALSE(stored.are_complete());
  EXPECT_TRUE(read_all(stored).empty());
}

TEST(StoredProfiles, KeepRowsOfManyCallTreesApart) {
  StoredProfiles stored(1 << 20);
  for (std::uint32_t i = 0; i < 100; ++i)
    stored.add(profile({i % 40}, {i}));

  const auto read = read_all(stored);
  ASSERT_EQ(read.size(), 100u);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(read[i].rows[0].path, PathIndex{i % 40});
    EXPECT_EQ(read[i].value(0, 0), i);
  }
}

}  // namespace tracefold::stored_profiles_test
