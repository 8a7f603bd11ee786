#include "filters/errors/function_differences.hpp"
#include "filters/iterations/errors/path_differences.hpp"

#include <gmock/gmock.h>

namespace tracefold::function_differences_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Function> make_functions() {
  return {{"main", "", "", 0}, {"step", "", "a.c", 0}, {"step", "", "b.c", 0}};
}

TEST(FunctionDifferences, TellsTheLargestFirst) {
  FunctionDifferences sums;
  sums.add(1, {10, 0, 0}, {4, 0, 0});
  sums.add(0, {5, 20, 0}, {6, 0, 3});
  FunctionDifferences others;
  others.add(2, {0, 0, 0}, {6, 0, 0});
  others.add(virtual_root, {99, 0, 0}, {});
  sums.add(others);

  const FunctionError largest{"main", TimeKind::communication, 0.2};
  const FunctionError first{"step (a.c)", TimeKind::computation, 0.06};
  const FunctionError second{"step (b.c)", TimeKind::computation, 0.06};
  const FunctionError waiting{"main", TimeKind::waiting, 0.03};
  const FunctionError least{"main", TimeKind::computation, 0.01};
  EXPECT_THAT(sums.list_largest(make_functions(), 100),
              ElementsAre(largest, first, second, waiting, least));
  EXPECT_THAT(FunctionDifferences().list_largest(make_functions(), 0), IsEmpty());
}

TEST(FunctionDifferences, TellsAFewOnly) {
  FunctionDifferences sums;
  std::vector<Function> functions;
  for (FunctionIndex f = 0; f < 2 * most_function_errors; ++f) {
    functions.push_back({"f" + std::to_string(f), "", "", 0});
    sums.add(f, {f + 1, 0, 0}, {});
  }
  const auto found = sums.list_largest(functions, 1000);
  ASSERT_EQ(found.size(), most_function_errors);
  EXPECT_EQ(found.front().function, "f9");
}

// Execution time is that of all its parts.
TEST(PathDifferences, ComparesAnIterationWithTheOneThatStandsForIt) {
  const MetricColumns columns{{Metric::execution_time, Metric::mpi_point_to_point_time,
                               Metric::mpi_late_sender_time, Metric::visits},
                              {}};
  PathDifferences differences(columns);
  CallPathProfile original, other;
  // Paths 1 and 2 of the iteration, and 2 and 3 of what stands for it.
  original.rows = {{1, {}}, {2, {}}};
  original.ends = {2, 5};
  original.values = {{0, 30}, {3, 1}, {0, 20}, {1, 20}, {2, 15}};
  other.rows = {{2, {}}, {3, {}}};
  other.ends = {3, 4};
  other.values = {{0, 22}, {1, 22}, {2, 5}, {0, 7}};
  differences.add(original, ProfileSums(other));
  EXPECT_TRUE(differences.all_time() == 50);

  FunctionDifferences sums;
  const std::vector<CallPath> paths{{}, {0, 0}, {1, 1}, {1, 2}};
  differences.add_to(sums, paths);
  const FunctionError computation{"main", TimeKind::computation, 30. / 50};
  const FunctionError communication{"step (a.c)", TimeKind::communication, 12. / 50};
  const FunctionError waiting{"step (a.c)", TimeKind::waiting, 10. / 50};
  const FunctionError only_there{"step (b.c)", TimeKind::computation, 7. / 50};
  EXPECT_THAT(sums.list_largest(make_functions(), differences.all_time()),
              ElementsAre(computation, communication, waiting, only_there));
}

}  // namespace tracefold::function_differences_test
