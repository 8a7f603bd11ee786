// Which definitions stay in a reduced trace, and the ids that they get.
#include "pipeline/rewrite/new_ids.hpp"
#include "model/plan.hpp"

#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::new_ids_test {

using K = DefinitionKind;
using ::testing::ElementsAre;
using testing::make_event;
using testing::TraceBuilder;

constexpr std::uint64_t none = TraceBuilder::none, world = TraceBuilder::world;

// Definitions of which events use some; process 0 is kept, and stands for 1.
class Reduced {
 public:
  Reduced(TraceBuilder& trace, const std::vector<std::pair<Ref, std::uint64_t>>& used)
      : definitions(trace.definitions()),
        plan(testing::keep_first(definitions, {{0, 1}})),
        kept(definitions, plan, false),
        partners(definitions, plan, kept),
        staying(definitions, kept, partners, collect(used)),
        ids(definitions, kept, staying) {
    ids.make_tables();
  }
  bool stays(Ref kind, std::uint64_t id) const { return staying.stays(kind, id); }
  bool property_stays(const std::string& name) const {
    for (const auto& d : definitions.all())
      if (d.kind == K::LocationProperty &&
          definitions.text(get_field<"name", K::LocationProperty>(d)) == name)
        return staying.stays(d);
    return false;
  }

  static UsedRefs collect(const std::vector<std::pair<Ref, std::uint64_t>>& used) {
    UsedRefs refs;
    for (const auto& [kind, id] : used)
      refs.add(kind, id);
    return refs;
  }

  Definitions definitions;
  Plan plan;
  KeptLocations kept;
  Partners partners;
  StayingDefinitions staying;
  NewIds ids;
};

TEST(StayingDefinitions, AreWhatEventsUse) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(4, "f").add_region(6, "g");
  const Reduced reduced(trace, {{Ref::region, 6}, {Ref::region, 99}});
  EXPECT_TRUE(reduced.stays(Ref::region, 6));
  EXPECT_FALSE(reduced.stays(Ref::region, 4));
  EXPECT_FALSE(reduced.stays(Ref::region, 99)) << "it is not defined";
  EXPECT_TRUE(reduced.stays(Ref::location, 0));
  EXPECT_FALSE(reduced.stays(Ref::location, 1));
  EXPECT_TRUE(reduced.stays(Ref::system_tree_node, 0)) << "the kept location is on it";
}

TEST(StayingDefinitions, AreWhatOthersReferTo) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_comm(3, 20, {0});
  trace.define(K::RmaWin, {7, 0, 3, 0});
  const Reduced reduced(trace, {{Ref::rma_win, 7}});
  EXPECT_TRUE(reduced.stays(Ref::comm, 3));
  EXPECT_TRUE(reduced.stays(Ref::group, 20));
  EXPECT_FALSE(reduced.stays(Ref::comm, world));
}

TEST(StayingDefinitions, AreCallPathsWhoseRegionsAndParentsStay) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(1, "f").add_region(2, "g").add_region(3, "h");
  trace
      .define(K::Callpath, {12, 11, 2})  // the callee first
      .define(K::Callpath, {11, none, 1})
      .define(K::Callpath, {13, 11, 3});
  const Reduced reduced(trace, {{Ref::region, 1}, {Ref::region, 2}});
  EXPECT_TRUE(reduced.stays(Ref::callpath, 12));
  EXPECT_FALSE(reduced.stays(Ref::callpath, 13));
}

TEST(StayingDefinitions, AreGroupsOfWhichAnyMemberStays) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(1, "f").add_region(2, "g");
  trace.define(K::Group, {30, 0, otf2_value::group_regions, 0, 0, 2}, {1, 2})
      .define(K::Group, {31, 0, otf2_value::group_regions, 0, 0, 1}, {2});
  const Reduced reduced(trace, {{Ref::region, 1}});
  EXPECT_TRUE(reduced.stays(Ref::group, 30));
  EXPECT_FALSE(reduced.stays(Ref::group, 31));
}

TEST(StayingDefinitions, AreTopologiesOfKeptCommunicators) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.define(K::CartDimension, {8, 0, 2, 0}).define(K::CartTopology, {6, 0, world, 1}, {8});
  EXPECT_TRUE(Reduced(trace, {{Ref::comm, world}}).stays(Ref::cart_topology, 6));
  EXPECT_FALSE(Reduced(trace, {}).stays(Ref::cart_topology, 6));
}

TEST(StayingDefinitions, AreMetricClassesThatAKeptLocationRecords) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  trace.define(K::MetricClass, {3, 0, 0, 0}).define(K::MetricClass, {4, 0, 0, 0});
  trace.define(K::MetricClassRecorder, {3, 0}).define(K::MetricClassRecorder, {4, 1});
  const Reduced reduced(trace, {});
  EXPECT_TRUE(reduced.stays(Ref::metric, 3));
  EXPECT_FALSE(reduced.stays(Ref::metric, 4));
}

