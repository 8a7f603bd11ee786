#include "pipeline/messages/cart_topologies.hpp"

#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::cart_topologies_test {

using K = DefinitionKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TraceBuilder;

constexpr std::uint64_t world = TraceBuilder::world;

TEST(CartTopologies, HaveAxesGroupAndPlacesAsTheyAreDefined) {
  TraceBuilder trace;
  trace.add_mpi_processes(4);
  const auto x = trace.string("x"), grid = trace.string("grid");
  trace.define(K::CartDimension, {8, x, 2, 1})
      .define(K::CartTopology, {6, grid, world, 2}, {8, 9})  // 9 is not defined
      .define(K::CartCoordinate, {6, 3, 2}, {1, 0})
      .define(K::CartCoordinate, {6, 0, 2}, {0, 5})
      .define(K::CartCoordinate, {7, 0, 2}, {0, 0});  // of another topology
  const auto definitions = trace.definitions();
  const auto topologies = list_cart_topologies(definitions);

  ASSERT_THAT(topologies, SizeIs(1));
  const auto& topology = topologies[0];
  EXPECT_EQ(topology.name, "grid");
  EXPECT_EQ(topology.group, definitions.find(Ref::group, TraceBuilder::world_group));
  ASSERT_THAT(topology.axes, SizeIs(2));
  EXPECT_EQ(topology.axes[0].name, "x");
  EXPECT_EQ(topology.axes[0].size, 2u);
  EXPECT_TRUE(topology.axes[0].is_periodic);
  EXPECT_EQ(topology.axes[1].size, 0u);
  ASSERT_THAT(topology.places, SizeIs(2));
  EXPECT_EQ(topology.places[0].rank, 3u);
  EXPECT_THAT(*topology.places[0].coordinates, ElementsAre(1, 0));
  EXPECT_EQ(topology.places[1].rank, 0u);
}

TEST(CartTopologies, HaveNoGroupWhereTheCommunicatorIsBetweenTwo) {
  TraceBuilder trace;
  trace.add_mpi_processes(4).add_comm(1, 20, {0, 1}).add_comm(2, 21, {2, 3});
  trace.define(K::InterComm, {3, trace.string("both"), 20, 21, world, 0})
      .define(K::CartTopology, {6, trace.string("line"), 3, 0});
  const auto definitions = trace.definitions();
  const auto topologies = list_cart_topologies(definitions);
  ASSERT_THAT(topologies, SizeIs(1));
  EXPECT_EQ(topologies[0].group, nullptr);
}

TEST(CartTopologies, AreNoneWhereNoneAreDefined) {
  TraceBuilder trace;
  const auto definitions = trace.add_mpi_processes(2).definitions();
  EXPECT_THAT(list_cart_topologies(definitions), IsEmpty());
}

TEST(CartTopologies, TellWhichCoordinatesAreInside) {
  CartTopology topology;
  topology.axes = {{"x", 2, false}, {"y", 3, true}};
  EXPECT_TRUE(topology.has({1, 2}));
  EXPECT_FALSE(topology.has({2, 0}));
  EXPECT_FALSE(topology.has({0, 3}));
  EXPECT_FALSE(topology.has({0}));
  EXPECT_FALSE(topology.has({0, 0, 0}));
}

}  // namespace tracefold::cart_topologies_test
