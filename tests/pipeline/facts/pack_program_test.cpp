// What every process of a program did, packed and read again.
#include "pipeline/facts/pack_program.hpp"

#include "base/for_each_index.hpp"
#include "model/program/profiles_file.hpp"
#include "pipeline/facts/pack_attempts.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "tests/support/made_program.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <numeric>
#include <optional>

namespace tracefold::pack_program_test {

using ::testing::ElementsAre;
using testing::make_program;
using Values = std::vector<std::uint64_t>;

constexpr auto any_size = ~std::uint64_t{0};

// Loops of five and two iterations; of three; of none; of five.
Plan make_small_program() {
  return make_program({{5, 2}, {3}, {}, {5}});
}

PackedProgram pack(const Plan& plan, std::uint64_t most_bytes = any_size) {
  auto packed = pack_program(plan, most_bytes);
  EXPECT_TRUE(packed);
  return std::move(*packed);
}

StoredProgram pack_and_read(const Plan& plan) {
  return StoredProgram(pack(plan).bytes);
}

// Whether a time or counter is as near as it has to be; 0 stays 0, and nothing else becomes 0.
void expect_within(unsigned percent, std::uint64_t told, std::uint64_t right) {
  const auto away = told > right ? told - right : right - told;
  EXPECT_LE(away * 100, right * percent) << told << " instead of " << right;
  EXPECT_EQ(told == 0, right == 0);
}

void expect_stored(const MetricColumns& columns, std::size_t column, std::uint64_t told,
                   std::uint64_t right, unsigned percent = 1) {
  expect_within(is_count(columns.kind(column)) ? 0 : percent, told, right);
}

std::uint64_t add_up(const Values& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

TEST(PackProgram, KeepsProcessesAsThePlanKnowsThem) {
  const auto plan = make_small_program();
  const auto read = pack_and_read(plan).read_processes();

  ASSERT_EQ(read.size(), plan.processes.size());
  for (std::size_t p = 0; p < read.size(); ++p) {
    const auto& right = plan.processes[p];
    EXPECT_EQ(read[p].id, right.id) << p;
    EXPECT_EQ(read[p].name, right.name) << p;
    EXPECT_EQ(read[p].location_group, right.location_group) << p;
    EXPECT_EQ(read[p].location_group_name, right.location_group_name) << p;
    EXPECT_EQ(read[p].rank, right.rank) << p;
    EXPECT_EQ(read[p].thread, right.thread) << p;
    EXPECT_EQ(read[p].creator, right.creator) << p;
    EXPECT_EQ(read[p].is_mpi_endpoint, right.is_mpi_endpoint) << p;
    EXPECT_EQ(read[p].has_messages, right.has_messages) << p;
    EXPECT_EQ(read[p].damaged, right.damaged) << p;
    EXPECT_EQ(read[p].events, right.events) << p;
    EXPECT_EQ(read[p].weight, 1u) << p;
  }
  EXPECT_EQ(read[0].rank, 0u);
  EXPECT_EQ(read[2].rank, std::nullopt);
  EXPECT_EQ(read[2].creator, std::nullopt);
  EXPECT_EQ(read[3].creator, 2u);
}

TEST(PackProgram, KeepsTypesAndWhatProcessesRecordThatCallNothing) {
  const auto kinds = pack_and_read(make_small_program()).read_kinds();
  ASSERT_EQ(kinds.size(), 4u);
  EXPECT_EQ(kinds[0].type, 1u);
  EXPECT_TRUE(kinds[0].metrics.empty());
  EXPECT_EQ(kinds[2].type, 4u);
  EXPECT_THAT(kinds[2].metrics, ElementsAre("joules", "watts"));
}

TEST(PackProgram, KeepsWhereAndWhenProcessesRan) {
  const auto plan = make_program(std::vector<std::vector<std::size_t>>(6));
  const ProfilesFile file(pack(plan).bytes);
  const auto read = [&](const char* name) { return file.read(*file.find(name)); };

  EXPECT_EQ(file.about()["nodes"].dump(), R"(["machine/node0","machine/node1"])");
  EXPECT_THAT(read("process/node"), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(read("process/first time"), ElementsAre(10, 11, 12, 13, 14, 15));
  EXPECT_THAT(read("process/last time"),
              ElementsAre(10'000, 10'001, 10'002, 10'003, 10'004, 10'005));
}

TEST(PackProgram, KeepsNamesThatAreNoUtf8AsFarAsTheyAre) {
  auto plan = make_small_program();
  auto program = std::make_shared<ProgramProfiles>(*plan.program);
  program->processes[1].node = "machine/kn\xf6";
  program->processes[2].metrics = {"\xb5s"};
  plan.program = program;
  const auto bytes = pack(plan).bytes;
  const ProfilesFile file(bytes);
  EXPECT_EQ(file.about()["nodes"], (nlohmann::ordered_json{"machine/node0", "machine/kn\uFFFD"}));
  EXPECT_THAT(StoredProgram(bytes).read_kinds()[2].metrics, ElementsAre("\uFFFDs"));
}

TEST(PackProgram, KeepsCallPathsWithCountsExactlyAndTimesToOnePercent) {
  const auto plan = make_small_program();
  const auto& right = plan.program->calls;
  const auto stored = pack_and_read(plan);
  const auto read = stored.read_calls(StoredColumns::all);

  EXPECT_EQ(stored.detail(), (ProgramDetail{1, 1}));
  EXPECT_EQ(read.functions, right.functions);
  EXPECT_EQ(read.time_metrics, right.time_metrics);
  EXPECT_EQ(read.locations, right.locations);
  EXPECT_EQ(read.profiles.paths, right.profiles.paths);
  EXPECT_EQ(read.profiles.columns.measured, right.profiles.columns.measured);
  EXPECT_EQ(read.profiles.columns.counters, right.profiles.columns.counters);
  ASSERT_EQ(read.profiles.processes.size(), right.profiles.processes.size());
  for (std::size_t p = 0; p < right.profiles.processes.size(); ++p) {
    EXPECT_EQ(read.profiles.shape(p), right.profiles.shape(p)) << p;
    for (std::size_t k = 0; k < right.profiles.shape(p).paths.size(); ++k)
      for (std::size_t c = 0; c < right.profiles.columns.size(); ++c) {
        SCOPED_TRACE(::testing::Message() << p << ' ' << k << ' ' << c);
        expect_stored(right.profiles.columns, c, read.profiles.value(p, k, c),
                      right.profiles.value(p, k, c));
      }
  }
}

TEST(PackProgram, GivesAllTimeOfAFunctionToItsMetric) {
  const auto read = pack_and_read(make_small_program()).read_calls(StoredColumns::all);
  const auto whole = *read.profiles.columns.find(Metric::execution_time),
             in_mpi = *read.profiles.columns.find(Metric::mpi_point_to_point_time);
  EXPECT_GT(read.profiles.value(0, 2, whole), 0u);
  EXPECT_EQ(read.profiles.value(0, 2, in_mpi), read.profiles.value(0, 2, whole));
  EXPECT_EQ(read.profiles.value(0, 1, in_mpi), 0u);
}

TEST(PackProgram, KeepsExactSumsOfTimesOfCallPaths) {
  const auto plan = make_small_program();
  const auto& profiles = plan.program->calls.profiles;
  const ProfilesFile file(pack(plan).bytes);
  Values of_process(4), of_path(3);
  const auto time = *profiles.columns.find(Metric::execution_time);
  for (std::size_t p = 0; p < of_process.size(); ++p)
    for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k) {
      of_process[p] += profiles.value(p, k, time);
      of_path[profiles.shape(p).paths[k]] += profiles.value(p, k, time);
    }

  EXPECT_EQ(file.read(*file.find("calls/execution time/by process")), of_process);
  EXPECT_EQ(file.read(*file.find("calls/execution time/by path")), of_path);
  EXPECT_EQ(file.find("calls/visits/by process"), nullptr);
  EXPECT_EQ(file.find("calls/MPI point-to-point time"), nullptr);
}

TEST(PackProgram, KeepsWhatIsOutsideOfCallsExactly) {
  const auto read = pack_and_read(make_small_program()).read_calls(StoredColumns::all);
  EXPECT_TRUE(read.profiles.shape(2).paths.empty());
  EXPECT_EQ(read.profiles.processes[2].outside, (Values{0, 0, 0, 0, 77, 123'458}));
  for (auto p : {0, 1, 3})
    EXPECT_TRUE(read.profiles.processes[static_cast<std::size_t>(p)].outside.empty()) << p;
}

TEST(PackProgram, KeepsIterationsOfProcessesThatHaveOtherNumbersOfThem) {
  const auto plan = make_small_program();
  const auto stored = pack_and_read(plan);

  ASSERT_EQ(stored.loops(), 2u);
  EXPECT_TRUE(stored.has_iterations());
  EXPECT_EQ(stored.iterations(0), (Values{5, 3, 0, 5}));
  EXPECT_EQ(stored.iterations(1), (Values{2, 0, 0, 0}));
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t c = 0; c < stored.columns().size(); ++c) {
      const auto read = stored.read_series(l, c);
      const std::size_t longest = l == 0 ? 5 : 2;
      ASSERT_EQ(read.columns, longest);
      ASSERT_EQ(read.values.size(), 4 * longest);
      Values of_column(longest);
      for (std::size_t p = 0; p < 4; ++p) {
        SCOPED_TRACE(::testing::Message() << "loop " << l << ", column " << c << ", " << p);
        auto right = plan.program->loops[l].rows[p].read(c);
        EXPECT_EQ(read.of_process[p], add_up(right));
        right.resize(longest);
        for (std::size_t i = 0; i < longest; ++i) {
          expect_stored(stored.columns(), c, read.values[p * longest + i], right[i]);
          of_column[i] += right[i];
        }
      }
      EXPECT_EQ(read.of_column, of_column) << l << ' ' << c;
    }
}

TEST(PackProgram, KeepsWhichLoopsAreUnsure) {
  auto plan = make_small_program();
  for (auto l : {0u, 1u})
    EXPECT_FALSE(pack_and_read(plan).is_unsure(l));
  auto program = std::make_shared<ProgramProfiles>(*plan.program);
  program->loops[1].is_unsure = true;
  plan.program = program;
  EXPECT_FALSE(pack_and_read(plan).is_unsure(0));
  EXPECT_TRUE(pack_and_read(plan).is_unsure(1));
}

TEST(PackProgram, KeepsTopologies) {
  const auto plan = make_small_program();
  ASSERT_FALSE(plan.program->topologies.empty());
  EXPECT_EQ(pack_and_read(plan).read_topologies(), plan.program->topologies);
}

TEST(PackProgram, HasNoTableOfAColumnOfZeros) {
  auto program = std::make_shared<ProgramProfiles>(*make_small_program().program);
  program->loops = {{std::vector<PackedRows>(4)}};
  program->loops[0].rows[0].add(Values{9, 0, 0, 1, 0, 0});
  for (auto& rows : program->loops[0].rows)
    rows.finish();
  auto plan = make_small_program();
  plan.program = program;
  const auto bytes = pack(plan).bytes;

  EXPECT_EQ(ProfilesFile(bytes).find("loop 0/bytes sent"), nullptr);
  const auto zeros = StoredProgram(bytes).read_series(0, 4);
  EXPECT_EQ(zeros.columns, 1u);
  EXPECT_TRUE(zeros.values.empty());
  EXPECT_EQ(zeros.of_process, (Values{0, 0, 0, 0}));
  EXPECT_EQ(zeros.of_column, (Values{0}));
  EXPECT_EQ(StoredProgram(bytes).read_series(0, 3).values, (Values{1, 0, 0, 0}));
}

TEST(PackProgram, KeepsProcessesWithoutLoops) {
  const auto plan = make_program({{}, {}, {}, {}});
  const auto stored = pack_and_read(plan);
  EXPECT_EQ(stored.loops(), 0u);
  EXPECT_FALSE(stored.has_iterations());
  EXPECT_EQ(stored.read_calls(StoredColumns::all).locations, plan.program->calls.locations);
}

TEST(PackProgram, GivesTheSameBytesForEachNumberOfThreads) {
  const auto plan = make_program(std::vector<std::vector<std::size_t>>(16, {700}));
  const auto pack_with = [&](std::size_t threads) {
    const ThreadLimit limit(threads);
    return pack(plan).bytes;
  };
  EXPECT_EQ(pack_with(1), pack_with(2));
}

// What is kept where each time one byte less has room than was taken before.
std::vector<PackedProgram> pack_with_less_and_less(const Plan& plan) {
  std::vector<PackedProgram> all;
  auto room = any_size;
  while (auto packed = pack_program(plan, room)) {
    EXPECT_LE(packed->bytes.size(), room);
    room = packed->bytes.size() - 1;
    all.push_back(std::move(*packed));
  }
  return all;
}

TEST(PackProgramWithLessRoom, LeavesOutSeriesOfCallPathsThenSingleIterationsThenExactTimes) {
  const auto plan = make_program(std::vector<std::vector<std::size_t>>(8, {2'000, 40}));
  const auto all = pack_with_less_and_less(plan);

  std::vector<ProgramDetail> details;
  for (const auto& packed : all) {
    details.push_back({packed.detail.percent, packed.detail.iterations_per_column});
    const StoredProgram stored(packed.bytes);
    EXPECT_EQ(stored.detail(), details.back());
    EXPECT_EQ(packed.detail.left_out,
              details.size() == 1 ? std::vector<std::string>()
                                  : std::vector<std::string>{"iterations of single call paths"});
    EXPECT_EQ(stored.has_path_series(0, 2), details.size() == 1);
  }
  EXPECT_EQ(details, (std::vector<ProgramDetail>{{1, 1},
                                                 {1, 1},
                                                 {1, 2},
                                                 {1, 4},
                                                 {1, 8},
                                                 {1, 16},
                                                 {1, 32},
                                                 {1, 64},
                                                 {2, 64},
                                                 {5, 64},
                                                 {10, 64},
                                                 {10, 0}}));
}

TEST(PackProgramWithLessRoom, KeepsExactCountsAndSumsAndTimesToWhatItSays) {
  const auto plan = make_program({{100, 7}, {90}, {}, {100}});
  const auto& program = *plan.program;
  const auto all = pack_with_less_and_less(plan);
  ASSERT_GT(all.size(), 4u);

  for (const auto& packed : all) {
    const StoredProgram stored(packed.bytes);
    const auto percent = packed.detail.percent;
    const auto together = packed.detail.iterations_per_column;
    SCOPED_TRACE(::testing::Message() << percent << " %, " << together);
    const auto calls = stored.read_calls(StoredColumns::all);
    for (std::size_t p = 0; p < 4; ++p)
      for (std::size_t k = 0; k < calls.profiles.shape(p).paths.size(); ++k)
        for (std::size_t c = 0; c < stored.columns().size(); ++c)
          expect_stored(stored.columns(), c, calls.profiles.value(p, k, c),
                        program.calls.profiles.value(p, k, c), percent);

    EXPECT_EQ(stored.iterations(0), (Values{100, 90, 0, 100}));
    if (together == 0) {
      EXPECT_FALSE(stored.has_iterations());
      EXPECT_THROW(stored.read_series(0, 0), Error);
      continue;
    }
    for (std::size_t c = 0; c < stored.columns().size(); ++c) {
      const auto read = stored.read_series(0, c);
      ASSERT_EQ(read.columns, (100 + together - 1) / together);
      for (std::size_t p = 0; p < 4; ++p) {
        const auto values = program.loops[0].rows[p].read(c);
        Values sums(read.columns);
        for (std::size_t i = 0; i < values.size(); ++i)
          sums[i / together] += values[i];
        EXPECT_EQ(read.of_process[p], add_up(values));
        for (std::size_t k = 0; k < sums.size(); ++k)
          expect_stored(stored.columns(), c, read.values[p * read.columns + k], sums[k], percent);
      }
    }
  }
}

TEST(PackProgramWithLessRoom, HasOnlyLessExactTimesToLeaveOutWhereThereAreNoLoops) {
  const auto plan = make_program(std::vector<std::vector<std::size_t>>(400));
  std::vector<ProgramDetail> details;
  for (const auto& packed : pack_with_less_and_less(plan))
    details.push_back(packed.detail);
  EXPECT_EQ(details, (std::vector<ProgramDetail>{{1, 1}, {2, 1}, {5, 1}, {10, 1}}));
}

TEST(PackProgramWithLessRoom, KeepsNothingWhereThatHasNoRoom) {
  const auto plan = make_small_program();
  EXPECT_FALSE(pack_program(plan, 0));
  EXPECT_FALSE(pack_program(plan, 100));
  const auto size = pack(plan).bytes.size();
  EXPECT_EQ(pack(plan, size).detail, (ProgramDetail{1, 1}));
}

TEST(PackProgramOfTooMuch, KeepsAsManyValuesOfALoopAsAreReadAtATime) {
  auto plan = make_program(std::vector<std::vector<std::size_t>>(257, {1}));
  auto program = std::make_shared<ProgramProfiles>(*plan.program);
  PackedRows visits_only;
  for (std::size_t i = 0; i < std::size_t{1} << 20; ++i)
    visits_only.add(Values{0, 0, 0, 1, 0, 0});
  visits_only.finish();
  program->loops[0].rows.assign(257, PackedRows());
  program->loops[0].rows[0] = std::move(visits_only);
  plan.program = program;
  const auto packed = pack(plan);
  EXPECT_EQ(packed.detail, (ProgramDetail{1, 2}));
  const auto visits = StoredProgram(packed.bytes).read_series(0, 3);
  EXPECT_EQ(visits.columns, std::size_t{1} << 19);
}

TEST(PackProgramOfTooMuch, KeepsNoIterationsOfMoreLoopsThanAreRead) {
  const auto plan = make_program({std::vector<std::size_t>(10'001, 1), {}});
  const auto packed = pack(plan);
  EXPECT_EQ(packed.detail, (ProgramDetail{1, 0}));
  const StoredProgram stored(packed.bytes);
  EXPECT_FALSE(stored.has_iterations());
  EXPECT_EQ(stored.read_calls(StoredColumns::all).locations, plan.program->calls.locations);
}

TEST(PackProgramOfTooMuch, TriesNoIterationsOfMoreLoopsOfProcessesThanAreRead) {
  ProgramProfiles program;
  program.processes.resize(1 << 15);
  program.loops.resize(1 << 13);
  EXPECT_EQ(list_attempts(program).front().detail, (ProgramDetail{1, 1}));
  program.loops.emplace_back();
  EXPECT_EQ(list_attempts(program).front().detail, (ProgramDetail{1, 0}));
}

TEST(PackProgramWithLessRoom, SaysWhatItDoesNotKeep) {
  EXPECT_EQ(describe_detail({1, 1}), "times to 1 %, from tracefold.profiles");
  EXPECT_EQ(describe_detail({1, 8}),
            "times to 1 %, from tracefold.profiles, which has sums of 8 iterations each");
  EXPECT_EQ(describe_detail({10, 0}),
            "times to 10 %, from tracefold.profiles, which has no iterations");
}

}  // namespace tracefold::pack_program_test
