#include "filters/profile/find_program_facts.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <gmock/gmock.h>

#include <cstdint>

namespace tracefold::find_program_facts_test {

using ::testing::SizeIs;
namespace v = otf2_value;

// main calls solve, which calls MPI_Send and tiny, and main calls tiny and long, too. A tick is 1
// ns.
//
//   main           1 visit,   10 ticks
//     solve        2 visits,  20 ticks
//       MPI_Send   2 visits, 100 ticks
//       tiny      50 visits,  50 ticks
//     tiny        40 visits,  40 ticks
//     long         5 visits, 9000 ticks
struct Made {
  Plan plan;
  CallPathProfiles calls;

  Made() {
    plan.trace.ticks_per_second = 1'000'000'000;
    const auto add = [&](const char* name, std::uint64_t paradigm) {
      plan.functions.push_back({name, "", "", 0, paradigm, 0});
    };
    add("main", v::paradigm_compiler);
    add("solve", v::paradigm_compiler);
    add("MPI_Send", v::paradigm_mpi);
    add("tiny", v::paradigm_compiler);
    add("long", v::paradigm_compiler);
    plan.processes.resize(1);
    calls.paths = {{no_path, 0}, {0, 1}, {1, 2}, {1, 3}, {0, 3}, {0, 4}};
    calls.shapes = {{{0, 1, 2, 3, 4, 5}, {no_path, 0, 1, 1, 0, 0}}};
    calls.columns.measured = {Metric::execution_time, Metric::visits};
    calls.processes = {{0, {10, 1, 20, 2, 100, 2, 50, 50, 40, 40, 9000, 5}}};
  }
};

TEST(FindProgramFacts, TellsPathsByWhatTheyLeadTo) {
  const Made made;
  const auto facts = find_program_facts(made.plan, made.calls);
  EXPECT_EQ(facts.paths(), 6u);
  EXPECT_EQ(facts.mpi.paths, 1u);
  EXPECT_EQ(facts.mpi.visits, 2);
  EXPECT_EQ(facts.mpi.time, 100);
  EXPECT_EQ(facts.to_mpi.paths, 2u) << "main and solve";
  EXPECT_EQ(facts.to_mpi.time, 30);
  EXPECT_EQ(facts.computation.paths, 3u);
  EXPECT_EQ(facts.computation.visits, 95);
  EXPECT_EQ(facts.deepest, 3u);
  EXPECT_DOUBLE_EQ(facts.mean_depth, (1 + 2 * 2 + 3 * 52 + 2 * 45) / 100.0);
}

TEST(FindProgramFacts, LeavesOutFunctionsWithManyShortVisits) {
  Made made;
  const auto facts = find_program_facts(made.plan, made.calls);
  ASSERT_THAT(facts.short_functions, SizeIs(1)) << "long takes 1800 ns";
  EXPECT_EQ(facts.short_functions[0].function, 3u);
  EXPECT_EQ(facts.short_functions[0].visits, 90);
  EXPECT_DOUBLE_EQ(facts.short_functions[0].share, 0.9);

  made.plan.functions[3].paradigm = v::paradigm_openmp;
  EXPECT_THAT(find_program_facts(made.plan, made.calls).short_functions, SizeIs(0))
      << "no filter leaves that out";
}

TEST(FindProgramFacts, CountsThoseThatAProcessStandsFor) {
  Made made;
  made.plan.processes[0].weight = 3;
  const auto facts = find_program_facts(made.plan, made.calls);
  EXPECT_EQ(facts.processes, 3u);
  EXPECT_EQ(facts.visits(), 300);
}

}  // namespace tracefold::find_program_facts_test
