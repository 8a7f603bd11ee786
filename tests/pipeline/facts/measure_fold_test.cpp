// What folding costs, of programs whose times are small numbers.
#include "pipeline/facts/measure_fold.hpp"

#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "tests/local_team.hpp"

#include <gmock/gmock.h>

#include <array>
#include <vector>

namespace tracefold::measure_fold_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// In MPI, and of that in waiting.
struct Call {
  std::uint64_t time = 0, waiting = 0;
};

constexpr PathIndex main_path = 0, init_path = 1, step_path = 2, send_path = 3;

class MeasureFold : public ::testing::Test {
 protected:
  MeasureFold() {
    auto& calls = program_.calls;
    calls.functions = {
        {"main", "", "", 0}, {"MPI_Init", "", "", 0}, {"step", "", "", 0}, {"MPI_Send", "", "", 0}};
    calls.time_metrics = {Metric::execution_time, Metric::mpi_management_time,
                          Metric::execution_time, Metric::mpi_point_to_point_time};
    calls.profiles.paths = {{no_path, 0}, {0, 1}, {0, 2}, {2, 3}};
    calls.profiles.columns = {
        {Metric::execution_time, Metric::mpi_management_time, Metric::mpi_point_to_point_time,
         Metric::mpi_late_receiver_time, Metric::other_file_time, Metric::visits},
        {}};
    calls.profiles.shapes = {{{0, 1, 2, 3}, {no_path, 0, 0, 2}}, {{0, 1, 2}, {no_path, 0, 0}}};
    program_.loops.resize(2);
  }

  // One that calls MPI_Send has all call paths, else all but the last.
  void add_process(std::uint64_t in_main, std::uint64_t in_init, std::uint64_t in_step,
                   std::optional<Call> send = {}) {
    program_.calls.profiles.processes.push_back({send ? 0u : 1u, {}});
    auto& rows = program_.values.emplace_back();
    rows.add(std::vector<std::uint64_t>{in_main, 0, 0, 0, 0, 1});
    rows.add(std::vector<std::uint64_t>{in_init, in_init, 0, 0, 0, 1});
    rows.add(std::vector<std::uint64_t>{in_step, 0, 0, 0, 0, 9});
    if (send)
      rows.add(std::vector<std::uint64_t>{send->time, 0, send->time, send->waiting, 0, 9});
    rows.finish();
    plan_.processes.emplace_back().id = program_.values.size();
    for (auto& loop : program_.loops)
      loop.rows.emplace_back();
  }

  struct Iteration {
    std::uint64_t computation = 0, in_files = 0;
    Call in_mpi = {};
  };
  void add_loop(std::size_t loop, std::size_t process, const std::vector<Iteration>& iterations) {
    auto& rows = program_.loops[loop].rows[process];
    for (const auto& i : iterations)
      rows.add(std::vector<std::uint64_t>{i.computation, 0, i.in_mpi.time, i.in_mpi.waiting,
                                          i.in_files, 1});
    rows.finish();
  }

  static KeptIterations keep(std::vector<std::uint32_t> kept, std::vector<std::uint32_t> kept_of) {
    KeptIterations out;
    out.kept = std::move(kept);
    out.kept_of = std::move(kept_of);
    return out;
  }

  ProgramProfiles program_;
  Plan plan_;
};

TEST_F(MeasureFold, AddsUpDifferencesOfCallPathsWithoutMpiInit) {
  add_process(10, 500, 60, Call{20, 5});
  add_process(10, 900, 70, Call{20, 15});
  add_process(20, 100, 60);

  const auto found = measure_processes(program_, {0, 0, 0});
  // |70 - 60|, and of the third process |20 - 10| and the whole of MPI_Send.
  const double all = 90 + 100 + 80;
  EXPECT_DOUBLE_EQ(found.error.all, (10 + 10 + 20) / all);
  EXPECT_DOUBLE_EQ(found.error.computation.of_own, 20. / (70 + 80 + 80));
  EXPECT_DOUBLE_EQ(found.error.computation.of_all, 20 / all);
  EXPECT_DOUBLE_EQ(found.error.communication.of_own, (10. + 15) / (15 + 5));
  ASSERT_TRUE(found.error.waiting);
  EXPECT_DOUBLE_EQ(found.error.waiting->of_own, (10. + 5) / (5 + 15));
  ASSERT_THAT(found.functions, SizeIs(4));
  EXPECT_EQ(found.functions[0], (FunctionError{"MPI_Send", TimeKind::communication, 25 / all}));
  EXPECT_EQ(found.functions[1], (FunctionError{"MPI_Send", TimeKind::waiting, 15 / all}));
}

