#include "filters/groups/name_groups.hpp"

#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"
#include "tests/support/plan_builder.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>

namespace tracefold::name_groups_test {

using ::testing::ElementsAre;
using testing::PlanBuilder;

namespace {

constexpr auto cpu = otf2_value::location_type_cpu;
constexpr auto accelerator = otf2_value::location_type_accelerator;

// A program and its groups: processes of one letter are a group.
class Made {
 public:
  // Of a rank, or where that is below 0, of a process without one.
  Made& add(int rank, std::uint64_t thread, char letter, std::uint64_t type = cpu) {
    const bool has_rank = rank >= 0;
    places.locations.push_back(
        {has_rank, has_rank ? static_cast<std::uint64_t>(rank) : 1000, thread, type});
    places.stands_for.push_back({places.stands_for.size()});
    builder_.thread(static_cast<std::uint64_t>(rank), thread,
                    {{"", "main"}, {"main", std::string(1, letter)}}, 1, type);
    return *this;
  }
  // One thread of each rank.
  Made& add_ranks(const std::string& letters) {
    for (std::size_t rank = 0; rank < letters.size(); ++rank)
      add(static_cast<int>(rank), 0, letters[rank]);
    return *this;
  }
  Made& add_grid(std::vector<GridAxis> axes) {
    places.grids.push_back(fill_grid(std::move(axes), places.locations.size()));
    return *this;
  }

  std::vector<std::string> name() {
    auto plan = builder_.plan();
    group(plan, 1);
    name_groups(plan, places);
    std::vector<std::string> names;
    for (const auto& one : *plan.groups)
      names.push_back(one.name);
    return names;
  }

  ProgramPlaces places;

