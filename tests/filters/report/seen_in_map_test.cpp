#include "filters/report/seen_in_map.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <numeric>

namespace tracefold::seen_in_map_test {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class Value>
IterationMap make_map(std::size_t rows, std::size_t columns, Value&& value) {
  IterationMap map;
  map.iterations = map.columns = columns;
  map.processes.resize(rows);
  std::iota(map.processes.begin(), map.processes.end(), std::size_t{0});
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c)
      map.values.push_back(value(r, c));
  return map;
}

TEST(SeenInMap, ProcessesThatTakeMoreOrLessThanAllOthers) {
  const auto map = make_map(4, 3, [](auto r, auto c) {
    return (r == 1 ? 20.0 : r == 3 ? 2.0 : 10.0) + static_cast<double>(c);
  });
  EXPECT_TRUE(shows_processes(map, {1}, 0));
  EXPECT_TRUE(shows_processes(map, {3}, 0));
  EXPECT_FALSE(shows_processes(map, {0}, 0));     // others have more, and others less
  EXPECT_FALSE(shows_processes(map, {1, 3}, 0));  // on both sides of the others
  EXPECT_TRUE(shows_processes(map, {1}, 9));
  EXPECT_FALSE(shows_processes(map, {1}, 11));
}

TEST(SeenInMap, NoiseIsNotSeen) {
  const auto map = make_map(4, 3, [](auto r, auto) { return r == 1 ? 10.5 : 10.0; });
  EXPECT_FALSE(shows_processes(map, {1}, 0));
}

TEST(SeenInMap, ProcessesWithoutValuesAreNotSeen) {
  const auto map = make_map(3, 2, [](auto r, auto c) {
    return r == 2 ? none : r == 0 && c == 0 ? none : r == 0 ? 20.0 : 10.0;
  });
  EXPECT_TRUE(shows_processes(map, {0}, 0));
  EXPECT_FALSE(shows_processes(map, {2}, 0));
  EXPECT_FALSE(shows_processes(map, {0, 2}, 0));
  EXPECT_FALSE(shows_processes(map, {0, 1}, 0));  // nobody else has any
}

TEST(SeenInMap, IterationsOfAllOrOfSome) {
  const auto map = make_map(10, 8, [](auto r, auto c) { return r == 3 && c == 5 ? 20.0 : 10.0; });
  EXPECT_FALSE(shows_iterations(map, {}, 5, 5, 0));  // 11 on average
  EXPECT_TRUE(shows_iterations(map, {3}, 5, 5, 0));
  EXPECT_FALSE(shows_iterations(map, {3}, 5, 5, 11));
  EXPECT_FALSE(shows_iterations(map, {3}, 0, 7, 0));  // there are no others
}

TEST(SeenInMap, ColumnsOfSeveralIterations) {
  auto map = make_map(2, 4, [](auto, auto c) { return c == 2 ? 20.0 : 10.0; });
  map.per_column = 5;
  map.iterations = 20;
  EXPECT_TRUE(shows_iterations(map, {}, 11, 13, 0));
  EXPECT_TRUE(shows_iterations(map, {}, 9, 13, 4));  // two columns, 15 on average
  EXPECT_FALSE(shows_iterations(map, {}, 9, 13, 6));
}

}  // namespace tracefold::seen_in_map_test
