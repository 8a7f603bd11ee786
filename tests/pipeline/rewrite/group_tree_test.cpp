#include "pipeline/rewrite/group_tree.hpp"

#include "model/plan.hpp"
#include "pipeline/events/places.hpp"
#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::group_tree_test {

using K = DefinitionKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TraceBuilder;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t none = TraceBuilder::none;

Plan show_groups(Plan plan) {
  plan.write.emplace().tree = TreeChoice::groups;
  return plan;
}

// The first location of each group is kept, and stands for the group.
Plan keep_groups(const Definitions& definitions,
                 const std::vector<std::vector<std::uint64_t>>& groups,
                 const std::vector<std::uint64_t>& halo = {}) {
  auto plan = show_groups(testing::keep_first(definitions, groups, halo));
  plan.groups.emplace();
  for (const auto& representative : *plan.representatives)
    plan.groups->push_back({representative.members, {}, {}});
  return plan;
}

// "node > 2× like rank 1: 0 3" for each node: those above it, and the location groups below it.
std::vector<std::string> show(const Definitions& definitions, const SystemTree& tree) {
  const auto name = [&](const TreeNodeRef& node) {
    return node.is_added ? tree.nodes.at(node.id).name
                         : definitions.text(get_field<"name", K::SystemTreeNode>(
                               *definitions.find(Ref::system_tree_node, node.id)));
  };

  std::vector<std::string> lines;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    auto line = tree.nodes[i].name;
    for (auto above = tree.nodes[i].parent; above;
         above = above->is_added ? tree.nodes.at(above->id).parent : std::nullopt)
      line = name(*above) + " > " + line;
    line += ":";
    for (const auto id : std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7})
      if (const auto at = tree.parents.find(id);
          at != tree.parents.end() && at->second == TreeNodeRef{i, true})
        line += " " + std::to_string(id);
    lines.push_back(std::move(line));
  }

  return lines;
}

std::vector<std::string> show(const Definitions& definitions, const Plan& plan) {
  return show(definitions,
              make_system_tree(definitions, plan, KeptLocations(definitions, plan, false)));
}

TEST(GroupTree, LeavesTheMachineUnlessGroupsAreAskedFor) {
  const auto definitions = TraceBuilder().add_mpi_processes(2).definitions();
  auto plan = keep_groups(definitions, {{0, 1}});
  plan.write->tree = TreeChoice::machine;
  const auto tree = make_system_tree(definitions, plan, KeptLocations(definitions, plan, false));
  EXPECT_THAT(tree.nodes, IsEmpty());
  EXPECT_THAT(tree.parents, IsEmpty());
}

TEST(GroupTree, PutsLocationGroupsBelowTheirGroups) {
  const auto definitions = TraceBuilder().add_mpi_processes(4).definitions();
  EXPECT_THAT(show(definitions, keep_groups(definitions, {{2, 1, 3}, {0}})),
              ElementsAre("node > rank 0: 0", "node > 3× like rank 1: 2"));
}

// A location group has one parent, whatever its threads are like.
TEST(GroupTree, PutsALocationGroupBelowTheGroupOfItsFirstKeptLocation) {
  TraceBuilder trace;
  trace.add_location_group(0, {0, 10}).add_location_group(1, {1, 11});
  const auto definitions = trace.add_world({0, 1}).definitions();
  EXPECT_THAT(show(definitions, keep_groups(definitions, {{0, 1}, {10, 11}})),
              ElementsAre("node > 2× like rank 0: 0"));
  EXPECT_THAT(show(definitions, keep_groups(definitions, {{0, 1}, {11, 10}})),
              ElementsAre("node > 2× like rank 0: 0", "node > 2× like rank 0 thread 1: 1"));
}

TEST(GroupTree, ShowsTheSetsThatWereMerged) {
  const auto definitions = TraceBuilder().add_mpi_processes(5).definitions();
  auto plan = keep_groups(definitions, {{0, 1, 2, 3}, {4}});
  (*plan.groups)[0].merged = {{0, 2, 3}, {1}};
  EXPECT_THAT(show(definitions, plan),
              ElementsAre("node > 4× like rank 0:", "node > 4× like rank 0 > 3× equal to rank 0: 0",
                          "node > rank 4: 4"));
}