 private:
  PlanBuilder builder_;
};

}  // namespace

TEST(NameGroups, TellsPositionsInAGrid) {
  EXPECT_THAT(Made()
                  .add_ranks("aeeb"
                             "wiiw"
                             "wiiw"
                             "ceed")
                  .add_grid({{4}, {4}})
                  .name(),
              ElementsAre("north-west corner", "edges north and south", "north-east corner",
                          "edges west and east", "inside of the grid", "south-west corner",
                          "south-east corner"));
}

TEST(NameGroups, CallsRank0SoWhereNoOtherGroupIsNamedByTheGrid) {
  EXPECT_THAT(Made().add_ranks("abbbbbbbb").add_grid({{3}, {3}}).name(),
              ElementsAre("rank 0", "all ranks but 0"));
  EXPECT_THAT(Made().add_ranks("abcbbbcbc").add_grid({{3}, {3}}).name(),
              ElementsAre("rank 0", "grid without its corners", "corner of the grid but rank 0"));
}

TEST(NameGroups, HasNoEdgesOnATorus) {
  const std::string letters =
      "aeea"
      "wiiw"
      "wiiw"
      "aeea";
  EXPECT_THAT(Made().add_ranks(letters).add_grid({{4, true}, {4, true}}).name(),
              ElementsAre("calls a", "calls e", "calls w", "calls i"));
}

TEST(NameGroups, TakesTheGridThatNamesMostGroups) {
  const std::string letters = "aeeaaeea";
  EXPECT_THAT(Made().add_ranks(letters).add_grid({{4}, {2}}).add_grid({{2}, {4}}).name(),
              ElementsAre("corner of the grid", "edge of the grid"));
}

TEST(NameGroups, IgnoresGridsThatDoNotHoldAllRanks) {
  Made made;
  made.add_ranks("abba");
  made.places.grids.push_back(fill_grid({{2}, {4}}, 8));
  EXPECT_THAT(made.name(), ElementsAre("first and last rank", "all ranks but the first and last"));
}

TEST(NameGroups, TellsTheOrderOfRanks) {
  EXPECT_THAT(Made().add_ranks("aaaa").name(), ElementsAre("all ranks"));
  EXPECT_THAT(Made().add_ranks("abbc").name(),
              ElementsAre("rank 0", "all ranks but the first and last", "last rank"));
  EXPECT_THAT(Made().add_ranks("ababab").name(), ElementsAre("even ranks", "odd ranks"));
  EXPECT_THAT(Made().add_ranks("ab").name(), ElementsAre("rank 0", "calls b"));
}

TEST(NameGroups, TellsNodeLeaders) {
  Made made;
  made.add_ranks("abbacb").places.nodes = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_THAT(made.name(), ElementsAre("node leaders", "calls b", "calls c"));
}

TEST(NameGroups, TellsMainThreadsAndWorkers) {
  Made made;
  for (int rank = 0; rank < 4; ++rank) {
    made.add(rank, 0, rank == 0 ? 'a' : 'b');
    for (std::uint64_t thread = 1; thread < 4; ++thread)
      made.add(rank, thread, 'w');
  }
  EXPECT_THAT(made.name(), ElementsAre("main thread of rank 0", "worker threads",
                                       "main threads of all ranks but 0"));
}

TEST(NameGroups, TellsWorkersOfSomeRanksAndSingleThreads) {
  Made made;
  for (int rank = 0; rank < 4; ++rank)
    made.add(rank, 0, 'm').add(rank, 1, 'x').add(rank, 2, rank == 0 ? 'y' : 'z');
  EXPECT_THAT(made.name(), ElementsAre("main threads", "thread 1 of every rank",
                                       "thread 2 of rank 0", "thread 2 of all ranks but 0"));

  Made uneven;  // the last rank has one thread less
  for (int rank = 0; rank < 3; ++rank)
    uneven.add(rank, 0, 'm').add(rank, 1, rank == 0 ? 'v' : 'w');
  uneven.add(0, 2, 'v').add(1, 2, 'w');
  EXPECT_THAT(uneven.name(), ElementsAre("main threads", "worker threads of rank 0",
                                         "worker threads of all ranks but 0"));
}

TEST(NameGroups, TellsThreadsOfPositions) {
  Made made;
  for (int rank = 0; rank < 9; ++rank) {
    const bool is_inside = rank == 4;
    made.add(rank, 0, is_inside ? 'i' : 'b').add(rank, 1, is_inside ? 'j' : 'c');
  }
  made.places.grids.push_back(fill_grid({{3}, {3}}, 9));
  EXPECT_THAT(made.name(),
              ElementsAre("main threads, border of the grid", "worker threads, border of the grid",
                          "main thread, inside of the grid", "worker thread, inside of the grid"));
}

TEST(NameGroups, TellsStreamsOfAccelerators) {
  Made made;
  for (int rank = 0; rank < 4; ++rank)
    made.add(rank, 0, 'm').add(rank, 1, 's', accelerator).add(rank, 2, 's', accelerator);
  EXPECT_THAT(made.name(), ElementsAre("all ranks", "accelerator streams"));

  Made apart;
  for (int rank = 0; rank < 4; ++rank)
    apart.add(rank, 0, 'm').add(rank, 1, rank == 0 ? 'r' : 's', accelerator);
  EXPECT_THAT(apart.name(), ElementsAre("all ranks", "accelerator stream of rank 0",
                                        "accelerator streams of all ranks but 0"));
}

TEST(NameGroups, NamesThreadsOfAProgramWithoutRanks) {
  EXPECT_THAT(Made().add(-1, 0, 'm').add(-1, 1, 'w').add(-1, 2, 'w').name(),
              ElementsAre("main thread", "worker threads"));
  EXPECT_THAT(Made().add(-1, 0, 'm').name(), ElementsAre("main thread"));
}

TEST(NameGroups, SaysWhatIsCalledWhereNoPlaceFits) {
  EXPECT_THAT(Made().add_ranks("abbaab").name(), ElementsAre("calls a", "calls b"));
}

TEST(NameGroups, LeavesTheNameEmptyWhereNothingFits) {
  Made made;
  made.add_ranks("abbaab").places.knows_calls = false;
  EXPECT_THAT(made.name(), ElementsAre("", ""));
}

TEST(NameGroups, LooksAtTheWholeProgramAndNotAtWhatFiltersLeave) {
  Made made;
  made.add_ranks("aabb");
  for (std::uint64_t rank = 4; rank < 8; ++rank)
    made.places.locations.push_back({true, rank, 0, cpu});
  made.places.knows_calls = false;
  EXPECT_THAT(made.name(), ElementsAre("", "")) << "half of all ranks are in no group";

  Made whole;
  whole.add_ranks("aaaa").places.locations.push_back({true, 4, 0, cpu});
  whole.places.knows_calls = false;
  EXPECT_THAT(whole.name(), ElementsAre("all ranks but the last"));
}

// A trace that was reduced before: three processes stand for eight.
Made make_reduced(const std::vector<std::vector<std::size_t>>& stands_for) {
  Made made;
  made.add_ranks("abc").places.locations.clear();
  for (std::uint64_t rank = 0; rank < 8; ++rank)
    made.places.locations.push_back({true, rank, 0, cpu});
  made.places.knows_calls = false;
  made.places.stands_for = stands_for;
  return made;
}

TEST(NameGroups, LooksAtWhatProcessesStandFor) {
  EXPECT_THAT(make_reduced({{0}, {1, 2, 3, 4, 5, 6}, {7}}).name(),
              ElementsAre("rank 0", "all ranks but the first and last", "last rank"));
  EXPECT_THAT(make_reduced({{0}, {}, {7}}).name(), ElementsAre("rank 0", "", "last rank"))
      << "it is not known for whom one stands";
}

TEST(NameGroups, KeepsTheNameThatTheSameMembersHad) {
  auto made = make_reduced({{0}, {1, 2, 3, 4, 5}, {6, 7}});
  made.places.earlier_names = {{{1}, "calls exchange"}, {{0, 2}, "calls x"}};
  EXPECT_THAT(made.name(), ElementsAre("rank 0", "calls exchange", ""));
}

TEST(NameGroups, GivesNoNameTwice) {
  Made made;
  made.add_ranks("abbaab").places.knows_calls = false;
  made.places.earlier_names = {{{0, 3, 4}, "same"}, {{1, 2, 5}, "same"}};
  EXPECT_THAT(made.name(), ElementsAre("", ""));
}

// The name of any partition of few ranks in a grid is of one set of ranks only.
TEST(NameGroups, IsExactForAnyGroupsOfRanks) {
  std::map<std::string, std::string> meaning;  // of names: which ranks
  for (int number = 0; number < 2 * 6561; ++number) {
    std::string letters;
    for (int k = 0, rest = number; k < 9; ++k, rest /= 3)
      letters += static_cast<char>('a' + rest % 3);
    Made made;
    made.add_ranks(letters).add_grid({{3}, {3}}).places.knows_calls = false;
    const auto names = made.name();

    std::set<std::string> own;
    std::string seen;
    for (char letter : letters)
      if (seen.find(letter) == std::string::npos)
        seen += letter;
    for (std::size_t g = 0; g < names.size(); ++g) {
      if (names[g].empty())
        continue;
      EXPECT_TRUE(own.insert(names[g]).second) << names[g] << " of " << letters;
      auto ranks = letters;
      for (auto& letter : ranks)
        letter = letter == seen[g] ? 'x' : '.';
      EXPECT_EQ(meaning.try_emplace(names[g], ranks).first->second, ranks) << names[g];
    }
  }
  EXPECT_GT(meaning.size(), 30u);
}

}  // namespace tracefold::name_groups_test