TEST(StayingDefinitions, AreNotThoseOfAnEarlierReduction) {
  TraceBuilder trace;
  trace.add_mpi_processes(2);
  const auto ours = trace.string("tracefold::group"), other = trace.string("bound to"),
             group = trace.string("tracefold group 0");
  trace.define(K::LocationProperty, {0, ours, otf2_value::type_uint32, 0})
      .define(K::LocationProperty, {0, other, otf2_value::type_uint32, 0})
      .define(K::Group, {30, group, otf2_value::group_locations, 0, 0, 1}, {0});
  const Reduced reduced(trace, {});
  EXPECT_FALSE(reduced.property_stays("tracefold::group"));
  EXPECT_TRUE(reduced.property_stays("bound to"));
  EXPECT_FALSE(reduced.stays(Ref::group, 30));
}

TEST(NewIds, AreDenseInTheOrderOfTheOriginal) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(9, "f").add_region(4, "g").add_region(7, "h");
  const Reduced reduced(trace, {{Ref::region, 7}, {Ref::region, 9}});
  EXPECT_EQ(reduced.ids.find(Ref::region, 9), 0u);
  EXPECT_EQ(reduced.ids.find(Ref::region, 7), 1u);
  EXPECT_EQ(reduced.ids.find(Ref::region, 4), none) << "it is left out";
  EXPECT_EQ(reduced.ids.find(Ref::region, none), none);
  EXPECT_EQ(reduced.ids.count(Ref::region), 2u);
}

TEST(NewIds, PutParentsFirst) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(1, "f");
  trace.define(K::CallingContext, {5, 1, none, 6}).define(K::CallingContext, {6, 1, none, none});
  const Reduced reduced(trace, {{Ref::calling_context, 5}});
  EXPECT_EQ(reduced.ids.find(Ref::calling_context, 6), 0u);
  EXPECT_EQ(reduced.ids.find(Ref::calling_context, 5), 1u);
}

TEST(NewIds, AreTheSameForIdsFarApart) {
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(9, "f").add_region(3'000'000'000, "g");
  const Reduced reduced(trace, {{Ref::region, 9}, {Ref::region, 3'000'000'000}});
  EXPECT_EQ(reduced.ids.find(Ref::region, 3'000'000'000), 1u);
  EXPECT_EQ(reduced.ids.find(Ref::region, 2'999'999'999), none);
}

TEST(NewIds, GiveALeftOutLocationTheIdOfItsStandIn) {
  TraceBuilder trace;
  const Reduced reduced(trace.add_mpi_processes(2), {});
  EXPECT_EQ(reduced.ids.find(Ref::location, 1), 0u);
  EXPECT_EQ(reduced.ids.find(Ref::location, 50), ~std::uint64_t{0});
}

TEST(NewIds, LeaveParadigmsAsTheyAre) {
  TraceBuilder trace;
  const Reduced reduced(trace.add_mpi_processes(2), {});
  EXPECT_EQ(reduced.ids.find(Ref::paradigm, TraceBuilder::mpi), TraceBuilder::mpi);
  EXPECT_EQ(reduced.ids.find(Ref::paradigm, 3), 3u) << "it is not defined";
}

TEST(NewIds, PutListsOfLocationsBeforeOtherGroups) {
  TraceBuilder trace;
  const Reduced reduced(trace.add_mpi_processes(2), {{Ref::comm, world}});
  EXPECT_EQ(reduced.ids.find(Ref::group, TraceBuilder::mpi_locations), 0u);
  EXPECT_EQ(reduced.ids.find(Ref::group, TraceBuilder::world_group), 1u);
  EXPECT_EQ(reduced.ids.group_count(), 2u);
}

TEST(NewIds, AreGivenToEventsAndTheirAttributes) {
  constexpr std::uint64_t of_type_region = 14;
  TraceBuilder trace;
  trace.add_mpi_processes(2).add_region(9, "f");
  trace.define(K::Attribute, {40, 0, 0, of_type_region});
  const Reduced reduced(trace, {{Ref::region, 9}, {Ref::attribute, 40}, {Ref::comm, world}});
  auto event = make_event(EventKind::CommCreate, 1, {world}, {},
                          {{40, of_type_region, 9}, {41, of_type_region, 9}});
  reduced.ids.renumber(event);
  EXPECT_THAT(event.attributes, ElementsAre(Attribute{0, of_type_region, 0}))
      << "attribute 41 is not defined";
}

}  // namespace tracefold::new_ids_test