TEST_F(MeasureFold, FindsTheLargestDifferenceOfAProcessInUsefulTime) {
  add_process(10, 500, 60, Call{20, 5});
  add_process(10, 900, 70, Call{20, 15});
  add_process(45, 100, 20, Call{90, 90});

  const auto found = measure_processes(program_, {0, 0, 0});
  const double all = 90 + 100 + 155;
  EXPECT_DOUBLE_EQ(found.error.useful, (10 + 35 + 40) / all);
  // |20 - 60| in `step`, where the sum over both functions is smaller.
  EXPECT_EQ(found.largest.process, 2u);
  EXPECT_EQ(found.largest.function, 2u);
  EXPECT_FALSE(found.largest.is_longer);
  EXPECT_EQ(found.largest.ticks, 40u);
  EXPECT_EQ(found.times[2].useful, 65u);
  EXPECT_EQ(found.times[2].waiting, 90u);
}

TEST_F(MeasureFold, NamesWhatIsHiddenAndWhichRowsAreNotTypical) {
  for (std::uint64_t k = 0; k < 8; ++k)
    add_process(10, 0, k == 0 ? 60 : 100 + k, Call{200, k == 0 ? 0 : 50 + k});
  for (std::uint64_t k = 0; k < 8; ++k)
    plan_.processes[k].rank = k;
  plan_.representatives = {{0, 0, {0, 1, 2, 3, 4, 5, 6, 7}, ""}};
  plan_.trace.run = TimeSpan{0, 1000};
  const auto errors = measure_fold(plan_, program_, nullptr);
  EXPECT_EQ(errors.hidden, (HiddenDifference{"rank 7", "rank 0", "step", true, 0.047}));
  EXPECT_THAT(errors.untypical.in_useful, ElementsAre("rank 0"));
  EXPECT_THAT(errors.untypical.in_waiting, ElementsAre("rank 0"));
  EXPECT_EQ(grade_rows(errors), ErrorGrade::poor);

  plan_.representatives = {{0, 4, {0, 1, 2, 3, 4, 5, 6, 7}, ""}};
  const auto of_middle = measure_fold(plan_, program_, nullptr);
  EXPECT_EQ(of_middle.untypical, UntypicalRows{});
  EXPECT_EQ(of_middle.hidden->process, "rank 0");
}

TEST_F(MeasureFold, KnowsMpiInitByTheNamesThatLanguagesGiveIt) {
  add_process(10, 500, 60);
  add_process(10, 900, 60);
  for (const auto* name : {"MPI_INIT", "mpi_init_", "PMPI_Init_thread"}) {
    program_.calls.functions[1].name = name;
    EXPECT_EQ(measure_processes(program_, {0, 0}).error.all, 0) << name;
  }
}

TEST_F(MeasureFold, HasNoErrorWhereEachProcessStandsForItself) {
  add_process(10, 500, 60, Call{20, 5});
  add_process(30, 900, 70);
  const auto found = measure_processes(program_, {0, 1});
  EXPECT_EQ(found.error.all, 0);
  EXPECT_EQ(found.error.computation, TimeError());
  EXPECT_THAT(found.functions, IsEmpty());
}

TEST_F(MeasureFold, IsTheSameWhereOneStandsForMany) {
  for (std::uint64_t p = 0; p < 40; ++p)
    add_process(10 + p, 500, 60, Call{20, 5});
  std::vector<std::size_t> stand_ins(40, 3);
  double differences = 0, times = 0;
  for (int p = 0; p < 40; ++p) {
    differences += std::abs(p - 3);
    times += 90 + p;
  }
  EXPECT_DOUBLE_EQ(measure_processes(program_, stand_ins).error.all, differences / times);
}

TEST_F(MeasureFold, DoesNotKnowWaitingThatHasNoColumn) {
  auto& columns = program_.calls.profiles.columns.measured;
  std::erase(columns, Metric::mpi_late_receiver_time);
  add_process(1, 1, 1);
  EXPECT_FALSE(measure_processes(program_, {0}).error.waiting);

  std::erase_if(columns, [](Metric metric) { return is_mpi_time(metric); });
  EXPECT_TRUE(measure_processes(program_, {0}).error.waiting) << "nothing waits without MPI";
}

