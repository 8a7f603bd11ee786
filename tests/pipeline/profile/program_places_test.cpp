#include "pipeline/profile/program_places.hpp"

#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <vector>

namespace tracefold::program_places_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TraceBuilder;

namespace {

using Coordinates = std::vector<std::vector<std::uint64_t>>;

}  // namespace

class ProgramPlacesTest : public ::testing::Test {
 protected:
  // A topology over the ranks of a communicator.
  void add_topology(std::uint64_t id, std::uint64_t comm, const std::vector<GridAxis>& axes,
                    const Coordinates& coordinates) {
    std::vector<std::uint64_t> dimensions;
    for (const auto& axis : axes) {
      dimensions.push_back(10 * id + dimensions.size());
      builder_.define(DefinitionKind::CartDimension, {dimensions.back(), builder_.string("axis"),
                                                      axis.size, axis.periodic ? 1u : 0u});
    }
    builder_.define(DefinitionKind::CartTopology,
                    {id, builder_.string("grid"), comm, dimensions.size()}, dimensions);
    for (std::uint64_t rank = 0; rank < coordinates.size(); ++rank)
      if (!coordinates[rank].empty())
        builder_.define(DefinitionKind::CartCoordinate, {id, rank, coordinates[rank].size()},
                        coordinates[rank]);
  }

  // The places of a plan of the processes that the filters leave.
  ProgramPlaces find(const std::vector<FilterSection>& filters = {},
                     std::vector<GridAxis> proposed = {}) {
    const auto anchor = folder_.path() / "traces.otf2";
    if (!std::filesystem::exists(anchor))
      builder_.write(folder_.path());
    const Archive archive(anchor.string(), diagnostics_);
    Plan plan;
    plan.processes = find_processes(archive.definitions(), filters);
    plan.grid = std::move(proposed);
    return find_program_places(archive, plan);
  }

  testing::TestFolder folder_;
  TraceBuilder builder_;
  Diagnostics diagnostics_;
};

TEST_F(ProgramPlacesTest, HasPlacesOfTopologiesByRankOfTheWorld) {
  builder_.add_mpi_processes(4).add_comm(1, 102, {3, 2, 1, 0});
  add_topology(0, 1, {{2}, {2}}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const auto places = find();
  ASSERT_THAT(places.grids, SizeIs(1));
  EXPECT_THAT(places.grids[0].coordinates, ElementsAre(1, 1, 1, 0, 0, 1, 0, 0));
}

TEST_F(ProgramPlacesTest, LeavesOutTopologiesThatDoNotPlaceEveryRankOnce) {
  builder_.add_mpi_processes(4).add_comm(1, 102, {0, 1});
  add_topology(0, 1, {{2}}, {{0}, {1}});                             // of two ranks
  add_topology(1, 0, {{2}, {2}}, {{0, 0}, {0, 1}, {1, 0}, {}});      // one has no place
  add_topology(2, 0, {{2}, {2}}, {{0, 0}, {0, 1}, {1, 0}, {0, 0}});  // two are at one place
  add_topology(3, 0, {{2}, {2}}, {{0, 0}, {0, 1}, {1, 0}, {1, 2}});  // outside
  add_topology(4, 0, {{4, true}}, {{0}, {1}, {2}, {3}});
  const auto places = find();
  ASSERT_THAT(places.grids, SizeIs(1));
  EXPECT_TRUE(places.grids[0].axes.front().periodic);
}

TEST_F(ProgramPlacesTest, TakesTheProposedGridWhereItHoldsAllRanks) {
  builder_.add_mpi_processes(6);
  ASSERT_THAT(find({}, {{2}, {3}}).grids, SizeIs(1));
  EXPECT_THAT(find({}, {{2}, {3}}).grids[0].coordinates,
              ElementsAre(0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2));
  EXPECT_THAT(find({}, {{2}, {2}}).grids, IsEmpty());
}

TEST_F(ProgramPlacesTest, KnowsTheWholeProgramWhateverFiltersLeave) {
  builder_.add_mpi_processes(6);
  FilterSection filter;
  filter.locations = "2-3";
  const auto places = find({filter});
  EXPECT_THAT(places.locations, SizeIs(6));
  EXPECT_THAT(places.stands_for, ElementsAre(ElementsAre(2), ElementsAre(3)));
}

TEST_F(ProgramPlacesTest, GivesStreamsToTheRankThatCreatedThem) {
  builder_.add_location_group(0, {0, 1}).add_location_group(1, {10, 11});
  builder_.add_location_group(2, {20}, otf2_value::location_group_accelerator, 1);
  builder_.add_world({0, 10});
  const auto places = find();
  ASSERT_THAT(places.locations, SizeIs(5));
  EXPECT_TRUE(places.locations[4].has_rank);
  EXPECT_EQ(places.locations[4].owner, 1u);
  EXPECT_EQ(places.locations[3].owner, 1u);
  EXPECT_EQ(places.locations[3].thread, 1u);
}

TEST_F(ProgramPlacesTest, ListsRanksByNode) {
  builder_.add_mpi_processes(4);
  EXPECT_THAT(find().nodes, ElementsAre(ElementsAre(0, 1, 2, 3)));
}

}  // namespace tracefold::program_places_test
