#include "pipeline/rewrite/partners.hpp"

#include "model/plan.hpp"
#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::partners_test {

using ::testing::ElementsAre;
using testing::keep_first;
using testing::TraceBuilder;

constexpr std::uint64_t world = TraceBuilder::world, none = Partners::none;

// The partners of a trace of which only the first location of each group is kept.
struct Kept {
  Kept(TraceBuilder& trace, const std::vector<std::vector<std::uint64_t>>& groups,
       const std::vector<std::uint64_t>& communicate = {},
       const std::vector<std::uint64_t>& filtered_out = {})
      : definitions(trace.definitions()), plan(keep_first(definitions, groups)) {
    for (auto& process : plan.processes)
      process.has_messages =
          std::find(communicate.begin(), communicate.end(), process.id) != communicate.end();
    locations.emplace(definitions, plan, false);
    partners.emplace(definitions, plan, *locations, filtered_out);
  }
  const Partners& operator*() const { return *partners; }
  const Partners* operator->() const { return &*partners; }

  Definitions definitions;
  Plan plan;
  std::optional<KeptLocations> locations;
  std::optional<Partners> partners;
};

TEST(Partners, KeepsMessagesBetweenKeptProcessesOnly) {
  TraceBuilder trace;
  const Kept kept(trace.add_mpi_processes(3), {{0, 1}, {2}});
  EXPECT_TRUE(kept->message_stays(0, world, 2));
  EXPECT_FALSE(kept->message_stays(0, world, 1));
  EXPECT_FALSE(kept->message_stays(1, world, 2)) << "recorded by a location that is left out";
  EXPECT_FALSE(kept->message_stays(0, world, 9)) << "a rank that the communicator does not have";
  EXPECT_TRUE(kept->is_kept(0, world, 2));
  EXPECT_FALSE(kept->is_kept(0, world, 1));
}

TEST(Partners, KeepsMessagesOfAProcessOnlyWithAllItsLocationsThatCommunicate) {
  TraceBuilder trace;
  trace.add_location_group(0, {0}).add_location_group(1, {1, 11}).add_world({0, 1});
  EXPECT_TRUE(Kept(trace, {{0}, {1, 11}})->message_stays(0, world, 1));
  EXPECT_FALSE(Kept(trace, {{0}, {1, 11}}, {11})->message_stays(0, world, 1));
  EXPECT_TRUE(Kept(trace, {{0}, {1}, {11}}, {11})->message_stays(0, world, 1));
}

TEST(Partners, CutsMessagesOfAProcessWithAFilteredOutLocationThatCommunicates) {
  TraceBuilder trace;
  trace.add_location_group(0, {0}).add_location_group(1, {1, 11}).add_world({0, 1});
  const Kept kept(trace, {{0}, {1}}, {0}, {11});
  EXPECT_FALSE(kept->message_stays(0, world, 1));
  EXPECT_FALSE(kept->message_stays(1, world, 0));
}

TEST(Partners, CutsMessagesWhereCommSelfIsASideOfAnInterCommunicator) {
  TraceBuilder trace;
  trace.add_mpi_processes(3).add_self_comm(5, 6).add_comm(8, 30, {1, 2});
  trace.define(DefinitionKind::InterComm, {9, trace.string("spawned"), 6, 30, world, 0});
  trace.define(DefinitionKind::InterComm, {10, trace.string("spawned"), 30, 6, world, 0});
  const Kept kept(trace, {{0}, {1}, {2}});

  for (const std::uint64_t comm : {9u, 10u}) {
    EXPECT_EQ(kept.definitions.partner(0, comm, 0), 1u);
    EXPECT_EQ(kept.definitions.partner(0, comm, 1), 2u);
    EXPECT_EQ(kept.definitions.partner(1, comm, 0), std::nullopt);
    EXPECT_TRUE(kept.definitions.has_rank(1, comm, 0)) << "a process that nothing names";
    EXPECT_FALSE(kept.definitions.has_rank(1, comm, 1));
    EXPECT_FALSE(kept.definitions.has_rank(0, comm, 2));
    EXPECT_FALSE(kept->message_stays(0, comm, 0));
    EXPECT_FALSE(kept->message_stays(1, comm, 0));
  }
}

