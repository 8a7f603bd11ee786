#include "filters/iterations/match_loops.hpp"

#include "model/iterations/iteration_section.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

namespace tracefold::match_loops_test {

using ::testing::ElementsAre;
using ::testing::Optional;

std::vector<Function> make_functions(const std::vector<std::string>& names) {
  std::vector<Function> functions;
  for (const auto& name : names)
    functions.emplace_back().name = name;
  return functions;
}

Loop make_loop(std::vector<FunctionIndex> path, FunctionIndex function, std::uint64_t begin) {
  Loop loop;
  loop.path = std::move(path);
  loop.function = function;
  loop.iterations = {{begin, begin + 1}, {begin + 1, begin + 2}};
  return loop;
}

LoopRule make_rule(std::vector<std::string> path, std::string function, std::size_t place = 0) {
  return {std::move(path), std::move(function), place, {0, 1}, {0, 1}, {}};
}

TEST(MatchLoops, FindsThemByNameWhateverTheCompilerAdds) {
  const auto functions = make_functions({"step_", "MAIN__", "other"});
  const auto found = match_loops({make_rule({"MAIN__"}, "step"), make_rule({"MAIN__"}, "gone")},
                                 functions, {make_loop({1}, 2, 0), make_loop({1}, 0, 5)});
  EXPECT_THAT(found, ElementsAre(std::nullopt, Optional(0u)));
}

TEST(MatchLoops, TakesLoopsOfTheSameNamesInTheirOrder) {
  const auto functions = make_functions({"step", "main"});
  const auto found = match_loops({make_rule({"main"}, "step", 1), make_rule({"main"}, "step", 0)},
                                 functions, {make_loop({1}, 0, 90), make_loop({1}, 0, 5)});
  EXPECT_THAT(found, ElementsAre(Optional(0u), Optional(1u)));
}

TEST(MatchLoops, TakesTheFunctionAloneWhereTheCallsAroundItAreOthers) {
  const auto functions = make_functions({"step", "main", "run"});
  EXPECT_THAT(match_loops({make_rule({"main"}, "step")}, functions, {make_loop({1, 2}, 0, 5)}),
              ElementsAre(Optional(0u)));
  EXPECT_THAT(match_loops({make_rule({"main"}, "step")}, functions,
                          {make_loop({1, 2}, 0, 5), make_loop({1}, 0, 9)}),
              ElementsAre(std::nullopt, Optional(0u)))
      << "the one with the same calls around it comes first";
}

TEST(MatchLoops, LeavesOnlyLoopsThatMeetARule) {
  const auto functions = make_functions({"step", "main", "warm"});
  std::vector<ProcessLoops> loops(2);
  loops[0].loops = {make_loop({1}, 2, 0), make_loop({1}, 0, 5)};
  keep_matching_loops({make_rule({"main"}, "step")}, functions, loops);
  ASSERT_EQ(loops[0].loops.size(), 1u);
  EXPECT_EQ(loops[0].loops[0].function, 0u);
}

TEST(MatchLoops, GivesTheRulesThatFindTheSameLoops) {
  const auto functions = make_functions({"step", "main"});
  IterationSection section;
  section.processes.push_back({0, {}});
  section.processes[0].loops.loops = {make_loop({1}, 0, 90), make_loop({1}, 0, 5)};
  section.loops.resize(2);
  section.loops[0].choice.kept = {0};
  section.loops[0].choice.kept_of = {0, 0};
  const auto rules = list_loop_rules(section, functions);
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].place, 1u);
  EXPECT_EQ(name_loop(rules[0]), "main > step");
  EXPECT_THAT(rules[0].kept, ElementsAre(0));
  EXPECT_THAT(match_loops(rules, functions, section.processes[0].loops.loops),
              ElementsAre(Optional(0u), Optional(1u)));
}

}  // namespace tracefold::match_loops_test
