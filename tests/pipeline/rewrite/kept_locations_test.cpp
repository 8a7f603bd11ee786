#include "pipeline/rewrite/kept_locations.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::kept_locations_test {

using ::testing::ElementsAre;
using testing::keep_all;
using testing::keep_first;
using testing::TraceBuilder;

std::vector<std::uint64_t> list_ids(const KeptLocations& kept) {
  std::vector<std::uint64_t> ids;
  for (const auto& location : kept.all())
    ids.push_back(location.id);
  return ids;
}

TEST(KeptLocations, KeepsEveryProcessWhereNoneIsChosen) {
  const auto definitions = TraceBuilder().add_mpi_processes(3).definitions();
  const KeptLocations kept(definitions, keep_all(definitions), false);
  EXPECT_THAT(list_ids(kept), ElementsAre(0, 1, 2));
  EXPECT_TRUE(kept.keeps_all());
}

TEST(KeptLocations, GivesEachProcessAGroupOfItsOwnWhereThereAreNone) {
  const auto definitions = TraceBuilder().add_mpi_processes(2).definitions();
  auto plan = keep_all(definitions);
  EXPECT_EQ(KeptLocations(definitions, plan, false).all()[1].group, 1u);
  plan.groups = {{{0, 1}, {0}, {}}};
  EXPECT_EQ(KeptLocations(definitions, plan, false).all()[1].group, 0u);
}

TEST(KeptLocations, PutsProcessesInMpiFirstByRankThenOthersThenAccelerators) {
  TraceBuilder trace;
  trace.add_location_group(0, {1}, otf2_value::location_group_accelerator)
      .add_location_group(1, {5})
      .add_location_group(2, {8, 7})
      .add_location_group(3, {6});
  const auto definitions = trace.add_world({8, 6}).definitions();
  const KeptLocations kept(definitions, keep_all(definitions), false);
  EXPECT_THAT(list_ids(kept), ElementsAre(7, 8, 6, 5, 1));
  EXPECT_THAT(kept.groups(), ElementsAre(2, 3, 1, 0));
  EXPECT_EQ(kept.new_id(6), 2u);
}

TEST(KeptLocations, PutsHaloProcessesByRankBehindKeptOnesInMpiAndBeforeAllOthers) {
  TraceBuilder trace;
  trace.add_location_group(0, {10}, otf2_value::location_group_accelerator)
      .add_location_group(1, {11})
      .add_location_group(2, {12})
      .add_location_group(3, {13})
      .add_location_group(4, {14})
      .add_location_group(5, {15});
  const auto definitions = trace.add_world({12, 13, 14, 15}).definitions();
  const auto plan = keep_first(definitions, {{10}, {11}, {13}, {15}}, {14, 12});
  const KeptLocations kept(definitions, plan, false);
  EXPECT_THAT(list_ids(kept), ElementsAre(13, 15, 12, 14, 11, 10));
  EXPECT_THAT(kept.groups(), ElementsAre(3, 5, 2, 4, 1, 0));
  EXPECT_EQ(kept.new_id(14), 3u);
}

TEST(KeptLocations, TakesAProcessForKeptWhereOneOfItsThreadsIs) {
  TraceBuilder trace;
  trace.add_location_group(0, {1}).add_location_group(1, {2, 3}).add_location_group(2, {4});
  const auto definitions = trace.add_world({1, 2, 4}).definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{3}, {4}}, {1, 2}), false);
  EXPECT_THAT(list_ids(kept), ElementsAre(2, 3, 4, 1));
}

TEST(KeptLocations, StandForNobodyAsHalo) {
  const auto definitions = TraceBuilder().add_mpi_processes(3).definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{0, 2}}, {1}), false);
  ASSERT_THAT(list_ids(kept), ElementsAre(0, 1));
  EXPECT_EQ(kept.all()[0].role, LocationRole::kept);
  EXPECT_EQ(kept.all()[1].role, LocationRole::halo);
  EXPECT_EQ(kept.all()[1].count, 0u);
  EXPECT_EQ(kept.all()[1].members, "");
  EXPECT_EQ(kept.find_representative(1), 1u);
  EXPECT_EQ(kept.find_representative(2), 0u);
}

TEST(KeptLocations, PutsACreatorBeforeWhatItCreated) {
  TraceBuilder trace;
  trace.add_location_group(4, {1}, otf2_value::location_group_accelerator, 9)
      .add_location_group(9, {2});
  const auto definitions = trace.definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{1, 2}}), false);
  EXPECT_THAT(list_ids(kept), ElementsAre(1));
  EXPECT_THAT(kept.groups(), ElementsAre(9, 4));
}

TEST(KeptLocations, DoesNotPutACreatorBetweenProcessesInMpi) {
  TraceBuilder trace;
  trace.add_location_group(0, {0})
      .add_location_group(1, {1})
      .add_location_group(2, {2}, otf2_value::location_group_process, 1)
      .add_location_group(3, {3}, otf2_value::location_group_accelerator, 1);
  const auto definitions = trace.add_world({0, 1, 2}).definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{0, 1}, {2}, {3}}), false);
  EXPECT_THAT(list_ids(kept), ElementsAre(0, 2, 3));
  EXPECT_THAT(kept.groups(), ElementsAre(0, 2, 1, 3)) << "the second is rank 1";
}

TEST(KeptLocations, KeepsIdsWhereAsked) {
  const auto definitions = TraceBuilder().add_location_group(0, {3, 5}).definitions();
  const auto plan = keep_first(definitions, {{5, 3}});
  EXPECT_EQ(KeptLocations(definitions, plan, false).new_id(5), 0u);
  EXPECT_EQ(KeptLocations(definitions, plan, true).new_id(5), 5u);
}

TEST(KeptLocations, CountsAndListsWhatALocationStandsFor) {
  const auto definitions = TraceBuilder().add_mpi_processes(4).definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{1, 0, 2}, {3}}), false);
  ASSERT_THAT(list_ids(kept), ElementsAre(1, 3));
  EXPECT_EQ(kept.all()[0].count, 3u);
  EXPECT_EQ(kept.all()[0].members, "0-2");
  EXPECT_EQ(kept.all()[1].group, 1u);
  EXPECT_EQ(kept.find_representative(2), 1u);
  EXPECT_EQ(kept.find_representative(3), 3u);
  EXPECT_EQ(kept.find_representative(77), std::nullopt);
  EXPECT_FALSE(kept.has(0));
  EXPECT_FALSE(kept.keeps_all());
}

TEST(KeptLocations, NamesMembersAndSourceInTheFirstOriginal) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  const auto property = [&](const char* name, std::uint64_t type, std::uint64_t value) {
    const auto text = trace.string(name);
    trace.define(DefinitionKind::LocationProperty, {0, text, type, value});
  };
  property("tracefold::source", otf2_value::type_uint64, 30);
  property("tracefold::count", otf2_value::type_uint64, 2);
  property("tracefold::members", otf2_value::type_string, trace.string("30,40"));

  const auto definitions = trace.definitions();
  const KeptLocations kept(definitions, keep_first(definitions, {{0, 1}}), false);
  EXPECT_EQ(kept.all()[0].source, 30u);
  EXPECT_EQ(kept.all()[0].members, "1,30,40");
  EXPECT_EQ(kept.all()[0].count, 3u);
}

TEST(KeptLocations, RefusesAPlanThatKeepsNothing) {
  const auto definitions = TraceBuilder().add_mpi_processes(2).definitions();
  EXPECT_THROW(KeptLocations(definitions, keep_first(definitions, {}), false), Error);
}

}  // namespace tracefold::kept_locations_test