TEST_F(MeasureFold, ComparesIterationsOfTheSameProcess) {
  add_process(1, 1, 1);
  add_process(1, 1, 1);
  add_loop(0, 0, {{10, 0, {5, 1}}, {12, 1, {5, 3}}, {30, 0, {0, 0}}});
  add_loop(0, 1, {{20, 0, {5, 1}}, {20, 0, {5, 1}}, {60, 0, {0, 0}}});
  add_loop(1, 0, {{7}, {8}});
  add_loop(1, 1, {{7}, {7}});
  const auto first = keep({0, 2}, {0, 0, 1}), second = keep({0}, {0, 0});

  const auto found = measure_iterations(program_, {0, 1}, {&first, &second});
  ASSERT_THAT(found.of_loops, SizeIs(2));
  // The second iteration of the first process: 13 for 10, of which files are a part.
  EXPECT_DOUBLE_EQ(found.of_loops[0].computation.of_own, 3. / (10 + 13 + 30 + 20 + 20 + 60));
  EXPECT_DOUBLE_EQ(found.of_loops[0].communication.of_own, 2. / (4 + 2 + 4 + 4));
  EXPECT_DOUBLE_EQ(found.of_loops[0].waiting->of_own, 2. / (1 + 3 + 1 + 1));
  EXPECT_DOUBLE_EQ(found.of_loops[0].all, 3. / (153 + 20));
  EXPECT_DOUBLE_EQ(found.of_loops[1].computation.of_own, 1. / 29);
  EXPECT_DOUBLE_EQ(found.all.computation.of_own, 4. / (153 + 29));
}

TEST_F(MeasureFold, LeavesOutProcessesWithOtherLoops) {
  for (int p = 0; p < 4; ++p)
    add_process(1, 1, 1);
  add_loop(0, 0, {{10}, {10}});
  add_loop(0, 1, {{10}, {20}});
  add_loop(0, 2, {{10}, {10}, {10}});
  add_loop(0, 3, {{10}, {10}});
  add_loop(1, 3, {{10}});
  plan_.representatives.emplace();
  plan_.representatives->push_back({0, 0, {0, 1, 2, 3}, ""});
  IterationSection section;
  section.loops.push_back({keep({0}, {0, 0}), {}, {}});
  section.processes.push_back({0, {}});

  EXPECT_THAT(list_measured(plan_, program_, {0}, {2}), ElementsAre(0, 1));
  const auto found = measure_fold(plan_, program_, &section);
  EXPECT_EQ(found.processes, 4u);
  EXPECT_EQ(found.unmeasured, 2u);
  ASSERT_TRUE(found.of_iterations);
  EXPECT_DOUBLE_EQ(found.of_iterations->computation.of_own, 10. / 50);
}

TEST_F(MeasureFold, SaysNothingOfIterationsWhereNoneIsFolded) {
  add_process(1, 1, 1);
  EXPECT_FALSE(measure_fold(plan_, program_, nullptr).of_iterations);
  const IterationSection none;
  EXPECT_FALSE(measure_fold(plan_, program_, &none).of_iterations);
}

// Each member has the rows of some processes.
TEST_F(MeasureFold, ComesToTheSameInATeam) {
  for (std::uint64_t p = 0; p < 7; ++p) {
    add_process(10 + p, 500, 60 + 3 * p, p % 3 == 0 ? std::optional<Call>() : Call{20 + p, 5});
    add_loop(0, p, {{10 + p, 1, {3, 1}}, {20, p, {4 + p, 2}}, {15, 2, {3, 3}}});
  }
  const std::vector<std::size_t> stand_ins{0, 0, 2, 0, 2, 2, 6}, all{0, 1, 2, 3, 4, 5, 6};
  const auto choice = keep({0, 2}, {0, 0, 1});
  const auto alone = measure_processes(program_, stand_ins);
  const auto loops_alone = measure_iterations(program_, all, {&choice});

  for (const std::size_t size : {1u, 2u, 3u, 5u, 8u})
    testing::run_team(size, [&](Team& team) {
      auto part = program_;
      for (std::size_t p = 0; p < part.values.size(); ++p)
        if (p * 3 % size != team.rank())
          for (auto* rows : {&part.values[p], &part.loops[0].rows[p]})
            *rows = rows->leave_values();
      const auto found = measure_processes(part, stand_ins, &team);
      EXPECT_EQ(found.error, alone.error);
      EXPECT_EQ(found.functions, alone.functions);
      EXPECT_EQ(measure_iterations(part, all, {&choice}, &team).all, loops_alone.all);
    });
}

}  // namespace tracefold::measure_fold_test
