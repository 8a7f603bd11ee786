// What the definitions of a reduced trace hold.
#include "pipeline/rewrite/reduced_definitions.hpp"

#include "tests/support/plan_of_definitions.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::reduced_definitions_test {

using K = DefinitionKind;
using ::testing::ElementsAre;
using testing::TraceBuilder;

constexpr std::uint64_t none = TraceBuilder::none, world = TraceBuilder::world;

// The definitions of a trace in which everything is used and the first location of each group is
// kept.
class ReducedDefinitionsTest : public ::testing::Test {
 protected:
  const Definitions& reduce(const std::vector<std::vector<std::uint64_t>>& groups,
                            const ReducedOptions& options = {},
                            const CollapsedRegions& stand_ins = {}) {
    const auto original = trace_.definitions();
    auto plan = testing::keep_first(original, groups);
    plan.write.emplace().tree = tree_;
    const KeptLocations kept(original, plan, false);
    const Partners partners(original, plan, kept);
    UsedRefs used;
    used.add_all(original);
    if (tree_ == TreeChoice::groups)
      used.forget(Ref::system_tree_node);  // events name none
    const ReducedDefinitions reduced(original, plan, kept, partners, used, stand_ins, options);
    left_out_ = reduced.count_left_out_of_tree();

    for (const auto& definition :
         reduced.definitions(std::vector<WrittenLocation>(groups.size(), {0, 12, {}}), 100, 150))
      found_.add(definition);
    found_.finish();

    return found_;
  }
  std::string name_of_location(std::uint64_t id) const {
    return found_.text(get_field<"name", K::Location>(*found_.find(Ref::location, id)));
  }
  // The value of a property of location 0.
  std::uint64_t property(const std::string& name) const {
    for (const auto& d : found_.all())
      if (d.kind == K::LocationProperty && d.fields[0] == 0 &&
          found_.text(get_field<"name", K::LocationProperty>(d)) == name)
        return get_field<"value", K::LocationProperty>(d);
    ADD_FAILURE() << "no property " << name;
    return 0;
  }

  TraceBuilder trace_;
  TreeChoice tree_ = TreeChoice::machine;
  Definitions found_;
  ReducedDefinitions::LeftOutOfTree left_out_;
};

TEST_F(ReducedDefinitionsTest, NameTheCountBeforeTheName) {
  trace_.add_mpi_processes(3);
  reduce({{1, 0}, {2}});
  EXPECT_EQ(name_of_location(0), "2× location 1");
  EXPECT_EQ(name_of_location(1), "location 2");
  const auto* group = found_.find(Ref::location_group, 0);
  EXPECT_EQ(found_.text(get_field<"name", K::LocationGroup>(*group)), "2× group 1");
}

TEST_F(ReducedDefinitionsTest, LeaveNamesAloneWhereAsked) {
  trace_.add_mpi_processes(2);
  reduce({{0, 1}}, {.plain_names = true});
  EXPECT_EQ(name_of_location(0), "location 0");
}

// The places of MPI's processes are their ranks, so a creator that is folded does not come between
// them: what stands for it takes its place where that comes before.
TEST_F(ReducedDefinitionsTest, NameACreatorOnlyWhereItComesBefore) {
  constexpr auto process = otf2_value::location_group_process;
  trace_.add_location_group(0, {0})
      .add_location_group(1, {1})
      .add_location_group(2, {2}, process, 1)
      .add_location_group(3, {3}, process, 4)
      .add_location_group(4, {4})
      .add_world({0, 1, 2, 3, 4});
  reduce({{0, 1}, {2}, {3, 4}});
  const auto find_creator = [&](std::uint64_t group) {
    const auto* found = found_.find(Ref::location_group, group);
    EXPECT_TRUE(found) << "group " << group;
    return found ? get_field<"creatingLocationGroup", K::LocationGroup>(*found) : 77;
  };
  EXPECT_EQ(find_creator(1), 0u) << "folded, and represented by rank 0";
  EXPECT_EQ(find_creator(2), undefined_id(Ref::location_group)) << "represented by itself";
  EXPECT_EQ(found_.find(Ref::location_group, 3), nullptr);
}

