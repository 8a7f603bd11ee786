// tracefold.profiles cut to some of its processes.
#include "pipeline/facts/cut_program.hpp"

#include "pipeline/facts/pack_program.hpp"
#include "tests/support/made_program.hpp"

#include <gmock/gmock.h>

namespace tracefold::cut_program_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_program;
using Values = std::vector<std::uint64_t>;

// Six processes with the locations 4, 7, 10, 13, 16, 19. The third calls nothing, the second does
// not send, and only the first and the last have a second loop.
class CutProgram : public ::testing::Test {
 protected:
  StoredProgram cut(const Values& locations) const {
    return StoredProgram(cut_program(whole_, locations));
  }

  StoredProgram whole_{
      pack_program(make_program({{5, 2}, {3}, {}, {5}, {4}, {9, 1}}), ~std::uint64_t{0})->bytes};
};

// Everything that both say of process `p` of the cut one, which was process `before`.
void expect_same(const StoredProgram& cut, std::size_t p, const StoredProgram& whole,
                 std::size_t before) {
  const auto processes = cut.read_processes(), all = whole.read_processes();
  EXPECT_EQ(processes[p].id, all[before].id);
  EXPECT_EQ(processes[p].name, all[before].name);
  EXPECT_EQ(processes[p].rank, all[before].rank);
  EXPECT_EQ(processes[p].events, all[before].events);
  EXPECT_EQ(processes[p].has_messages, all[before].has_messages);
  EXPECT_EQ(cut.read_kinds()[p].metrics, whole.read_kinds()[before].metrics);

  const auto calls = cut.read_calls(StoredColumns::all),
             all_calls = whole.read_calls(StoredColumns::all);
  EXPECT_EQ(calls.locations[p], all_calls.locations[before]);
  EXPECT_EQ(calls.profiles.processes[p].values, all_calls.profiles.processes[before].values);
  EXPECT_EQ(calls.profiles.processes[p].outside, all_calls.profiles.processes[before].outside);
  const auto &shape = calls.profiles.shape(p), &right = all_calls.profiles.shape(before);
  ASSERT_EQ(shape.paths.size(), right.paths.size());
  for (std::size_t k = 0; k < shape.paths.size(); ++k)
    EXPECT_EQ(calls.functions[calls.profiles.paths[shape.paths[k]].function].name,
              all_calls.functions[all_calls.profiles.paths[right.paths[k]].function].name);

  for (std::size_t l = 0; l < cut.loops(); ++l) {
    ASSERT_EQ(cut.iterations(l)[p], whole.iterations(l)[before]);
    for (std::size_t c = 0; c < cut.columns().size(); ++c) {
      const auto series = cut.read_series(l, c), of_all = whole.read_series(l, c);
      EXPECT_EQ(series.of_process[p], of_all.of_process[before]);
      for (std::size_t i = 0; i < series.columns && !series.values.empty(); ++i)
        EXPECT_EQ(series.values[p * series.columns + i],
                  of_all.values[before * of_all.columns + i]);
    }
  }
}

TEST_F(CutProgram, KeepsAllThatIsKnownOfAProcess) {
  const auto some = cut({4, 10, 13});
  ASSERT_EQ(some.size(), 3u);
  some.check();
  expect_same(some, 0, whole_, 0);
  expect_same(some, 1, whole_, 2);
  expect_same(some, 2, whole_, 3);
  EXPECT_EQ(some.detail(), whole_.detail());
}

TEST_F(CutProgram, HasNoCallPathsAndIterationsThatNoProcessHasThatIsLeft) {
  const auto one = cut({7});
  one.check();
  expect_same(one, 0, whole_, 1);
  EXPECT_EQ(one.read_frame().profiles.paths.size(), 2u);
  EXPECT_EQ(one.iterations(0), (Values{3}));
  EXPECT_EQ(one.read_series(0, 3).columns, 3u);
  EXPECT_EQ(one.read_series(1, 3).columns, 0u);

  const auto idle = cut({10});
  idle.check();
  expect_same(idle, 0, whole_, 2);
  EXPECT_THAT(idle.read_frame().profiles.paths, IsEmpty());
}

TEST_F(CutProgram, HasNoSumsOfOtherProcesses) {
  const auto some = cut({4, 7});
  EXPECT_EQ(some.file().find("calls/execution time/by path"), nullptr);
  EXPECT_THAT(some.read_series(0, 0).of_column, IsEmpty());
  const auto visits = some.read_series(0, 3);
  ASSERT_EQ(visits.columns, 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(visits.of_column[i], visits.values[i] + visits.values[5 + i]);
}

// As tables of sums, times and loops end.
TEST_F(CutProgram, KeepsCountersThatAreCalledAsOtherTables) {
  for (const auto* name : {"x/by path", "x/by process", "x/by iteration", "x/begin", "x/end",
                           "x/iterations", "/", "x%2Fby path"}) {
    auto plan = make_program({{5, 2}, {3}, {}, {5}, {4}, {9, 1}});
    auto program = *plan.program;
    program.calls.profiles.columns.counters.at(0).name = name;
    plan.program = std::make_shared<const ProgramProfiles>(std::move(program));
    const StoredProgram whole(pack_program(plan, ~std::uint64_t{0})->bytes);
    const StoredProgram some(cut_program(whole, {4, 19}));
    SCOPED_TRACE(name);
    expect_same(some, 0, whole, 0);
    expect_same(some, 1, whole, 5);
  }
}

TEST_F(CutProgram, KeepsWhoDoesNotKnowWhatACounterCounted) {
  auto plan = make_program({{5, 2}, {3}, {}, {5}, {4}, {9, 1}});
  auto program = *plan.program;
  const auto counter = program.calls.profiles.columns.measured.size();
  program.unknown_counters[counter] = {true, false, false, true, false, false};
  plan.program = std::make_shared<const ProgramProfiles>(std::move(program));
  const StoredProgram whole(pack_program(plan, ~std::uint64_t{0})->bytes);
  EXPECT_THAT(whole.find_unknown_counter(counter),
              ElementsAre(true, false, false, true, false, false));
  EXPECT_THAT(whole.find_unknown_counter(0), IsEmpty());
  EXPECT_THAT(whole_.find_unknown_counter(counter), IsEmpty());
  const StoredProgram some(cut_program(whole, {7, 13}));
  EXPECT_THAT(some.find_unknown_counter(counter), ElementsAre(false, true));
}

TEST_F(CutProgram, CanBeCutAgain) {
  const StoredProgram some(cut_program(whole_, {4, 10, 13}));
  EXPECT_EQ(cut_program(some, {13}), cut_program(whole_, {13}));
}

TEST_F(CutProgram, KeepsPlacesInTopologies) {
  const StoredProgram whole(
      pack_program(make_program({{5}, {3}, {}, {5}}), ~std::uint64_t{0})->bytes);
  const StoredProgram some(cut_program(whole, {7, 13}));
  const auto topologies = some.read_topologies();
  ASSERT_EQ(topologies.size(), 1u);
  EXPECT_THAT(topologies[0].places, ElementsAre(1, 1, 2, 3));
}

TEST_F(CutProgram, IsNothingWhereNoProcessIsLeft) {
  EXPECT_EQ(cut_program(whole_, {}), "");
  EXPECT_EQ(cut_program(whole_, {5, 20}), "");
}

}  // namespace tracefold::cut_program_test