TEST(GroupTree, ShowsClustersInTimeWhereThereAreSeveral) {
  const auto definitions = TraceBuilder().add_mpi_processes(5).definitions();
  auto plan = keep_groups(definitions, {{0, 1, 2}, {3}, {4}});
  plan.groups = {{{0, 1, 2, 3}, {}, {}}, {{4}, {}, {}}};
  auto& representatives = *plan.representatives;
  representatives[1].why = "slowest member";
  representatives[1].group = 0;
  representatives[2].group = 1;
  EXPECT_THAT(
      show(definitions, plan),
      ElementsAre("node > 4× like rank 0:", "node > 4× like rank 0 > 3× like rank 0: 0",
                  "node > 4× like rank 0 > rank 3 · slowest member: 3", "node > rank 4: 4"));
}

TEST(GroupTree, ShowsMainClustersOfSeveralGroups) {
  const auto definitions = TraceBuilder().add_mpi_processes(5).definitions();
  auto plan = keep_groups(definitions, {{0, 1}, {2, 3}, {4}});
  (*plan.groups)[0].clusters = {7, 0, "0-1"};
  (*plan.groups)[1].clusters = {7, 1, "2-3"};
  (*plan.groups)[2].clusters = {8, 2, "4"};
  EXPECT_THAT(
      show(definitions, plan),
      ElementsAre("node > 4× main cluster 7:", "node > 4× main cluster 7 > 2× like rank 0: 0",
                  "node > 4× main cluster 7 > 2× like rank 2: 2", "node > rank 4: 4"));
}

TEST(GroupTree, ShowsPartnersBesideTheGroups) {
  const auto definitions = TraceBuilder().add_mpi_processes(4).definitions();
  EXPECT_THAT(show(definitions, keep_groups(definitions, {{0, 1}, {3}}, {1, 2})),
              ElementsAre("node > 2× like rank 0: 0", "node > rank 3: 3",
                          "node > ◌ partners of kept processes: 1 2"));
}

TEST(GroupTree, PutsCreatorsOfAcceleratorsBesideThese) {
  TraceBuilder trace;
  trace.add_location_group(0, {0})
      .add_location_group(1, {})
      .add_location_group(2, {2}, otf2_value::location_group_accelerator, 1)
      .add_location_group(3, {3}, otf2_value::location_group_accelerator, 0);
  const auto definitions = trace.add_world({0}).definitions();
  EXPECT_THAT(show(definitions, keep_groups(definitions, {{0}, {2}, {3}})),
              ElementsAre("node > rank 0: 0", "node > location 2: 1 2", "node > location 3: 3"));
}

TEST(GroupTree, SaysWhatSetsAGroupApart) {
  const auto definitions = TraceBuilder().add_mpi_processes(2).definitions();
  auto plan = keep_groups(definitions, {{0, 1}});
  plan.groups->front().name = "inside of the grid";
  EXPECT_THAT(show(definitions, plan),
              ElementsAre("node > 2× like rank 0 · inside of the grid: 0"));
}

TEST(GroupTree, OrdersAllProcessesWhereNoneIsChosen) {
  const auto definitions = TraceBuilder().add_mpi_processes(4).definitions();
  auto plan = keep_groups(definitions, {{0, 2}, {1, 3}});
  plan.representatives.reset();
  EXPECT_THAT(show(definitions, plan),
              ElementsAre("node > 2× like rank 0: 0 2", "node > 2× like rank 1: 1 3"));
}

// A trace of two machines, or of a process of which nobody says where it was, has no root.
TEST(GroupTree, HasNoRootWhereTheMachineHasNone) {
  TraceBuilder trace;
  trace.add_mpi_processes(1).define(K::SystemTreeNode, {5, trace.string("other"), 0, none});
  trace.define(K::LocationGroup, {1, trace.string("group 1"), 0, 5, none});
  trace.define(K::Location, {1, trace.string("thread"), otf2_value::location_type_cpu, 0, 1});
  const auto definitions = trace.definitions();
  const auto plan = keep_groups(definitions, {{0}, {1}});
  const auto tree = make_system_tree(definitions, plan, KeptLocations(definitions, plan, false));
  EXPECT_THAT(show(definitions, tree), ElementsAre("rank 0: 0", "process 1: 1"));
  EXPECT_EQ(tree.places.at(0), "machine::node");
  EXPECT_EQ(tree.places.at(1), "node::other");
}