TEST_F(ReducedDefinitionsTest, SayWhatALocationStandsFor) {
  trace_.add_mpi_processes(3);
  reduce({{1, 0}, {2}});
  EXPECT_EQ(property("tracefold::source"), 1u);
  EXPECT_EQ(property("tracefold::rank"), 1u);
  EXPECT_EQ(property("tracefold::group"), 0u);
  EXPECT_EQ(property("tracefold::count"), 2u);
  EXPECT_EQ(found_.text(property("tracefold::members")), "0-1");
  EXPECT_EQ((get_field<"numberOfEvents", K::Location>(*found_.find(Ref::location, 1))), 12u);
}

TEST_F(ReducedDefinitionsTest, CutCommunicatorsToKeptProcesses) {
  trace_.add_mpi_processes(4).add_comm(9, 20, {3, 1, 2});
  reduce({{1, 0}, {2}, {3}});
  EXPECT_THAT(found_.comm_locations().at(TraceBuilder::mpi).list, ElementsAre(0, 1, 2));
  EXPECT_EQ(found_.partner(0, world, 2), 2u);
  EXPECT_EQ(found_.partner(0, 1, 0), 2u) << "the order of members stays";
}

TEST_F(ReducedDefinitionsTest, GroupTheKeptLocationsOfEachGroup) {
  trace_.add_mpi_processes(3);
  reduce({{0, 1}, {2}});
  std::vector<std::string> names;
  for (const auto& d : found_.all())
    if (is_group_of_type(d, otf2_value::group_locations))
      names.push_back(found_.text(get_field<"name", K::Group>(d)));
  EXPECT_THAT(names, ElementsAre("tracefold group 0: 2× like rank 0", "tracefold group 1: rank 2"));
}

TEST_F(ReducedDefinitionsTest, DefineRegionsThatStandForIterations) {
  trace_.add_mpi_processes(1).add_region(5, "f");
  reduce({{0}}, {}, {{"iteration ≈ #3"}, {}});
  const auto* region = found_.find(Ref::region, 1);
  ASSERT_TRUE(region);
  EXPECT_EQ(found_.text(get_field<"name", K::Region>(*region)), "iteration ≈ #3");
  EXPECT_EQ((get_field<"regionRole", K::Region>(*region)), otf2_value::region_role_artificial);
}

TEST_F(ReducedDefinitionsTest, DefineTheCallingContextsOfIterations) {
  trace_.add_mpi_processes(1).add_region(5, "main");
  trace_.define(K::CallingContext, {7, 5, none, none});
  reduce({{0}}, {}, {{"iteration ≈ #3", "iteration ≈ #4"}, {{0, 7}, {1, 7}, {1, none}}});

  const auto check = [&](std::uint64_t id, std::uint64_t region, std::uint64_t parent) {
    const auto* context = found_.find(Ref::calling_context, id);
    ASSERT_TRUE(context);
    EXPECT_EQ((get_field<"region", K::CallingContext>(*context)), region);
    EXPECT_EQ((get_field<"parent", K::CallingContext>(*context)), parent);
  };
  check(0, 0, none);
  check(1, 1, 0);
  check(2, 2, 0);
  check(3, 2, none);
}

TEST_F(ReducedDefinitionsTest, GiveAMetricOfALeftOutLocationToItsStandIn) {
  trace_.add_mpi_processes(2);
  trace_.define(K::MetricClass, {3, 0, 0, 0});
  trace_.define(K::MetricInstance, {4, 3, 1, otf2_value::scope_location_group, 1});
  reduce({{0, 1}});
  const auto* instance = found_.find(Ref::metric, 1);
  ASSERT_TRUE(instance);
  EXPECT_EQ((get_field<"recorder", K::MetricInstance>(*instance)), 0u);
  EXPECT_EQ((get_field<"scope", K::MetricInstance>(*instance)), 0u);
}

TEST_F(ReducedDefinitionsTest, NameWhatReadersCannotNameThemselves) {
  trace_.add_mpi_processes(1).define(K::Region, {5, none, none, none, 0, 0, 0, none, 0, 0});
  trace_.define(K::IoHandle, {6, none, none, 0xff, 0, none, none});
  reduce({{0}});
  EXPECT_NE((get_field<"name", K::Region>(*found_.find(Ref::region, 0))), none);
  const auto* handle = found_.find(Ref::io_handle, 0);
  EXPECT_EQ(found_.text(get_field<"name", K::IoHandle>(*handle)), "unnamed");
}

