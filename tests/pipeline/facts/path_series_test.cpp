// Series of iterations by call path, of a process that calls many functions.
#include "pipeline/facts/path_series.hpp"

#include <gmock/gmock.h>

#include <array>
#include <span>
#include <vector>

namespace tracefold::path_series_test {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// The columns of a profile are time and visits, and time is recorded.
const std::vector<std::size_t> time_only{0};

struct Call {
  PathIndex path = 0;
  std::uint64_t time = 0;
};

// Call path p is of function p - 1, which main calls, and path 1 is main.
std::vector<CallPath> make_tree(std::size_t functions) {
  std::vector<CallPath> paths(1);
  for (FunctionIndex f = 0; f < functions; ++f)
    paths.push_back({f == 0 ? 0u : 1u, f});
  return paths;
}

CallPathProfile make_profile(const std::vector<Call>& calls) {
  CallPathProfile profile;
  for (const auto& [path, time] : calls) {
    profile.rows.push_back({path, PathKind::usr});
    profile.values.push_back({0, time});
    profile.values.push_back({1, 1});
    profile.ends.push_back(static_cast<std::uint32_t>(profile.values.size()));
  }
  return profile;
}

TEST(PathSeries, HaveZerosWhereACallPathIsNotInAnIteration) {
  const std::vector<bool> wanted{false, true, true, false};
  const auto tree = make_tree(wanted.size());
  PathSeries series(wanted, time_only);
  series.add(0, 0, make_profile({{1, 5}, {3, 7}}), tree);
  series.add(0, 2, make_profile({{2, 9}, {4, 1}}), tree);
  series.add(1, 0, make_profile({{3, 8}}), tree);

  const std::array<std::size_t, 2> lengths{4, 1};
  const auto found = series.finish(lengths);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].path, 3u);
  EXPECT_THAT(found[0].loops.at(0).read(0), ElementsAre(7, 0, 0, 0));
  EXPECT_THAT(found[0].loops.at(1).read(0), ElementsAre(8));
  EXPECT_EQ(found[1].path, 2u);
  EXPECT_THAT(found[1].loops.at(0).read(0), ElementsAre(0, 0, 9, 0));
  EXPECT_THAT(found[1].loops, SizeIs(1));
}

TEST(PathSeries, AreOfCallPathsInLoopsHoweverManyAreElsewhere) {
  constexpr PathIndex many = 3 * PathSeries::most_paths;
  const std::vector<bool> wanted(many, true);
  const auto tree = make_tree(wanted.size());
  PathSeries series(wanted, time_only);
  for (PathIndex path = many; path > many / 2; --path)
    series.add(0, 0, make_profile({{path, path}}), tree);

  const std::array<std::size_t, 1> lengths{1};
  const auto found = series.finish(lengths);
  ASSERT_THAT(found, SizeIs(PathSeries::most_paths));
  EXPECT_EQ(found.front().path, many);
  EXPECT_THAT(found.front().loops.at(0).read(0), ElementsAre(many));
}

}  // namespace tracefold::path_series_test
