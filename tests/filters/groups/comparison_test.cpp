#include "filters/groups/comparison.hpp"

#include "filters/groups/call_measures.hpp"
#include "filters/groups/group.hpp"
#include "model/plan.hpp"

#include <gmock/gmock.h>

namespace tracefold::comparison_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto root = virtual_root;
using Pairs = std::vector<CallPair>;

Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Processes of an intent each, with functions named f0, f1, ….
class Made {
 public:
  explicit Made(std::size_t functions) {
    for (std::size_t f = 0; f < functions; ++f)
      plan.functions.emplace_back().name = "f" + std::to_string(f);
  }
  Made& process(const std::string& name, std::uint64_t location_group, Pairs pairs,
                std::uint64_t type = 1) {
    PlanIntent intent;
    intent.set = {type, sorted(std::move(pairs)), {}};
    Process p;
    p.id = plan.processes.size();
    p.name = name;
    p.location_group = location_group;
    p.location_group_name = "MPI Rank " + std::to_string(location_group);
    p.intent = static_cast<std::uint32_t>(plan.intents.size());
    plan.intents.push_back(std::move(intent));
    plan.processes.push_back(std::move(p));

    return *this;
  }
  std::vector<std::vector<std::size_t>> groups(const Comparison& comparison, double threshold = 1) {
    group(plan, threshold, comparison);
    std::vector<std::vector<std::size_t>> found;
    for (const auto& g : *plan.groups)
      found.push_back(g.members);
    return found;
  }
  Plan plan;
};

TEST(WithoutFunctions, GivesCalleesToTheNearestCallersThatStay) {
  const auto pairs = sorted({{root, 0}, {0, 1}, {1, 2}, {2, 3}, {1, 3}});
  EXPECT_EQ(remove_functions(pairs, {}), pairs);
  EXPECT_EQ(remove_functions(pairs, {1}), sorted({{root, 0}, {0, 2}, {0, 3}, {2, 3}}));
  EXPECT_EQ(remove_functions(pairs, {1, 2}), sorted({{root, 0}, {0, 3}}));
  EXPECT_EQ(remove_functions(pairs, {0}), sorted({{root, 1}, {1, 2}, {2, 3}, {1, 3}}));
  EXPECT_THAT(remove_functions(pairs, {0, 1, 2, 3}), IsEmpty());
}

TEST(WithoutFunctions, FollowsRecursion) {
  EXPECT_EQ(remove_functions(sorted({{root, 0}, {0, 1}, {1, 1}, {1, 2}}), {1}),
            sorted({{root, 0}, {0, 2}}));
  EXPECT_EQ(remove_functions(sorted({{root, 0}, {0, 1}, {1, 2}, {2, 1}, {2, 0}}), {1, 2}),
            sorted({{root, 0}, {0, 0}}));
}

// On sets nobody knows for whom an ignored function called: 3 may only have been called under 0.
TEST(WithoutFunctions, CountsEveryCallerOfAnIgnoredFunction) {
  EXPECT_EQ(remove_functions(sorted({{root, 0}, {root, 1}, {0, 2}, {1, 2}, {2, 3}}), {2}),
            sorted({{root, 0}, {root, 1}, {0, 3}, {1, 3}}));
}