TEST_F(ReducedDefinitionsTest, NumberTheCoordinatesOfKeptRanks) {
  trace_.add_mpi_processes(2);
  trace_.define(K::CartDimension, {8, 0, 2, 0}).define(K::CartTopology, {6, 0, world, 1}, {8});
  trace_.define(K::CartCoordinate, {6, 0, 1}, {0}).define(K::CartCoordinate, {6, 1, 1}, {1});
  reduce({{1, 0}});
  std::vector<std::uint64_t> ranks;
  for (const auto& d : found_.all())
    if (d.kind == K::CartCoordinate)
      ranks.push_back(get_field<"rank", K::CartCoordinate>(d));
  EXPECT_THAT(ranks, ElementsAre(0));
}

TEST_F(ReducedDefinitionsTest, NameTheStandInOfALocationGroupThatIsLeftOut) {
  constexpr std::uint64_t type_location_group = 25;
  trace_.add_mpi_processes(3);
  const auto name = trace_.string("partner");
  trace_.define(K::LocationGroupProperty, {0, name, type_location_group, 1});
  trace_.define(K::LocationGroupProperty, {0, name, type_location_group, 2});
  reduce({{0, 1}, {2}});
  std::vector<std::uint64_t> named;
  for (const auto& d : found_.all())
    if (d.kind == K::LocationGroupProperty)
      named.push_back(get_field<"value", K::LocationGroupProperty>(d));
  EXPECT_THAT(named, ElementsAre(0, 1));
}

TEST_F(ReducedDefinitionsTest, LeaveNamesThatLookLikeCountsInAnOriginal) {
  trace_.add_location_group(0, {});
  const auto name = trace_.string("2× thread");
  trace_.define(K::Location, {0, name, otf2_value::location_type_cpu, 0, 0}).add_world({0});
  reduce({{0}});
  EXPECT_EQ(name_of_location(0), "2× thread");
}

// In a reduced trace only a count that its properties tell is taken off.
TEST_F(ReducedDefinitionsTest, LeaveNamesThatLookLikeCountsInAReducedTrace) {
  trace_.add_location_group(0, {});
  const auto name = trace_.string("3× 2× thread"), other_name = trace_.string("2× thread");
  trace_.define(K::Location, {0, name, otf2_value::location_type_cpu, 0, 0});
  trace_.define(K::Location, {1, other_name, otf2_value::location_type_cpu, 0, 0});
  trace_.add_world({0, 1});
  const auto define = [&](std::uint64_t location, std::uint64_t count, const char* members) {
    trace_.define(K::LocationProperty, {location, trace_.string("tracefold::source"),
                                        otf2_value::type_uint64, 10 * location});
    trace_.define(K::LocationProperty,
                  {location, trace_.string("tracefold::count"), otf2_value::type_uint64, count});
    trace_.define(K::LocationProperty, {location, trace_.string("tracefold::members"),
                                        otf2_value::type_string, trace_.string(members)});
  };
  define(0, 3, "0-2");
  define(1, 1, "10");
  reduce({{0}, {1}});
  EXPECT_EQ(name_of_location(0), "3× 2× thread");
  EXPECT_EQ(name_of_location(1), "2× thread");
}

// Two nodes of a machine, each with a property and a domain, and a process on each.
void define_machine(TraceBuilder& trace) {
  trace.define(K::SystemTreeNode, {7, trace.string("cluster"), trace.string("machine"), none});
  for (std::uint64_t node : {8, 9}) {
    trace.define(K::SystemTreeNode,
                 {node, trace.string("node " + std::to_string(node)), trace.string("node"), 7});
    trace
        .define(K::SystemTreeNodeProperty,
                {node, trace.string("cores"), otf2_value::type_uint32, 64})
        .define(K::SystemTreeNodeDomain, {node, 2});
    trace.define(K::LocationGroup, {node - 8, trace.string("process"), 0, node, none})
        .define(K::Location,
                {node - 8, trace.string("thread"), otf2_value::location_type_cpu, 0, node - 8});
  }
  trace.add_world({0, 1});
}

class ShowGroupsTest : public ReducedDefinitionsTest {
 protected:
  ShowGroupsTest() {
    tree_ = TreeChoice::groups;
    define_machine(trace_);
  }

