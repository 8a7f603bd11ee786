#include "filters/comparison/other_calls.hpp"

#include "tests/support/made_runs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold::other_calls_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ranks = std::vector<std::vector<testing::MadeCall>>;
using Kind = OtherCalls::Kind;

struct Found {
  Kind kind;
  std::vector<std::string> in_a, in_b, classes;  // call paths, and functions

  bool operator==(const Found&) const = default;
};

void PrintTo(const Found& found, std::ostream* out) {
  *out << static_cast<int>(found.kind);
  for (const auto* list : {&found.in_a, &found.in_b, &found.classes})
    *out << " " << ::testing::PrintToString(*list);
}

std::vector<Found> find(const std::vector<testing::MadeCall>& a,
                        const std::vector<testing::MadeCall>& b, double iterations = 1) {
  const auto run_a = testing::make_run(Ranks(4, a)), run_b = testing::make_run(Ranks(4, b));
  const auto runs = join_runs(run_a, run_b);
  std::vector<Found> out;
  for (const auto& change : list_other_calls(runs, iterations)) {
    auto& found = out.emplace_back(Found{change.kind, {}, {}, {}});
    for (auto n : change.in_a)
      found.in_a.push_back(runs.calls.name_path(n));
    for (auto n : change.in_b)
      found.in_b.push_back(runs.calls.name_path(n));
    for (auto c : change.classes)
      found.classes.push_back(runs.calls.name_class(c));
    std::sort(found.classes.begin(), found.classes.end());
  }
  return out;
}

}  // namespace

TEST(ListOtherCalls, TakesACallWithWhatItCalls) {
  const auto make = [](std::uint64_t times) {
    return std::vector<testing::MadeCall>{{{"main"}, 100, 1},
                                          {{"main", "solve"}, 50, 10},
                                          {{"main", "dot"}, 10 * times, 10 * times},
                                          {{"main", "dot", "MPI_Allreduce"}, 5, 10 * times}};
  };
  EXPECT_THAT(find(make(1), make(1)), IsEmpty());
  EXPECT_THAT(find(make(1), make(3)),
              ElementsAre(Found{Kind::often, {}, {"main > dot"}, {"MPI_Allreduce", "dot"}}));
}

TEST(ListOtherCalls, KnowsThatIterationsBringCallsAbout) {
  const auto make = [](std::uint64_t steps, std::uint64_t sums) {
    return std::vector<testing::MadeCall>{{{"main"}, 100, 1},
                                          {{"main", "step"}, steps, steps},
                                          {{"main", "step", "MPI_Allreduce"}, sums, sums}};
  };
  EXPECT_THAT(find(make(20, 20), make(30, 30), 1.5), IsEmpty());
  EXPECT_THAT(
      find(make(20, 20), make(30, 90), 1.5),
      ElementsAre(Found{Kind::often, {}, {"main > step > MPI_Allreduce"}, {"MPI_Allreduce"}}));
}

TEST(ListOtherCalls, PutsCallsOfOneCallerTogether) {
  EXPECT_THAT(
      find({{{"main"}, 100, 1}, {{"main", "MPI_Allreduce"}, 9, 10}},
           {{{"main"}, 100, 1}, {{"main", "MPI_Reduce"}, 9, 10}, {{"main", "MPI_Bcast"}, 9, 10}}),
      ElementsAre(Found{Kind::other,
                        {"main > MPI_Allreduce"},
                        {"main > MPI_Reduce", "main > MPI_Bcast"},
                        {"MPI_Allreduce", "MPI_Bcast", "MPI_Reduce"}}));
}

TEST(ListOtherCalls, KnowsWhatHasMoved) {
  const auto make = [](const std::string& caller) {
    return std::vector<testing::MadeCall>{{{"main"}, 100, 1},
                                          {{"main", "predict"}, 10, 10},
                                          {{"main", "correct"}, 10, 10},
                                          {{"main", caller, "eos"}, 20, 10},
                                          {{"main", caller, "eos", "table"}, 30, 10}};
  };
  EXPECT_THAT(
      find(make("predict"), make("correct")),
      ElementsAre(Found{
          Kind::moved, {"main > predict > eos"}, {"main > correct > eos"}, {"eos", "table"}}));
}

}  // namespace tracefold::other_calls_test