TEST(Comparison, LeavesIgnoredFunctionsOutOfGroupsButNotOfIntents) {
  Made made(3);
  made.process("a", 0, {{root, 0}, {0, 1}}).process("b", 1, {{root, 0}, {0, 2}, {2, 1}});
  EXPECT_EQ(made.groups({}).size(), 2u);
  EXPECT_THAT(made.groups({.ignore = {"f2"}}), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(made.plan.ignored, ElementsAre(2));
  EXPECT_THAT((*made.plan.groups)[0].intents, ElementsAre(0, 1));
  EXPECT_EQ(made.plan.intents[1].set.pairs.size(), 3u);
}

TEST(Comparison, ByFunctionsForgetsWhoCalls) {
  Made made(3);
  made.process("a", 0, {{root, 0}, {0, 1}, {1, 2}})
      .process("b", 1, {{root, 0}, {0, 1}, {0, 2}});  // structural fig. 2
  EXPECT_EQ(made.groups({}).size(), 2u);
  EXPECT_THAT(made.groups({.by = CompareBy::functions}), ElementsAre(ElementsAre(0, 1)));
}

TEST(Comparison, KeepsApartThoseWithNothingLeftToCompare) {
  Made made(2);
  made.process("calls f0", 0, {{root, 0}})
      .process("calls f1", 1, {{root, 1}})
      .process("calls f0 as f1", 2, {{root, 0}, {0, 1}})
      .process("calls nothing", 3, {});

  EXPECT_THAT(made.groups({.ignore = {"f0"}}, 0),
              ElementsAre(ElementsAre(0), ElementsAre(1, 2), ElementsAre(3)));
  EXPECT_THAT(made.groups({.ignore = {"*"}}, 0), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
}

TEST(IgnoreRoot, TakesBottomFunctionsThatCallAndAreMadeUp) {
  Made made(6);
  auto& functions = made.plan.functions;
  functions[0].name = "PARALLEL";
  functions[1].role = otf2_value::region_role_artificial;  // another root
  functions[2].role =
      otf2_value::region_role_artificial;  // a leaf, such as a flush of the trace's buffer
  functions[3].name = "Working";           // not at the bottom
  made.process("a", 0, {{root, 0}, {0, 3}, {3, 4}})
      .process("b", 1, {{root, 1}, {1, 4}, {root, 2}})
      .process("c", 2, {{root, 5}, {5, 4}});
  EXPECT_THAT(find_ignored_functions(made.plan, {.ignore_root = true}), ElementsAre(0, 1));
  EXPECT_THAT(find_ignored_functions(made.plan, {.ignore = {"f[45]"}, .ignore_root = true}),
              ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(find_ignored_functions(made.plan, {}), IsEmpty());
}

// Thesis 4.3: with the root that Score-P adds, a process recorded in less detail shares few pairs.
TEST(IgnoreRoot, MakesProcessesOfLessDetailAlike) {
  Made made(3);
  made.plan.functions[0].name = "PARALLEL";
  made.process("a", 0, {{root, 1}, {root, 2}}).process("b", 1, {{root, 0}, {0, 1}, {0, 2}});
  EXPECT_EQ(made.groups({}).size(), 2u);
  EXPECT_EQ(made.groups({.ignore_root = true}).size(), 1u);
}

// Thesis 4.2.4: which stream of a rank gets which work is up to a scheduler.
Made made_streams() {
  Made made(3);
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    made.process("Master thread", rank, {{root, 0}});
    made.process("CUDA[0:7]", rank, rank ? Pairs{{root, 1}, {root, 2}} : Pairs{{root, 1}}, 2);
    made.process("CUDA[0:8]", rank, rank ? Pairs{{root, 1}} : Pairs{{root, 2}}, 2);
  }

  return made;
}

TEST(Combine, ComparesTheStreamsOfARankAsOne) {
  auto made = made_streams();
  EXPECT_EQ(made.groups({}).size(), 4u);
  EXPECT_THAT(made.groups({.combine = {"CUDA*"}}),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4, 5)));
  EXPECT_EQ((*made.plan.groups)[1].intents.size(), 4u);  // they keep what they are
}

TEST(Combine, MatchesNamesWithAndWithoutTheLocationGroup) {
  auto made = made_streams();
  EXPECT_THAT(made.groups({.combine = {"MPI Rank 1/CUDA*"}}),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1), ElementsAre(2), ElementsAre(4, 5)));
  made.plan.processes[1].name = "12× CUDA[0:7]";  // of a trace that was reduced before
  made.plan.processes[1].location_group_name = "3× MPI Rank 0";
  EXPECT_TRUE(is_combined(made.plan.processes[1], {"CUDA*"}));
  EXPECT_TRUE(is_combined(made.plan.processes[1], {"MPI Rank 0/CUDA?0:7?"}));
  EXPECT_FALSE(is_combined(made.plan.processes[1], {"MPI Rank 0"}));
}

TEST(Combine, LeavesTypesAndProcessesWithoutCallsApart) {
  auto made = made_streams();
  made.process("CUDA[0:9]", 0, {}, 2);
  EXPECT_THAT(made.groups({.combine = {"*"}}, 0),
              ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4, 5), ElementsAre(6)));
}

TEST(Combine, IgnoresAfterCombining) {
  Made made(3);
  made.process("s0", 0, {{root, 0}, {0, 1}})
      .process("s1", 0, {{1, 2}, {root, 1}})
      .process("s2", 1, {{root, 0}, {0, 2}, {root, 2}});
  EXPECT_THAT(made.groups({.ignore = {"f1"}, .combine = {"s*"}}),
              ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(IdlePatterns, AreThoseThatMatchNothing) {
  auto made = made_streams();
  EXPECT_THAT(
      find_idle_patterns(made.plan, {.ignore = {"f*", "g*"}, .combine = {"CPU*", "*CUDA*"}}),
      ElementsAre(HasSubstr("function matches 'g*'"), HasSubstr("process matches 'CPU*'")));
}

}  // namespace tracefold::comparison_test