TEST(Partners, FindsTheOtherSideOfAnInterCommunicator) {
  TraceBuilder trace;
  trace.add_mpi_processes(3).add_comm(7, 29, {0}).add_comm(8, 30, {1, 2});
  trace.define(DefinitionKind::InterComm, {9, trace.string("inter"), 29, 30, world, 0});
  const Kept kept(trace, {{0}, {1}, {2}});
  EXPECT_EQ(kept.definitions.partner(0, 9, 1), 2u);
  EXPECT_EQ(kept.definitions.partner(2, 9, 0), 0u);
  EXPECT_TRUE(kept->message_stays(2, 9, 0));
}

TEST(Partners, LeavesOutMetricsOfLocationsThatNobodyStandsFor) {
  using K = DefinitionKind;
  constexpr auto of_location = otf2_value::scope_location,
                 of_process = otf2_value::scope_location_group;
  TraceBuilder trace;
  trace.add_mpi_processes(3).define(K::MetricClass, {3, 0, 0, 0});
  trace.define(K::MetricInstance, {4, 3, 0, of_location, 2});
  trace.define(K::MetricInstance, {5, 3, 2, of_location, 0});
  trace.define(K::MetricInstance, {6, 3, 0, of_process, 2});
  trace.define(K::MetricInstance, {7, 3, 1, of_process, 1});
  const Kept kept(trace, {{0, 1}});
  EXPECT_FALSE(kept->metric_stays(4));
  EXPECT_FALSE(kept->metric_stays(5));
  EXPECT_FALSE(kept->metric_stays(6));
  EXPECT_TRUE(kept->metric_stays(7)) << "location 0 stands for location 1";
  EXPECT_TRUE(kept->metric_stays(3));
}

TEST(Partners, NumbersRanksByWhatIsKeptOfTheCommunicator) {
  TraceBuilder trace;
  trace.add_mpi_processes(4).add_comm(9, 20, {3, 1, 2});
  const Kept kept(trace, {{1, 0}, {2}, {3}});
  EXPECT_EQ(kept->new_rank(1, world, 3), 2u);
  EXPECT_EQ(kept->new_rank(1, world, 0), std::nullopt);
  EXPECT_EQ(kept->new_rank(1, 9, 1), 1u);
  EXPECT_EQ(kept->new_rank(1, 77, 0), std::nullopt) << "a communicator that is not defined";
  EXPECT_THAT(kept->new_places(kept.definitions.comm_locations().at(TraceBuilder::mpi)),
              ElementsAre(none, 0, 1, 2));
}

TEST(Partners, KeepsRanksOfSelfCommunicators) {
  TraceBuilder trace;
  const Kept kept(trace.add_mpi_processes(2).add_self_comm(5, 6), {{1, 0}});
  EXPECT_EQ(kept->new_rank(1, 5, 0), 0u);
}

TEST(Partners, FindsTheCommunicatorOfAWindow) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).define(DefinitionKind::RmaWin, {7, 0, world, 0});
  const Kept kept(trace, {{0, 1}});
  EXPECT_EQ(kept->find_window_comm(7), world);
  EXPECT_EQ(kept->find_window_comm(8), 0xffffffffu);
}

TEST(Partners, KnowsWhetherAllRanksStay) {
  TraceBuilder all, unknown;
  EXPECT_TRUE(Kept(all.add_mpi_processes(2), {{0}, {1}})->keeps_all_ranks());
  EXPECT_FALSE(Kept(all, {{0, 1}})->keeps_all_ranks());
  unknown.add_location_group(0, {0}).add_world({99, 0});
  EXPECT_FALSE(Kept(unknown, {{0}})->keeps_all_ranks()) << "a listed location is not defined";
}

}  // namespace tracefold::partners_test
