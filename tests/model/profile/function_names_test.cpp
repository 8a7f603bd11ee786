#include "model/profile/function_names.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::function_names_test {

using ::testing::ElementsAre;

Function make_function(const std::string& name, const std::string& file, std::uint64_t line = 0,
                       const std::string& canonical = "") {
  Function function;
  function.name = name;
  function.canonical = canonical;
  function.file = file;
  function.line = line;
  return function;
}

std::vector<std::string> list_shown(std::vector<Function> functions) {
  make_names_unique(functions);
  std::vector<std::string> names;
  for (const auto& function : functions)
    names.push_back(function.shown_name());
  return names;
}

TEST(FunctionNames, StayAsTheyAreWhereOneFunctionHasThem) {
  EXPECT_THAT(list_shown({make_function("main", "a.c", 1), make_function("init", "a.c", 9)}),
              ElementsAre("main", "init"));
}

TEST(FunctionNames, HaveAsMuchOfThePathAsTellsFilesApart) {
  EXPECT_THAT(
      list_shown({make_function("run", "/x/a.py", 1), make_function("run", "/y/b.py", 1),
                  make_function("init", "/x/solver.c", 1), make_function("init", "/y/solver.c", 1),
                  make_function("step", "solver.c", 1), make_function("step", "/y/solver.c", 1)}),
      ElementsAre("run (a.py)", "run (b.py)", "init (x/solver.c)", "init (y/solver.c)",
                  "step (solver.c)", "step (y/solver.c)"));
}

TEST(FunctionNames, HaveTheLineOrTheCanonicalNameWhereTheFileIsOne) {
  EXPECT_THAT(
      list_shown({make_function("run", "a.py", 3), make_function("run", "a.py", 30),
                  make_function("f", "f.cpp", 7, "_Z1fi"), make_function("f", "f.cpp", 7, "_Z1fd"),
                  make_function("g", "", 0), make_function("g", "g.cu", 0)}),
      ElementsAre("run (a.py:3)", "run (a.py:30)", "f (f.cpp, _Z1fi)", "f (f.cpp, _Z1fd)", "g",
                  "g (g.cu)"));
}

// As what compilers make for each file of a large program.
TEST(FunctionNames, AreManyInLittleTime) {
  std::vector<Function> functions;
  for (int k = 0; k < 20'000; ++k)
    functions.push_back(make_function("init", "/x/" + std::to_string(k) + "/solver.cpp", 1));
  make_names_unique(functions);
  EXPECT_EQ(functions.front().shown_name(), "init (0/solver.cpp)");
  EXPECT_EQ(functions.back().shown_name(), "init (19999/solver.cpp)");
}

TEST(FunctionPatterns, MatchNamesOrFiles) {
  const auto function = make_function("init", "/x/numpy/core.py", 1);
  EXPECT_TRUE(matches_function("in*", function));
  EXPECT_FALSE(matches_function("core.py", function));
  EXPECT_TRUE(matches_function("file:*/numpy/*", function));
  EXPECT_TRUE(matches_function("file:core.py", function));
  EXPECT_TRUE(matches_function("file:/x/numpy/core.py", function));
  EXPECT_FALSE(matches_function("file:numpy/core.py", function));
  EXPECT_FALSE(matches_function("file:*.c", function));
  EXPECT_FALSE(matches_function("file:*", make_function("main", "")));
  EXPECT_TRUE(matches_any({"x", "file:*.py"}, function));
}

TEST(FunctionPatterns, AreSuggestedAmongNamesOrFiles) {
  const std::vector<Function> functions{make_function("init", "/x/solver.c", 1)};
  EXPECT_EQ(suggest_function("inti", functions), "did you mean 'init'?");
  EXPECT_EQ(suggest_function("file:solver.cc", functions), "did you mean 'file:solver.c'?");
  EXPECT_EQ(suggest_function("file:other", functions), "");

  EXPECT_EQ(describe_idle_patterns({"init", "inti"}, functions, "dropped"),
            std::vector<std::string>{
                "no function matches 'inti', which is to be dropped (did you mean 'init'?)"});
  EXPECT_EQ(
      describe_idle_patterns(std::vector<std::string>(20, "none"), functions, "kept"),
      std::vector<std::string>{"no function matches 'none' and 19 more, which are to be kept"});
}

TEST(ShortenFunctionName, LeavesOutArgumentsAndScopes) {
  EXPECT_EQ(shorten_function_name("main"), "main");
  EXPECT_EQ(shorten_function_name("void Solver<double, 3>::run(const Mesh&) const"),
            "Solver<…>::run");
  EXPECT_EQ(shorten_function_name("std::vector<std::pair<int, int>>::push_back(int&&)"),
            "std::vector<…>::push_back");
  EXPECT_EQ(shorten_function_name("(anonymous namespace)::write_everything_out(int)"),
            "…::write_everything_out");
  EXPECT_EQ(shorten_function_name("a::very::long::list::of::namespaces::run"),
            "…::list::of::namespaces::run");
  EXPECT_EQ(shorten_function_name(std::string(2000, 'x')), std::string(29, 'x') + "…");
  EXPECT_EQ(shorten_function_name("a\x1b[1m\n"), "a?[1m?");
}

}  // namespace tracefold::function_names_test