// A machine with a node, and a group below which locations 0 and 1 are; the node of 1 is still
// there.
class GroupTreeAgainTest : public ::testing::Test {
 protected:
  GroupTreeAgainTest() {
    const auto node_class = trace_.string("node");
    trace_.define(K::SystemTreeNode, {0, trace_.string("cluster"), trace_.string("machine"), none})
        .define(K::SystemTreeNode, {1, trace_.string("node 1"), node_class, 0})
        .define(K::SystemTreeNode, {2, trace_.string("9× like"), trace_.string("group"), 0})
        .define(K::SystemTreeNodeProperty,
                {2, trace_.string(tree_property), otf2_value::type_string, trace_.string("group")});
    for (std::uint64_t id : {0, 1}) {
      const auto place = trace_.string("machine::cluster / node::node " + std::to_string(id));
      trace_.define(K::LocationGroup, {id, trace_.string("process"), 0, 2, none})
          .define(K::Location, {id, trace_.string("thread"), otf2_value::location_type_cpu, 0, id})
          .define(K::LocationGroupProperty,
                  {id, trace_.string(node_property), otf2_value::type_string, place});
    }
    trace_.add_world({0, 1});
  }

  TraceBuilder trace_;
};

TEST_F(GroupTreeAgainTest, IsNotNested) {
  const auto definitions = trace_.definitions();
  const auto plan = keep_groups(definitions, {{0, 1}});
  const auto tree = make_system_tree(definitions, plan, KeptLocations(definitions, plan, false));
  EXPECT_THAT(show(definitions, tree), ElementsAre("cluster > 2× like rank 0: 0"));
  EXPECT_EQ(tree.places.at(0), "machine::cluster / node::node 0");
}

TEST_F(GroupTreeAgainTest, ShowsTheMachineAgain) {
  const auto definitions = trace_.definitions();
  auto plan = keep_groups(definitions, {{0}, {1}});
  plan.write->tree = TreeChoice::machine;
  const auto tree = make_system_tree(definitions, plan, KeptLocations(definitions, plan, false));
  EXPECT_THAT(show(definitions, tree), ElementsAre("cluster > node 0: 0"));
  EXPECT_EQ(tree.nodes[0].class_name, "node");
  EXPECT_TRUE(tree.nodes[0].is_of_machine);
  EXPECT_EQ(tree.parents.at(1), (TreeNodeRef{1, false})) << "the node that is there";
  EXPECT_THAT(tree.places, IsEmpty());
}

TEST(Places, ComeBackAsTheyWere) {
  const NodePath path{{"machine", "cluster"}, {"ROCm Device", "0"}, {"", ""}, {"", "a/b"}};
  EXPECT_EQ(to_text(path), "machine::cluster / ROCm Device::0 / :: / ::a/b");
  EXPECT_EQ(parse_node_path(to_text(path)), path);
  EXPECT_EQ(parse_node_path("node 1"), (NodePath{{"", "node 1"}}));
}

// Chains of nodes may be as long as an archive has definitions.
TEST(Places, ArePathsOfLimitedLength) {
  TraceBuilder trace;
  trace.add_mpi_processes(1);
  constexpr std::uint64_t nodes = 100'000;
  for (std::uint64_t id = 1; id < nodes; ++id)
    trace.define(K::SystemTreeNode, {id, 0, 0, id - 1});
  trace.define(K::LocationGroup, {1, 0, 0, nodes - 1, none});
  const auto definitions = trace.definitions();
  const Places places(definitions);
  EXPECT_EQ(places.find_root(1), 0u);
  EXPECT_EQ(parse_node_path(places.find(1).value()).size(), 64u);
}

}  // namespace tracefold::group_tree_test