  std::vector<std::string> list_nodes() const {
    std::vector<std::string> names;
    for (const auto& d : found_.all())
      if (d.kind == K::SystemTreeNode) {
        EXPECT_EQ(d.id(), names.size());
        names.push_back(found_.text(get_field<"name", K::SystemTreeNode>(d)));
      }
    return names;
  }
  std::uint64_t find_parent(std::uint64_t location_group) const {
    return get_field<"systemTreeParent", K::LocationGroup>(
        *found_.find(Ref::location_group, location_group));
  }
};

TEST_F(ShowGroupsTest, PutLocationGroupsBelowNodesOfGroups) {
  reduce({{0, 1}});
  EXPECT_THAT(list_nodes(), ElementsAre("cluster", "2× like rank 0"));
  EXPECT_EQ(find_parent(0), 1u);
  EXPECT_EQ((get_field<"parent", K::SystemTreeNode>(*found_.find(Ref::system_tree_node, 1))), 0u);
}

TEST_F(ShowGroupsTest, SayWhatNodesAreAndWhereLocationGroupsWere) {
  reduce({{0, 1}});
  std::vector<std::string> properties;
  for (const auto& d : found_.all())
    if (d.kind == K::SystemTreeNodeProperty || d.kind == K::LocationGroupProperty) {
      const bool is_text = d.fields[2] == otf2_value::type_string;
      properties.push_back(std::to_string(d.id()) + " " + found_.text(d.fields[1]) + " " +
                           (is_text ? found_.text(d.fields[3]) : std::to_string(d.fields[3])));
    }
  EXPECT_THAT(properties, ElementsAre("1 tracefold::tree group", "1 tracefold::group 0",
                                      "0 tracefold::node machine::cluster / node::node 8"));
}

TEST_F(ShowGroupsTest, CountWhatIsLeftOutOfTheTree) {
  reduce({{0}, {1}});
  EXPECT_EQ(left_out_.properties, 2u);
  EXPECT_EQ(left_out_.domains, 2u);
}

TEST_F(ShowGroupsTest, KeepTheNodeOfAFile) {
  trace_.define(K::IoRegularFile, {3, trace_.string("output"), 9});
  reduce({{0, 1}});
  EXPECT_THAT(list_nodes(), ElementsAre("cluster", "node 9", "2× like rank 0"));
  EXPECT_EQ((get_field<"scope", K::IoRegularFile>(*found_.find(Ref::io_file, 0))), 1u);
  EXPECT_EQ(find_parent(0), 2u);
}

TEST_F(ShowGroupsTest, KeepTheNodeThatAMetricIsOf) {
  trace_.define(K::MetricClass, {3, 0, 0, 0});
  trace_.define(K::MetricInstance, {4, 3, 0, otf2_value::scope_system_tree_node, 8});
  reduce({{0}, {1}});
  EXPECT_THAT(list_nodes(), ElementsAre("cluster", "node 8", "rank 0", "rank 1"));
  EXPECT_EQ(left_out_.properties, 1u) << "that of the other node";
}

TEST(StayingDefinitions, KeepWhatOnlyPropertiesName) {
  constexpr std::uint64_t type_region = 14, type_calling_context = 21;
  TraceBuilder trace;
  trace.add_mpi_processes(1).add_region(5, "f").add_region(6, "g").add_region(7, "h");
  const auto name = trace.string("property");
  trace.define(K::CallingContext, {3, 5, none, none});
  trace.define(K::LocationProperty, {0, name, type_calling_context, 3});
  trace.define(K::CallingContextProperty, {3, name, type_region, 6});
  const auto original = trace.definitions();
  const auto plan = testing::keep_first(original, {{0}});
  const KeptLocations kept(original, plan, false);
  const Partners partners(original, plan, kept);
  const StayingDefinitions staying(original, kept, partners, {});
  EXPECT_TRUE(staying.stays(Ref::calling_context, 3));
  EXPECT_TRUE(staying.stays(Ref::region, 5));
  EXPECT_TRUE(staying.stays(Ref::region, 6)) << "a property of what a property names";
  EXPECT_FALSE(staying.stays(Ref::region, 7));
  for (const auto& d : original.all())
    EXPECT_TRUE(d.kind != K::CallingContextProperty || staying.stays(d));
}

}  // namespace tracefold::reduced_definitions_test
