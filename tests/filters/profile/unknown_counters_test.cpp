#include "filters/profile/unknown_counters.hpp"

#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::unknown_counters_test {

using ::testing::ElementsAre;

// One process calls `main`, another one has no calls and records `energy`.
struct Program {
  Program() {
    plan.intents.resize(2);
    plan.intents[1].set.metrics = {"power:#,energy:device=#"};
    calls.columns.counters = {{"energy:device=0", 1}, {"instructions", 1}};
    calls.paths = {{no_path, 0}};
    calls.shapes = {{{0}, {no_path}}, {}};
    calls.processes = {{0, {0, 0}, {}}, {1, {}, {276, 0}}};
  }
  Plan plan;
  CallPathProfiles calls;
};

TEST(UnknownCounters, AreThoseThatOnlyLocationsWithoutCallsRecord) {
  const Program program;
  EXPECT_THAT(find_unknown_counters(program.plan, program.calls), ElementsAre(true, false));
}

TEST(UnknownCounters, AreKnownWhereAnyCallHasThem) {
  Program program;
  program.calls.processes[0].values[0] = 5;
  EXPECT_THAT(find_unknown_counters(program.plan, program.calls), ElementsAre(false, false));
}

TEST(UnknownCounters, AreTheSameOfSomeProcesses) {
  Program program;
  program.calls.processes.pop_back();
  EXPECT_THAT(find_unknown_counters(program.plan, program.calls), ElementsAre(true, false));
}

}  // namespace tracefold::unknown_counters_test
